# outcome: exit 0
# text: 'child\nparent\n'
import os
if os.fork() == 0:
    print('child')
    os._exit(0)
os.wait()
print('parent')
