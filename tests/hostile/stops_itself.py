# outcome: timed out after 3 s
# text: 'before\n'
import os
import signal
print('before')
os.kill(os.getpid(), signal.SIGSTOP)
