"""10.2.2 on a GPU: order between two streams, and a tensor that dies
before its kernel ran."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**20
LONG = 200_000_000  # cycles: about a tenth of a second

side = torch.cuda.Stream()
ones = torch.ones(N, device=DEVICE)
torch.cuda.synchronize()
for stream in (torch.cuda.current_stream(), side):
    with torch.cuda.stream(stream):
        fused_fma_relu(ones, 1.0, 0.0)  # compiles, and gets memory
torch.cuda.synchronize()


# --8<-- [start:order]
def read_on_side(wait):
    """x is filled on one stream and read on another."""
    x = torch.zeros(N, device=DEVICE)
    torch.cuda.synchronize()
    torch.cuda._sleep(LONG)  # anything that takes time
    x.fill_(1.0)
    if wait:
        side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        out = fused_fma_relu(x, 1.0, 0.0)
    torch.cuda.synchronize()
    return out[0].item(), out[-1].item()


print("== filled on one stream, read on another ==")
print(f"without waiting: {read_on_side(wait=False)}")
print(f"with wait_stream: {read_on_side(wait=True)}")
# --8<-- [end:order]


# --8<-- [start:record]
def outlived(stream, record):
    """x dies while its reader still waits in stream."""
    x = torch.ones(N, device=DEVICE)
    address = x.data_ptr()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(LONG)
        out = fused_fma_relu(x, 1.0, 0.0)
    if record:
        x.record_stream(stream)
    del x  # the reader has not begun
    fresh = torch.full((N,), 7.0, device=DEVICE)
    reused = fresh.data_ptr() == address
    torch.cuda.synchronize()
    return reused, out[0].item()


for name, stream, record in [
    ("the same stream", torch.cuda.current_stream(), False),
    ("another stream", side, False),
    ("another stream, record_stream", side, True),
]:
    reused, read = outlived(stream, record)
    print(f"== {name} ==")
    print(f"fresh got the bytes of x: {reused}")
    print(f"the reader of x saw: {read}")
# --8<-- [end:record]
