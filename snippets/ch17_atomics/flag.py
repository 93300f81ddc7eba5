"""17.4.3: a program that waits for one that comes after it."""

# /// capture
# differs = """
# The interpreter starts program 1 when program 0 has ended, so what 0
# waits for cannot happen; on a GPU both are there."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PATIENCE = 1_000_000 if DEVICE == "cuda" else 1000


# --8<-- [start:kernel]
@triton.jit
def wait_kernel(
    flag_ptr,  # address of one int32, 0 before
    seen_ptr,  # address of one int32: what program 0 saw at last
    patience,  # how often program 0 looks
):
    if tl.program_id(0) == 0:
        seen = tl.atomic_add(flag_ptr, 0, sem="acquire")
        looks = 1
        while (seen == 0) & (looks < patience):
            seen = tl.atomic_add(flag_ptr, 0, sem="acquire")
            looks += 1
        tl.store(seen_ptr, seen)
    else:
        tl.atomic_xchg(flag_ptr, 1, sem="release")
# --8<-- [end:kernel]


if __name__ == "__main__":
    print("== 17.4.3 program 0 waits for program 1 ==")
    # --8<-- [start:demo]
    flag = torch.zeros(1, dtype=torch.int32, device=DEVICE)
    seen = torch.full((1,), -1, dtype=torch.int32, device=DEVICE)
    wait_kernel[(2,)](flag, seen, PATIENCE)
    print(f"program 0 saw the flag: {seen.item() == 1}")
    print(f"the flag after the launch: {flag.item()}")
    # --8<-- [end:demo]
