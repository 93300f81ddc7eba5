"""14.5 on a GPU: argmax, logsumexp, Welford and two scans."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# "* over torch" = { kind = "measured", within = 0.3 }
# [speed."argmax of rows, 16384 x 8192 bf16"]
# library = "torch.argmax"
# over_library = "[argmax over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[argmax over copy]"
# [speed."logsumexp of rows, 16384 x 8192 bf16"]
# library = "torch.logsumexp"
# over_library = "[logsumexp over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[logsumexp over copy]"
# [speed."mean and variance of rows, 16384 x 8192 bf16"]
# library = "torch.var_mean"
# over_library = "[Welford over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[Welford over copy]"
# [speed."prefix sums of rows, 16384 x 8192 bf16"]
# library = "torch.cumsum"
# over_library = "[prefix sums of rows over torch]"
# ceiling = "a copy"
# of_ceiling = "[prefix sums of rows over copy]"
# [speed."prefix sums of a tensor, 2**27 bf16"]
# library = "torch.cumsum"
# over_library = "[prefix sums of all over torch]"
# ceiling = "a copy"
# of_ceiling = "[prefix sums of all over copy]"
# ///

import torch
import triton.testing

from ch14_reductions.argmax_rows import argmax_rows
from ch14_reductions.cumsum_rows import cumsum_rows
from ch14_reductions.logsumexp_rows import logsumexp_rows
from ch14_reductions.scan_all import scan_all
from ch14_reductions.welford_rows import welford_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 16384, 8192


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device=DEVICE).to(torch.bfloat16)
out = torch.empty_like(x)
size = x.numel() * x.element_size()
ms = median_ms(lambda: out.copy_(x))
ceiling = 2 * size / ms / 1e6
print(f"copy ms: {ms:.4f}")
print(f"copy GB/s: {ceiling:.0f}")
flat = x.view(-1)
cases = {  # ours, torch's, how often the bytes of x must move
    "argmax": (lambda: argmax_rows(x), lambda: x.argmax(1), 1),
    "logsumexp": (lambda: logsumexp_rows(x),
                  lambda: x.logsumexp(1), 1),
    "Welford": (lambda: welford_rows(x)[1],
                lambda: torch.var_mean(x, 1, correction=0)[0], 1),
    "prefix sums of rows": (lambda: cumsum_rows(x),
                            lambda: x.cumsum(1), 2),
    "prefix sums of all": (lambda: scan_all(flat),
                           lambda: flat.cumsum(0), 2),
}
for name, (ours, theirs, times) in cases.items():
    ms = median_ms(ours)
    print(f"{name} ms: {ms:.4f}")
    rate = times * size / ms / 1e6
    print(f"{name} over copy: {rate / ceiling:.3f}")
    torch_ms = median_ms(theirs)
    print(f"{name}, torch ms: {torch_ms:.4f}")
    print(f"{name} over torch: {torch_ms / ms:.2f}")
same = torch.equal(argmax_rows(x), x.argmax(1))
print(f"argmax equals torch: {same}")
# --8<-- [end:time]
