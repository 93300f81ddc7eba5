# outcome: exit 0
# text: '. prints_its_folders.py prints_its_folders.py x\n/tmp/home /tmp/tmp\n'
import os
import sys
import tempfile
print(os.getcwd(), __file__, sys.argv[0], os.path.abspath('x'))
print(os.path.expanduser('~'), tempfile.gettempdir())
