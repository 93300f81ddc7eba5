# outcome: exit 3
# text: 'before\n'
import sys
print('before')
sys.exit(3)
