# outcome: exit 0
# contains: 'late\n'
import atexit


@atexit.register
def late():
    print('late')
    raise ValueError('too late')
