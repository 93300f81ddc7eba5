"""20.3: two ways to pair the numbers of a head. Both keep lengths and
both see only distances; they do not fit each other."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch20_fused.rope import rope_eager, rope_into, rope_table

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LENGTH, DIM = 40, 8


# --8<-- [start:ways]
def halves(x, cos, sin):
    return rope_into(torch.empty_like(x), x, cos, sin)


def neighbours(x, cos, sin):
    """The pairs are (0, 1), (2, 3) ... instead."""
    order = [*range(0, DIM, 2), *range(1, DIM, 2)]
    turned = halves(x[..., order].contiguous(), cos, sin)
    return torch.empty_like(x).index_copy_(
        3, torch.tensor(order, device=DEVICE), turned
    )
# --8<-- [end:ways]


# --8<-- [start:demo]
torch.manual_seed(0)
cos, sin = rope_table(LENGTH, DIM)
q, k = torch.randn(2, 1, 1, 1, DIM).to(DEVICE)
q, k = (x.expand(1, LENGTH, 1, DIM).contiguous() for x in (q, k))
turned = {}
for way in (halves, neighbours):
    a, b = way(q, cos, sin)[0, :, 0], way(k, cos, sin)[0, :, 0]
    turned[way.__name__] = a
    kept = torch.allclose(a.norm(dim=1), q[0, :, 0].norm(dim=1))
    print(f"{way.__name__}, lengths kept: {kept}")
    scores = (a[3:] * b[:-3]).sum(1)  # always three places apart
    same = torch.allclose(scores, scores[:1], atol=1e-4)
    print(f"{way.__name__}, same score at the same distance: {same}")
same = torch.allclose(*turned.values(), atol=1e-2)
print("the same numbers:", same)
# --8<-- [end:demo]
