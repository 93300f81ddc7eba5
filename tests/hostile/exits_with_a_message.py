# outcome: exit 1
# text: 'a reason\n'
import sys
sys.exit('a reason')
