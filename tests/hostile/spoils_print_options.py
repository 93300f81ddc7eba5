# outcome: exit 0
# text: 'tensor(0.3)\n'
import torch
torch.set_default_dtype(torch.float64)
torch.set_printoptions(precision=1)
print(torch.tensor(1 / 3))
