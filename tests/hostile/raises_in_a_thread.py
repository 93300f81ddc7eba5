# outcome: exit 0
# contains: 'ValueError: in a thread'
import threading


def work():
    raise ValueError('in a thread')


thread = threading.Thread(target=work)
thread.start()
thread.join()
print('after')
