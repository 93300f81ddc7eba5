# outcome: exit 7
# text: 'before\n'
import os
print('before', flush=True)
os._exit(7)
