"""6.1.1: six tensors over one piece of memory, and what a kernel
that gets only their address reads."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def flat_scale_kernel(
    x_ptr,  # address of the first element of x
    out_ptr,  # address of the first element of out, contiguous
    factor,  # a float
    n,  # how many elements to take, one behind the other
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * factor, mask=mask)


def flat_scale(x, factor, block=BLOCK):
    """factor * x for a contiguous x. Nobody checks that it is."""
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    flat_scale_kernel[grid](x, out, float(factor), n, BLOCK=block)
    return out
# --8<-- [end:kernel]


if __name__ == "__main__":
    print("== 6.1.1 one address, six tensors ==")
    # --8<-- [start:demo]
    x = torch.arange(6.0, device=DEVICE).reshape(2, 3)
    tensors = {
        "x itself": x,
        "transposed": x.T,
        "two columns": x[:, :2],
        "first row, expanded": x[:1].expand(2, 3),
        "from column 1": x[:, 1:],
        "as float16": x.view(torch.float16),
    }
    for name, t in tensors.items():
        moved = t.data_ptr() - x.data_ptr()
        read = flat_scale(t, 1.0)
        print(f"{name} shape: {tuple(t.shape)}")
        print(f"{name} strides: {t.stride()}")
        print(f"{name} bytes from x: {moved}")
        print(f"{name} torch reads: {t.flatten().tolist()}")
        print(f"{name} the kernel reads: {read.flatten().tolist()}")
        print(f"{name} equal: {torch.equal(read, t)}")
    # --8<-- [end:demo]
