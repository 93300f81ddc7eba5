"""11.1: what num_warps makes of one block, compiled without a GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re
import subprocess
import tempfile

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch01_model.relu_toggle import _relu_toggle_kernel
from ch11_hardware.matmul import matmul_kernel

H200 = GPUTarget("cuda", 90, 32)  # sm_90, warps of 32 threads
CUOBJDUMP = triton.knobs.nvidia.cuobjdump.path  # comes with Triton


# --8<-- [start:compile]
def compile_for_h200(kernel, dtype, constants, warps=4, stages=3):
    """The kernel as a launch with aligned tensors compiles it."""
    signature, facts = {}, {}
    for i, name in enumerate(kernel.arg_names):
        if name in constants:
            signature[name] = "constexpr"
            continue
        signature[name] = f"*{dtype}" if "_ptr" in name else "i32"
        facts[(i,)] = [["tt.divisibility", 16]]
    source = ASTSource(kernel, signature, constants, facts)
    options = {"num_warps": warps, "num_stages": stages}
    return triton.compile(source, target=H200, options=options)


def resources(compiled):
    """Registers and bytes of spills of a thread, by NVIDIA's tool."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(compiled.asm["cubin"])
        file.flush()
        said = subprocess.check_output(
            [CUOBJDUMP, "-res-usage", file.name],
            stderr=subprocess.STDOUT,
            text=True,
        )
    found = dict(re.findall(r"(REG|STACK):(\d+)", said))
    return found["REG"], found["STACK"]
# --8<-- [end:compile]


def matmul_constants(tile, precision="tf32", b_row=None):
    """b lies row by row, or, with b_row=1, column by column."""
    constants = dict(zip(("BLOCK_M", "BLOCK_N", "BLOCK_K"), tile))
    constants |= {"PRECISION": precision, "ACC": tl.float32}
    return constants | {"b_row" if b_row == 1 else "b_col": 1}


if __name__ == "__main__":
    # --8<-- [start:relu]
    for block in (2048, 16384):
        print(f"== a block of {block} floats ==")
        for warps in (1, 2, 4, 8, 16, 32):
            constants = {"USE_RELU": True, "BLOCK": block}
            compiled = compile_for_h200(
                _relu_toggle_kernel, "fp32", constants, warps
            )
            ptx = compiled.asm["ptx"]
            loads = re.findall(r"ld\.global\S*", ptx)
            registers, spilled = resources(compiled)
            print(
                f"num_warps {warps}: threads {32 * warps}, "
                f"elements {block // (32 * warps)}, "
                f"loads {len(loads)}, kind {loads[0]}, "
                f"registers {registers}, spilled {spilled}"
            )
    # --8<-- [end:relu]
    # --8<-- [start:tile]
    TILE = (128, 128, 64)
    print("== a tile of 128 x 128 sums ==")
    for warps in (2, 4, 8, 16):
        compiled = compile_for_h200(
            matmul_kernel, "fp16", matmul_constants(TILE), warps
        )
        registers, spilled = resources(compiled)
        print(
            f"num_warps {warps}: sums {128 * 128 // (32 * warps)}, "
            f"registers {registers}, spilled {spilled}"
        )
    # --8<-- [end:tile]
    # --8<-- [start:three]
    print("== three warps ==")
    try:
        constants = {"USE_RELU": True, "BLOCK": 8}
        compile_for_h200(_relu_toggle_kernel, "fp32", constants, 3)
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", str(error).strip().splitlines()[-1])
    # --8<-- [end:three]
