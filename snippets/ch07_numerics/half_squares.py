"""7.2: a root mean square in float16, and in float32."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def rms_norm_kernel(
    x_ptr,  # address of the input, rows of float16
    out_ptr,  # address of the output, like the input
    cols,  # how many elements a row has, at most BLOCK
    eps,  # added to the mean of the squares, a float
    WIDEN: tl.constexpr,  # whether to compute in float32
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    mask = lanes < cols
    x = tl.load(x_ptr + row * cols + lanes, mask=mask, other=0.0)
    if WIDEN:
        x = x.to(tl.float32)
    mean = tl.sum(x * x, axis=0).to(tl.float32) / cols
    y = x.to(tl.float32) / tl.sqrt(mean + eps)
    tl.store(out_ptr + row * cols + lanes, y, mask=mask)
# --8<-- [end:kernel]


def rms_norm(x, eps=1e-6, widen=True):
    """Each row of x over its root mean square."""
    if x.dtype != torch.float16:
        raise TypeError(f"x is {x.dtype}, wanted torch.float16")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be 2-D and contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    rows, cols = x.shape
    out = torch.empty_like(x)
    if x.numel() == 0:
        return out
    block = triton.next_power_of_2(cols)
    rms_norm_kernel[(rows,)](
        x, out, cols, eps, WIDEN=widen, BLOCK=block
    )
    return out


if __name__ == "__main__":
    # --8<-- [start:demo]
    pattern = torch.tensor([1.0, -1.0, 2.0, -2.0], device=DEVICE)
    for size in (1.0, 300.0, 0.0001):
        x = (size * pattern).half().reshape(1, 4)
        for widen in (False, True):
            out = rms_norm(x, 1e-12, widen).flatten().tolist()
            squares = "float32" if widen else "float16"
            shown = ", ".join(f"{v:.3f}" for v in out)
            print(f"size {size}, squares in {squares}: {shown}")
    # --8<-- [end:demo]
