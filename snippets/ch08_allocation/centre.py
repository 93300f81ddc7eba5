"""8.1.1: a block is as large as its row. Where does it live?"""

# /// capture
# ptx = ["centre_kernel(BLOCK=1024)"]
# ///
import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def centre_kernel(
    x_ptr,  # address of x[0, 0], float32, contiguous
    out_ptr,  # address of out[0, 0], the same
    cols,  # elements of a row
    BLOCK: tl.constexpr,  # at least cols, a power of two
):
    row = tl.program_id(0).to(tl.int64) * cols
    col = tl.arange(0, BLOCK)
    mask = col < cols
    x = tl.load(x_ptr + row + col, mask=mask, other=0.0)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    acc += x
    mean = tl.sum(acc, axis=0) / cols
    tl.store(out_ptr + row + col, x - mean, mask=mask)
# --8<-- [end:kernel]


def centre(x: torch.Tensor, num_warps: int = 4) -> torch.Tensor:
    """Each row of a float32 matrix, less its mean."""
    if x.dim() != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be a contiguous matrix: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    rows, cols = x.shape
    if cols > 2**20:
        raise ValueError(f"{cols} columns, at most {2**20} in a block")
    out = torch.empty_like(x)
    if x.numel() > 0:
        centre_kernel[(rows,)](
            x, out, cols,
            BLOCK=triton.next_power_of_2(cols), num_warps=num_warps,
        )  # fmt: skip
    return out


if __name__ == "__main__":
    print("== 8.1.1 a row in a block ==")
    # --8<-- [start:demo]
    for cols in (1024, 8192, 16384, 32768):
        x = torch.arange(2.0 * cols, device=DEVICE).reshape(2, cols)
        out = centre(x / cols)
        middle = 0.5 - 0.5 / cols  # the mean of 0, 1/cols, …
        right = torch.allclose(out[0], x[0] / cols - middle)
        print(f"{cols} columns, right: {right}")
    # --8<-- [end:demo]
