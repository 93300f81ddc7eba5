"""1.1: one source, and USE_RELU decides while it is compiled whether
the clamp is in the kernel."""

# /// capture
# differs = """
# A compiled launch returns the kernel that it used; an
# interpreted one has no kernel to return."""
# ptx = [
#     "_relu_toggle_kernel(USE_RELU=True, BLOCK=128)",
#     "_relu_toggle_kernel(USE_RELU=False, BLOCK=128)",
# ]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 128


# --8<-- [start:kernel]
@triton.jit
def _relu_toggle_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n float32
    n,  # how many elements there are
    USE_RELU: tl.constexpr,  # whether negative numbers become 0
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    if USE_RELU:
        x = tl.maximum(x, 0.0)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_floats(x: torch.Tensor) -> None:
    """Raise unless the kernels of this chapter can read x."""
    if x.dtype != torch.float32:
        raise TypeError(f"need torch.float32, got {x.dtype}")
    if x.device.type != DEVICE:
        raise ValueError(f"need device {DEVICE}, got {x.device}")
    if not x.is_contiguous():
        raise ValueError(
            f"need a contiguous tensor, got shape {tuple(x.shape)} "
            f"with strides {x.stride()}"
        )
    if x.numel() > 2**30:  # offsets are 32-bit integers
        raise ValueError(f"need n <= {2**30}, got {x.numel()}")


def relu_toggle(x: torch.Tensor, use_relu: bool, block: int = BLOCK):
    """The result, and what the launch returned."""
    check_floats(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out, None
    grid = (triton.cdiv(n, block),)
    kernel = _relu_toggle_kernel[grid](
        x, out, n, USE_RELU=use_relu, BLOCK=block
    )
    return out, kernel
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 1.1.1 one source, two kernels ==")
    # --8<-- [start:demo]
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    used = []
    for launch, use_relu in enumerate([True, False, True], start=1):
        out, kernel = relu_toggle(x, use_relu)
        used.append(kernel)
        ptx = kernel.asm["ptx"] if kernel else None
        clamps = ptx.count("max.f32") if ptx else "no PTX"
        print(f"launch {launch} USE_RELU: {use_relu}")
        print(f"launch {launch} out: {out.tolist()}")
        print(f"launch {launch} max.f32 in the PTX: {clamps}")
    if used[0] is None:
        print("kernels compiled: none, interpreted")
    else:
        print("kernels compiled:", len({id(k) for k in used}))
        print("launch 3 reused launch 1's:", used[2] is used[0])
    # --8<-- [end:demo]
