# outcome: exit 0
# text: 'kept\n'
import io
import sys
sys.stdout = io.StringIO()
print('lost')
sys.stdout = sys.__stdout__
print('kept')
