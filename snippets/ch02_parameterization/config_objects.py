"""Worked example 2.2.1: triton.Config is an ordinary object that
stores what it is given."""

import triton

# --8<-- [start:configs]
CONFIGS = [
    triton.Config({"BLOCK": 64}, num_warps=2),
    triton.Config({"BLOCK": 128}, num_warps=4),
    triton.Config({"BLOCK": 256}, num_warps=8),
]
# --8<-- [end:configs]

if __name__ == "__main__":
    print("== 2.2.1 three configs ==")
    # --8<-- [start:demo]
    for i, config in enumerate(CONFIGS):
        print(f"config {i} kwargs:", config.kwargs)
        print(f"config {i} num_warps:", config.num_warps)
        print(f"config {i} num_stages:", config.num_stages)

    same = triton.Config({"BLOCK": 64}, num_warps=2)
    print("equal by value:", same == CONFIGS[0])
    print("one object:", same is CONFIGS[0])
    print("what a launch gets:", CONFIGS[0].all_kwargs())
    # --8<-- [end:demo]

    print("== nothing is checked ==")
    # --8<-- [start:unchecked]
    odd = triton.Config({"BLOKC": "sixty-four"}, num_warps=-3)
    print("accepted kwargs:", odd.kwargs)
    print("accepted num_warps:", odd.num_warps)
    odd.kwargs["BLOCK"] = None
    print("changed afterwards:", odd.kwargs)
    # --8<-- [end:unchecked]
