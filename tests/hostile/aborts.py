# outcome: killed by SIGABRT
# contains: 'before\n'
import os
print('before')
os.abort()
