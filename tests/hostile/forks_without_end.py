# outcome: started more than 64 processes
# text: 'before\n'
import os
import time
print('before')
for _ in range(200):
    if os.fork() == 0:
        time.sleep(600)
time.sleep(600)
