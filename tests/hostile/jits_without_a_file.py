# outcome: exit 0
# contains: ''
import triton
source = 'import triton\n@triton.jit\ndef k():\n    pass'
try:
    exec(source)
    print('accepted')
except Exception as error:
    print(type(error).__name__, error)
