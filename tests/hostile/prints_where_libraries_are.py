# outcome: exit 0
# text: 'site-packages/torch/__init__.py lib/python/os.py\n'
import os
import torch
print(torch.__file__, os.__file__)
