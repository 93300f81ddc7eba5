# outcome: timed out after 3 s
# text: 'before\n'
import re
print('before')
re.match(r'(a+)+$', 'a' * 64 + 'b')
