"""17.3: the mean of both neighbours, in place, and in two colours."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "Programs race in place: two runs print different things."
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 128


# --8<-- [start:kernel]
@triton.jit
def smooth_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0]; may be x_ptr if STEP is 2
    n,  # elements of x and out
    first,  # the first element that changes, at least 1
    STEP: tl.constexpr,  # from one element that changes to the next
    BLOCK: tl.constexpr,  # elements that this program changes
):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    i = first + i * STEP
    mask = i < n - 1
    left = tl.load(x_ptr + i - 1, mask=mask, other=0.0)
    right = tl.load(x_ptr + i + 1, mask=mask, other=0.0)
    tl.store(out_ptr + i, (left + right) * 0.5, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_floats(x: torch.Tensor) -> None:
    if x.dtype != torch.float32 or x.dim() != 1:
        raise TypeError(
            f"need a float32 vector, got {x.dtype}, {tuple(x.shape)}"
        )
    if x.device.type != DEVICE or not x.is_contiguous():
        raise ValueError(
            f"need x contiguous on {DEVICE}, got {x.device}, "
            f"strides {x.stride()}"
        )
    if x.numel() > 2**30:
        raise ValueError(f"need n <= {2**30}, got {x.numel()}")


def smooth(x, out, first=1, step=1, block=BLOCK):
    check_floats(x)
    check_floats(out)
    if out.numel() != x.numel() or first < 1 or step < 1:
        raise ValueError(
            f"{x.numel()} elements into {out.numel()}, "
            f"first {first}, step {step}"
        )
    change = triton.cdiv(max(x.numel() - 1 - first, 0), step)
    if change > 0:
        smooth_kernel[(triton.cdiv(change, block),)](
            x, out, x.numel(), first, STEP=step, BLOCK=block
        )


def smooth_colours(x):
    """Odd elements from even ones, then even ones from odd ones."""
    smooth(x, x, first=1, step=2)
    smooth(x, x, first=2, step=2)
# --8<-- [end:wrapper]


def colours_by_torch(x):
    x = x.clone()
    x[1:-1:2] = (x[:-2:2] + x[2::2]) * 0.5
    x[2:-1:2] = (x[1:-2:2] + x[3::2]) * 0.5
    return x


if __name__ == "__main__":
    # --8<-- [start:trap]
    torch.manual_seed(0)
    n = 2**20 if DEVICE == "cuda" else 2**11
    x = torch.rand(n, device=DEVICE)
    right = x.clone()
    right[1:-1] = (x[:-2] + x[2:]) * 0.5
    y = x.clone()
    smooth(x, y)  # into another tensor
    print(f"into another tensor, right: {torch.equal(y, right)}")
    y = x.clone()
    smooth(y, y)  # in place
    print(f"in place, right: {torch.equal(y, right)}")
    y = x.clone()
    smooth_colours(y)
    same = torch.equal(y, colours_by_torch(x))
    print(f"in place, in two colours, right: {same}")
    # --8<-- [end:trap]
