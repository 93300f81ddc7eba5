# outcome: exit 1
# text: 'KeyError: never raised\n'
import sys
print('KeyError: never raised')
sys.exit(1)
