# outcome: exit 0
# text: ''
import sys
sys.exit(None)
