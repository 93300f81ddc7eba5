"""20.6.2: a text to learn from, made on the spot: sums of two numbers
below 10, as bytes."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It launches nothing."
# ///

import math

import torch

BELOW = 10  # both numbers of a line are below it


# --8<-- [start:text]
def sums_text(lines, seed):
    """Lines such as 7+8=15, one after the other, as bytes."""
    generator = torch.Generator().manual_seed(seed)
    pairs = torch.randint(BELOW, (lines, 2), generator=generator)
    text = "".join(f"{a}+{b}={a + b}\n" for a, b in pairs.tolist())
    return torch.tensor(list(text.encode()), dtype=torch.int64)


def batches(text, batch, length, seed):
    """Without end: places of the text, as tokens and what follows."""
    generator = torch.Generator().manual_seed(seed)
    inside = torch.arange(length + 1, device=text.device)
    while True:
        first = torch.randint(
            len(text) - length, (batch, 1), generator=generator
        )
        tokens = text[first.to(text.device) + inside]
        yield tokens[:, :-1], tokens[:, 1:]


def unknowable():
    """Nats a byte that no reader can foresee: the two numbers are
    free, all else follows."""
    sizes = [
        len(f"{a}+{b}={a + b}\n")
        for a in range(BELOW)
        for b in range(BELOW)
    ]
    return 2 * math.log(BELOW) * len(sizes) / sum(sizes)
# --8<-- [end:text]


if __name__ == "__main__":
    print("== 20.6.2 a text ==")
    # --8<-- [start:demo]
    text = sums_text(1000, seed=0)
    start = bytes(text[:40].tolist()).decode()
    print("text begins:", start.split("\n")[:5])
    print("bytes of 1000 lines:", len(text))
    print(f"nats a byte, all bytes alike: {math.log(256):.3f}")
    print(f"nats a byte that cannot be known: {unknowable():.3f}")
    # --8<-- [end:demo]
