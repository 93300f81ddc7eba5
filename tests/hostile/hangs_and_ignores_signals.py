# outcome: timed out after 3 s
# text: 'before\n'
import signal
import time
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
print('before')
while True:
    time.sleep(1)
