# outcome: exit 0
# text: 'before\n'
import os
print('before')
os.close(1)
os.close(2)
