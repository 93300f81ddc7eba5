"""3.2: records and columns, timed; and what a conversion costs."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* rate over copy" = { kind = "measured", within = 0.25 }
# "*, records over columns" = { kind = "measured", within = 0.25 }
# "repair over none" = { kind = "measured", within = 0.25 }
# "uses until a conversion pays" = { kind = "measured", within = 0.35 }
# ///

import torch
import triton.testing

from ch03_layout.records import energy, energy_of_records, one_field

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**26  # particles of four float32: a gibibyte


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


records = torch.randn(N, 4, device=DEVICE)
columns = records.T.contiguous().T
room = torch.empty_like(records)
print(f"bytes of the particles: {16 * N}")


# --8<-- [start:time]
def repaired():
    return one_field(records.T.contiguous().T, 0)


# name, what to run, bytes per particle that the task needs
cases = [
    ("copy", lambda: room.copy_(records), 32),
    ("field, records", lambda: one_field(records, 0), 8),
    ("field, columns", lambda: one_field(columns, 0), 8),
    ("energy, records", lambda: energy(records), 20),
    ("energy, columns", lambda: energy(columns), 20),
    ("energy, whole records", lambda: energy_of_records(records), 20),
    ("convert", lambda: records.T.contiguous(), 32),
    ("convert, then field", repaired, 8),
]
ms = {}
for name, fn, size in cases:
    ms[name] = median_ms(fn)
    rate = size * N / ms[name] / 1e6
    if name == "copy":
        ceiling = rate
    print(f"{name} ms: {ms[name]:.3f}")
    print(f"{name} used GB/s: {rate:.0f}")
    print(f"{name} rate over copy: {rate / ceiling:.2f}")
# --8<-- [end:time]
for task in ("field", "energy"):
    ratio = ms[f"{task}, records"] / ms[f"{task}, columns"]
    print(f"{task}, records over columns: {ratio:.2f}")
direct = ms["field, records"]
print(f"repair over none: {ms['convert, then field'] / direct:.2f}")
saved = direct - ms["field, columns"]
print(f"uses until a conversion pays: {ms['convert'] / saved:.1f}")

field = torch.equal(one_field(records, 0), one_field(columns, 0))
print(f"same field: {field}")
truth = 0.5 * records[:, 3] * (records[:, :3] ** 2).sum(dim=1)
for name, found in (
    ("records", energy(records)),
    ("columns", energy(columns)),
    ("whole records", energy_of_records(records)),
):
    close = torch.allclose(found, truth, rtol=1e-5, atol=1e-6)
    print(f"energies from {name}, close to torch: {close}")
