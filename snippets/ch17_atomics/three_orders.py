"""17.2.1: three floats in six orders."""

from itertools import permutations

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

if __name__ == "__main__":
    print("== 17.2.1 three floats in six orders ==")
    # --8<-- [start:demo]
    terms = torch.tensor([2.0**24, 1.0, 1.0], device=DEVICE)
    for i, j, k in permutations(range(3)):
        total = (terms[i] + terms[j]) + terms[k]
        order = [int(terms[t]) for t in (i, j, k)]
        print(f"terms {i} {j} {k}: {order} add up to {int(total)}")
    # --8<-- [end:demo]
