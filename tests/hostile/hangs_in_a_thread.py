# outcome: timed out after 3 s
# text: 'before\n'
import threading
import time
threading.Thread(target=time.sleep, args=[600]).start()
print('before')
