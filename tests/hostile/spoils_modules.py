# outcome: exit 0
# text: 'spoilt\n'
import sys
for name in list(sys.modules):
    if name.startswith(('json', 'torch', 'executed')):
        sys.modules[name] = None
print('spoilt')
