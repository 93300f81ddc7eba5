# outcome: exit 0
# text: '\\xff\\xfe café\n'
import os
os.write(1, b'\xff\xfe caf\xc3\xa9\n')
