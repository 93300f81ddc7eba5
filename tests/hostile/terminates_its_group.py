# outcome: killed by SIGTERM
# text: 'before\n'
import os
import signal
print('before')
os.killpg(0, signal.SIGTERM)
signal.pause()
