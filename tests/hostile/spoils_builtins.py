# outcome: exit 0
# text: 'spoilt\n'
import builtins
builtins.open = builtins.len = None
print('spoilt')
