"""10.5 on an H200: machine code for other GPUs, and what the driver
says to it."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# ///

import ctypes

import torch

from ch10_host.absent import SIGNATURE, TARGETS, compile_for

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
cuda = ctypes.CDLL("libcuda.so.1")


def loads(text):
    """Whether the driver takes this PTX and finishes it itself."""
    torch.cuda.synchronize()
    module = ctypes.c_void_p()
    status = cuda.cuModuleLoadData(
        ctypes.byref(module), ctypes.c_char_p(text.encode())
    )
    return status == 0


major, minor = torch.cuda.get_device_capability()
print("== compiled here, loaded here ==")
print(f"this GPU: sm_{major}{minor}")
for target in TARGETS:
    if TARGETS[target].backend != "cuda":
        continue
    compiled = compile_for(target, SIGNATURE, {"BLOCK": 1024})
    print(f"{target}, PTX loads: {loads(compiled.asm['ptx'])}")
    x = torch.tensor([-1.0, 0.0, 1.0], device=DEVICE)
    out = torch.empty_like(x)
    try:
        compiled[(1, 1, 1)](x, out, 2.0, 1.0, 3, 1024)
        print(f"{target}, out: {out.tolist()}")
    except Exception as error:
        line = str(error).strip().splitlines()[0]
        print(f"{target}, {type(error).__name__}: {line}")
# --8<-- [end:demo]
