# outcome: killed by SIGKILL
# text: 'before\n'
import os
import signal
print('before')
os.kill(os.getpid(), signal.SIGKILL)
