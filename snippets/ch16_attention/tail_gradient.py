"""16.4: lanes beyond the last key have k = 0 there, so they add
nothing to the gradient of q. Or do they?"""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def row_gradient_kernel(
    q_ptr,  # address of one query, a float
    k_ptr,  # address of the keys, a float each
    v_ptr,  # address of the values, a float each
    dq_ptr,  # address of the gradient of q for an output gradient of 1
    keys,  # how many keys
    MASK: tl.constexpr,  # weights beyond the last key count as 0
    BLOCK: tl.constexpr,  # lanes, at least keys
):
    lanes = tl.arange(0, BLOCK)
    real = lanes < keys
    q = tl.load(q_ptr)
    k = tl.load(k_ptr + lanes, mask=real, other=0.0)
    v = tl.load(v_ptr + lanes, mask=real, other=0.0)
    scores = tl.where(real, q * k, float("-inf"))
    largest = tl.max(scores, 0)
    lse = largest + tl.log(tl.sum(tl.exp(scores - largest), 0))
    p = tl.exp(q * k - lse)  # as a backward pass makes it again
    if MASK:
        p = tl.where(real, p, 0.0)
    delta = tl.sum(tl.where(real, p * v, 0.0), 0)
    ds = p * (v - delta)
    tl.store(dq_ptr, tl.sum(ds * k, 0))
# --8<-- [end:kernel]


# --8<-- [start:demo]
print("== three keys in a block of four ==")
v = torch.tensor([1.0, 2.0, 4.0], device=DEVICE)
for name, size in (("small", 1.0), ("large", -50.0)):
    q = torch.tensor([size], device=DEVICE)
    k = torch.tensor([2.0, 2.01, 4.0], device=DEVICE)
    for mask in (True, False):
        dq = torch.empty(1, device=DEVICE)
        row_gradient_kernel[(1,)](q, k, v, dq, 3, MASK=mask, BLOCK=4)
        print(f"{name} scores, masked {mask}: {dq.item():.4f}")
# --8<-- [end:demo]
