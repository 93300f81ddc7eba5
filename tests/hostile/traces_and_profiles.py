# outcome: exit 0
# text: 'traced\n'
import sys
sys.settrace(lambda *_: None)
sys.setprofile(lambda *_: None)
print('traced')
