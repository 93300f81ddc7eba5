"""8.2: PyTorch's own poison: what `empty` holds in deterministic
mode."""

import contextlib

import torch

from ch08_allocation.lower import lower

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:helper]
@contextlib.contextmanager
def poisoned_empty():
    """In here, torch.empty and its relatives return poison."""
    on = torch.are_deterministic_algorithms_enabled()
    warn = torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(on, warn_only=warn)
# --8<-- [end:helper]


if __name__ == "__main__":
    print("== what empty holds in there ==")
    # --8<-- [start:demo]
    dtypes = (torch.float32, torch.bfloat16, torch.int32, torch.bool)
    x = torch.arange(1.0, 26.0, device=DEVICE).reshape(5, 5)
    with poisoned_empty():
        for dtype in dtypes:
            fresh = torch.empty(1, dtype=dtype, device=DEVICE)
            print(f"{dtype}: {fresh.item()}")
        out = lower(x, tile=2)  # the wrapper as it is
    print(f"NaN in the lower triangle: {out.isnan().sum().item()}")
    # --8<-- [end:demo]
