# outcome: used more than 8 GiB of memory
# timeout: 60
# text: 'before\n'
import numpy

print('before')
held = []
while True:
    held.append(numpy.ones(1 << 26))
