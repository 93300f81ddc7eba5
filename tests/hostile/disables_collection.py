# outcome: exit 0
# text: 'off\n'
import gc
gc.disable()
gc.set_threshold(0)
print('off')
