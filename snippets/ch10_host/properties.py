"""10.4 on a GPU: what the device says of itself, and how many programs
it really keeps at once."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# ///

import ctypes

import torch
import triton

from ch10_host.occupancy import residents
from ch11_hardware.matmul import matmul
from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:ask]
device = torch.cuda.current_device()
by_torch = torch.cuda.get_device_properties(device)
utils = triton.runtime.driver.active.utils
by_triton = utils.get_device_properties(device)

print("== by torch ==")
for name in (
    "multi_processor_count",
    "warp_size",
    "max_threads_per_multi_processor",
    "regs_per_multiprocessor",
    "shared_memory_per_block",
    "shared_memory_per_block_optin",
    "shared_memory_per_multiprocessor",
    "L2_cache_size",
):
    print(f"{name}: {getattr(by_torch, name, 'not given')}")
print("== by triton ==")
for name in (
    "multiprocessor_count",
    "warpSize",
    "max_shared_mem",
    "max_num_regs",
):
    print(f"{name}: {by_triton[name]}")
# --8<-- [end:ask]


# --8<-- [start:compare]
cuda = ctypes.CDLL("libcuda.so.1")


def by_driver(kernel):
    """Programs of this kernel that one multiprocessor keeps."""
    count = ctypes.c_int()
    status = cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(
        ctypes.byref(count),
        ctypes.c_void_p(kernel.function),
        ctypes.c_int(32 * kernel.metadata.num_warps),
        ctypes.c_size_t(kernel.metadata.shared),
    )
    assert status == 0, status
    return count.value


def elementwise(block, warps):
    x = torch.ones(2**20, device=DEVICE)
    out = torch.empty_like(x)
    grid = (triton.cdiv(2**20, block),)
    return fma_relu_kernel[grid](
        x, out, 2.0, 1.0, 2**20, BLOCK=block, num_warps=warps
    )


def tiles(tile, warps, stages):
    a = torch.ones(256, 256, device=DEVICE, dtype=torch.float16)
    options = {"num_warps": warps, "num_stages": stages}
    return matmul(a, a, tile, **options)[1]


for name, kernel in {
    "fma_relu, BLOCK 1024, 4 warps": elementwise(1024, 4),
    "fma_relu, BLOCK 1024, 1 warp": elementwise(1024, 1),
    "fma_relu, BLOCK 8192, 4 warps": elementwise(8192, 4),
    "matmul 64 x 64, 4 warps": tiles((64, 64, 32), 4, 3),
    "matmul 128 x 128, 4 warps": tiles((128, 128, 64), 4, 3),
    "matmul 128 x 256, 8 warps": tiles((128, 256, 64), 8, 4),
}.items():
    shared = kernel.metadata.shared
    warps = kernel.metadata.num_warps
    limits = residents(kernel.n_regs, warps, shared)
    fit = min(limits.values())
    print(f"== {name} ==")
    print(f"registers: {kernel.n_regs}")
    print(f"shared bytes: {shared}")
    print(f"programs by hand: {fit}")
    print(f"programs by the driver: {by_driver(kernel)}")
    print(f"scarce: {min(limits, key=limits.get)}")
    print(f"resident warps: {fit * warps} of 64")
    fits = shared <= by_torch.shared_memory_per_block
    print(f"fits, says shared_memory_per_block: {fits}")
# --8<-- [end:compare]
