# outcome: timed out after 3 s
# text: 'before\n'
import atexit
import time
atexit.register(time.sleep, 600)
print('before')
