# outcome: killed by SIGSEGV
# contains: 'before\n'
import ctypes
print('before')
ctypes.string_at(0)
