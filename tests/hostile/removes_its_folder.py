# outcome: exit 0
# text: 'gone\n'
import os
import shutil
shutil.rmtree(os.getcwd())
print('gone')
