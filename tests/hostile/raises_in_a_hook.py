# outcome: raised ValueError
# text: 'my hook\n'
import sys
sys.excepthook = lambda *_: print('my hook')
raise ValueError
