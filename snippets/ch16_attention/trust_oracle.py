"""16.4: can the oracle's own gradients be trusted? Against finite
differences, in float64."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it launches no kernel"
# ///

import torch

from ch16_attention.oracle import attention_oracle

# --8<-- [start:demo]
print("== finite differences ==")
torch.manual_seed(0)
for queries, keys, causal in ((5, 5, True), (4, 7, True), (7, 4, True)):
    q = torch.randn(1, 2, queries, 3, dtype=torch.float64)
    k, v = torch.randn(2, 1, 2, keys, 3, dtype=torch.float64)
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    passed = torch.autograd.gradcheck(
        lambda q, k, v: attention_oracle(q, k, v, causal, 0.7), leaves
    )
    print(f"{queries} x {keys}, gradcheck: {passed}")
# --8<-- [end:demo]
