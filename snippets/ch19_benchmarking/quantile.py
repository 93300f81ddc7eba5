"""19.2.1: which number of many samples, and in which order."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
from triton.testing import _summarize_statistics

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:quantile]
def quantile(samples, share):
    """The sample below which that share lies, between neighbours
    in proportion."""
    samples = sorted(samples)
    place = share * (len(samples) - 1)
    low = int(place)
    high = min(low + 1, len(samples) - 1)
    part = place - low
    return (1 - part) * samples[low] + part * samples[high]
# --8<-- [end:quantile]


if __name__ == "__main__":
    print("== 19.2.1 six samples ==")
    # --8<-- [start:demo]
    samples = [3.0, 1.0, 2.0, 105.0, 4.0, 5.0]  # one interrupted

    def triton_says(quantiles=None, return_mode="mean"):
        return _summarize_statistics(samples, quantiles, return_mode)

    print(f"nothing asked: {triton_says()}")
    print(f"return_mode median: {triton_says(None, 'median')}")
    print(f"0.5, 0.2, 0.8: {triton_says([0.5, 0.2, 0.8])}")
    print(f"0.2, 0.5, 0.8: {triton_says([0.2, 0.5, 0.8])}")
    print(f"0.5 alone: {triton_says([0.5])}")
    both = triton_says([0.5, 0.2], "max")
    print(f"0.5, 0.2 and return_mode max: {both}")
    ours = [quantile(samples, share) for share in (0.5, 0.2, 0.8)]
    same = ours == triton_says([0.5, 0.2, 0.8])
    print(f"ours, 0.5, 0.2, 0.8: {ours}")
    print(f"the same: {same}")
    # --8<-- [end:demo]
