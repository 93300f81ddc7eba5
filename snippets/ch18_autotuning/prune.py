"""18.4: configs dropped before any launch, by what the compiler says
of them, and a model that ranks the rest."""

# /// capture
# runners = ["compiler"]
# no_gpu = "It reads what is compiled, and launches nothing."
# timeout = 200
# ///

import math

import torch
import triton

from ch11_hardware.warps import resources
from ch13_matmul.grouped import grouped_kernel
from ch18_autotuning.matmul_space import MATMUL_SPACE

SHARED = 232_448  # bytes of shared memory for a program, H200
PROCESSORS = 132


# --8<-- [start:facts]
def facts_of(config, named_args):
    """Bytes of shared memory, registers, bytes of spills; compiled
    for these arguments, not launched."""
    compiled = grouped_kernel.warmup(
        **named_args, grid=(1,), **config.all_kwargs()
    )
    registers, spilled = map(int, resources(compiled))
    return compiled.metadata.shared, registers, spilled


def drop_by_facts(configs, named_args, **launch):
    """Those that fit, and that keep their sums in registers."""
    kept = []
    for config in configs:
        shared, _, spilled = facts_of(config, named_args)
        if shared <= SHARED and spilled == 0:
            kept.append(config)
    return kept
# --8<-- [end:facts]


# --8<-- [start:model]
def estimated_cycles(
    M, N, K, BLOCK_M, BLOCK_N, BLOCK_K, num_warps, num_stages, **rest
):
    """Waves of programs, steps of each, cycles of a step: whichever
    takes longer, multiplying it or fetching it from L2."""
    tiles = triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N)
    waves = math.ceil(tiles / PROCESSORS)
    multiply = 2 * BLOCK_M * BLOCK_N * BLOCK_K / 4096
    fetch = 2 * (BLOCK_M + BLOCK_N) * BLOCK_K / 64
    steps = math.ceil(K / BLOCK_K)
    return waves * (steps + num_stages) * max(multiply, fetch)
# --8<-- [end:model]


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.empty(4096, 4096, dtype=torch.bfloat16)
    values = (x, x, x, 4096, 4096, 4096, 4096, 1, 4096, 1)
    named_args = dict(zip(grouped_kernel.arg_names, values))
    for config in MATMUL_SPACE:
        tile = "x".join(
            str(config.kwargs[f"BLOCK_{axis}"]) for axis in "MNK"
        )
        shared, registers, spilled = facts_of(config, named_args)
        m, n, k, _ = config.kwargs.values()
        by_hand = config.num_stages * 2 * k * (m + n)
        fits = shared <= SHARED and spilled == 0
        again = grouped_kernel.warmup(  # compiled already
            **named_args, grid=(1,), **config.all_kwargs()
        )
        wide = "wgmma.mma_async" in again.asm["ptx"]
        print(
            f"{tile} warps {config.num_warps} "
            f"stages {config.num_stages}: shared {shared}, "
            f"by hand {by_hand}, registers {registers}, "
            f"spilled {spilled}, wgmma {wide}, keep {fits}"
        )
    # --8<-- [end:demo]
