# outcome: exit 0
# text: 'gone\n'
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time
        time.sleep(600)
    os._exit(0)
os.wait()
print('gone')
