"""17.4.1: what sem and scope become in the code for an H200."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

H200 = GPUTarget("cuda", 90, 32)


# --8<-- [start:kernel]
@triton.jit
def order_kernel(
    x_ptr,  # address of one int32
    OP: tl.constexpr,  # which operation
    SEM: tl.constexpr,  # memory order, None for the default
    SCOPE: tl.constexpr,  # who sees it, None for the default
):
    if OP == "add":
        before = tl.atomic_add(x_ptr, 1, sem=SEM, scope=SCOPE)
    elif OP == "cas":
        before = tl.atomic_cas(x_ptr, 0, 1, sem=SEM, scope=SCOPE)
    else:
        before = tl.atomic_xchg(x_ptr, 0, sem=SEM, scope=SCOPE)
    tl.store(x_ptr + 1, before)
# --8<-- [end:kernel]


# --8<-- [start:compile]
def instruction(op, sem=None, scope=None):
    """The one atomic instruction of the kernel."""
    constants = {"OP": op, "SEM": sem, "SCOPE": scope}
    signature = dict.fromkeys(constants, "constexpr")
    source = ASTSource(
        order_kernel, {"x_ptr": "*i32"} | signature, constants
    )
    ptx = triton.compile(source, target=H200).asm["ptx"]
    return " ".join(re.findall(r"\batom\S+", ptx))
# --8<-- [end:compile]


# --8<-- [start:demo]
print("== sem ==")
for sem in (None, "relaxed", "acquire", "release", "acq_rel"):
    print(f"atomic_add, sem={sem}: {instruction('add', sem)}")
print("== scope ==")
for scope in (None, "cta", "gpu", "sys"):
    told = instruction("add", None, scope)
    print(f"atomic_add, scope={scope}: {told}")
print("== operation ==")
for op in ("add", "cas", "xchg"):
    print(f"atomic_{op}: {instruction(op)}")
# --8<-- [end:demo]
