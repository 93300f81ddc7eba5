"""8.3.2: do two tensors share bytes? A check by addresses."""

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:check]
def span(t: torch.Tensor) -> range:
    """The bytes from t's first to its last element."""
    if t.numel() == 0:
        return range(0)
    last = 0
    for size, stride in zip(t.shape, t.stride()):
        last += (size - 1) * stride
    begin = t.data_ptr()
    return range(begin, begin + (last + 1) * t.element_size())


def spans_meet(a: torch.Tensor, b: torch.Tensor) -> bool:
    """False: no byte in common. True: perhaps one."""
    a, b = span(a), span(b)
    return max(a.start, b.start) < min(a.stop, b.stop)


def same_elements(a: torch.Tensor, b: torch.Tensor) -> bool:
    """Is element i of a element i of b, for every i?"""
    return (
        a.data_ptr() == b.data_ptr()
        and a.dtype == b.dtype
        and a.shape == b.shape
        and a.stride() == b.stride()
    )


def check_output(x: torch.Tensor, out: torch.Tensor) -> None:
    """For element-wise kernels: out is x, or shares nothing."""
    if spans_meet(x, out) and not same_elements(x, out):
        apart = (out.data_ptr() - x.data_ptr()) // x.element_size()
        raise ValueError(
            f"out overlaps x: begins {apart} elements behind it, "
            f"x has {x.numel()} elements"
        )
# --8<-- [end:check]


# --8<-- [start:exact]
def addresses(t: torch.Tensor) -> set:
    """The address of every element. For tests: slow, but exact."""
    found = {t.data_ptr()} if t.numel() else set()
    for size, stride in zip(t.shape, t.stride()):
        step = stride * t.element_size()
        found = {a + i * step for a in found for i in range(size)}
    return found
# --8<-- [end:exact]


if __name__ == "__main__":
    print("== 8.3.2 who shares bytes with whom ==")
    # --8<-- [start:demo]
    x = torch.arange(12.0, device=DEVICE)
    m = x.reshape(3, 4)
    pairs = {
        "x, x": (x, x),
        "x, a clone": (x, x.clone()),
        "two halves": (x[:6], x[6:]),
        "shifted by one": (x[:-1], x[1:]),
        "even and odd": (x[::2], x[1::2]),
        "two columns": (m[:, 0], m[:, 1]),
        "a matrix, its transpose": (m[:, :3], m[:, :3].T),
    }
    for name, (a, b) in pairs.items():
        print(f"{name}, spans meet: {spans_meet(a, b)}")
        shared = len(addresses(a) & addresses(b))
        print(f"{name}, elements shared: {shared}")
        try:
            check_output(a, b)
            print(f"{name}, check: passes")
        except ValueError as error:
            print(f"{name}, check: {error}")
    # --8<-- [end:demo]
