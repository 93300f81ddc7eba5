"""3.4: a transpose in rows, in tiles, by torch, and a plain copy."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.3 }
# "* GB/s" = { kind = "measured", within = 0.3 }
# "* rate over copy" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton.testing

from ch03_layout.transpose import naive_transpose, tiled_transpose

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
def compare(rows, columns):
    print(f"== {rows} x {columns} ==")
    x = torch.randn(rows, columns, device=DEVICE)
    room = torch.empty_like(x)
    cases = [
        ("copy", lambda: room.copy_(x)),
        ("naive", lambda: naive_transpose(x)),
        ("tile 16", lambda: tiled_transpose(x, 16)),
        ("tile 32", lambda: tiled_transpose(x, 32)),
        ("tile 64", lambda: tiled_transpose(x, 64)),
        ("tile 128", lambda: tiled_transpose(x, 128)),
        ("torch", lambda: x.T.contiguous()),
    ]
    for name, fn in cases:
        ms = median_ms(fn)
        rate = 2 * x.numel() * x.element_size() / ms / 1e6
        if name == "copy":
            ceiling = rate
        else:
            print(f"{name} right: {torch.equal(fn(), x.T)}")
        print(f"{name} ms: {ms:.3f}")
        print(f"{name} GB/s: {rate:.0f}")
        print(f"{name} rate over copy: {rate / ceiling:.2f}")


compare(16384, 16384)
compare(16381, 16387)
# --8<-- [end:time]
