"""1.5, on a GPU: what torch's allocator does with bytes that lost
their last owner."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch01_model.arena import count_up

N = 2**20  # floats: four mebibytes


# --8<-- [start:demo]
def show(title):
    print(f"{title}, allocated: {torch.cuda.memory_allocated()}")
    print(f"{title}, reserved: {torch.cuda.memory_reserved()}")


def reuse():
    show("at the start")
    x = torch.empty(N, device="cuda")
    count_up(x, 100.0, block=1024)
    address = x.data_ptr()
    show("with x")
    del x
    show("after del x")
    fresh = torch.empty(N, device="cuda")
    print("fresh at x's address:", fresh.data_ptr() == address)
    print("fresh, never written:", fresh[:4].tolist())
    count_up(fresh, 0.0, block=1024)
    print("fresh, written:", fresh[:4].tolist())
    part = fresh[:2]
    del fresh
    show("with two elements of fresh")
    part = part.clone()
    show("with a clone of the two")


reuse()
show("after the function")
torch.cuda.empty_cache()
show("after empty_cache")
# --8<-- [end:demo]
