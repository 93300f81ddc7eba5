# outcome: timed out after 3 s
# text: 'before\n'
import time
print('before')
time.sleep(600)
