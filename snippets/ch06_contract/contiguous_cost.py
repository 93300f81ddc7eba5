"""6.5.4: what .contiguous() costs, against the strides and against a
plain copy."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# "* over strides" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton.testing

from ch06_contract.silu import launch_silu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 16384


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(N, N, device=DEVICE)
wide = torch.randn(N, 2 * N, device=DEVICE)
out = torch.empty(N, N, device=DEVICE)
columns = torch.empty(N, N, device=DEVICE).T  # column after column
print(f"bytes of x: {x.numel() * x.element_size()}")
copy = median_ms(lambda: out.copy_(x))
print(f"plain copy ms: {copy:.3f}")


def report(name, fn, compare=None):
    ms = median_ms(fn)
    print(f"{name} ms: {ms:.3f}")
    print(f"{name} over copy: {ms / copy:.2f}")
    if compare:
        print(f"{name} over strides: {ms / compare:.2f}")
    return ms


# --8<-- [start:time]
def flat(view):
    """Copy first, then the kernel over contiguous memory."""
    launch_silu(view.contiguous().view(1, -1), out.view(1, -1))


report("contiguous, flat", lambda: flat(x))
report("contiguous, strides", lambda: launch_silu(x, out))
for name, view in [
    ("transposed", x.T),
    ("every second column", wide[:, ::2]),
    ("left half", wide[:, :N]),
    ("a row, expanded", x[:1].expand(N, N)),
]:
    strides = report(
        f"{name}, strides", lambda: launch_silu(view, out)
    )
    report(f"{name}, contiguous() alone", view.contiguous)
    both = f"{name}, contiguous() and flat"
    report(both, lambda: flat(view), strides)
report("transposed, out too", lambda: launch_silu(x.T, columns))
silu = torch.nn.functional.silu
report("torch, contiguous", lambda: silu(x))
report("torch, transposed", lambda: silu(x.T))
# --8<-- [end:time]

# --8<-- [start:memory]
torch.cuda.reset_peak_memory_stats()
before = torch.cuda.memory_allocated()
launch_silu(x.T, out)
extra = torch.cuda.max_memory_allocated() - before
print(f"strides, bytes more at the peak: {extra}")
flat(x.T)
extra = torch.cuda.max_memory_allocated() - before
print(f"contiguous(), bytes more at the peak: {extra}")
# --8<-- [end:memory]
launch_silu(x.T, out)
right = torch.allclose(out, silu(x.T), atol=1e-6)
print(f"transposed, strides right: {right}")
launch_silu(x.T, columns)
print(f"transposed, out too right: {torch.equal(columns, out)}")
