"""a * x + b rounds twice in the interpreter, once when compiled."""

# /// capture
# differs = """Compiled, a * x + b is one fused multiply-add
# and rounds once; the interpreter rounds the product first."""
# [labels]
# "largest difference" = { kind = "bound", limit = 1e-5 }
# "worst error *" = { kind = "bound", limit = 1e-5 }
# ///

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 16384
BLOCK = 1024


# --8<-- [start:run]
def run(x, a, b, **options):
    out = torch.empty_like(x)
    n = x.numel()
    grid = (triton.cdiv(n, BLOCK),)
    compiled = fma_relu_kernel[grid](
        x, out, a, b, n, BLOCK=BLOCK, **options
    )
    if compiled is None:  # the interpreter compiles nothing
        return out, "no PTX, interpreted"
    return out, compiled.asm["ptx"].count("fma.rn.f32")
# --8<-- [end:run]


print("== one element, by hand ==")
# --8<-- [start:hand]
a = 1.0 + 2.0**-12
x = torch.tensor([a], device=DEVICE)
b = -(1.0 + 2.0**-11)
print(f"kernel: {run(x, a, b)[0].item():.6e}")
print(f"torch.relu(a * x + b): {torch.relu(a * x + b).item():.6e}")
print(f"exact: {a * a + b:.6e}")
# --8<-- [end:hand]

print("== 16384 random elements ==")
# --8<-- [start:random]
torch.manual_seed(0)
x = (6 * torch.rand(N) - 3).to(DEVICE)
a, b = torch.tensor([1.1, -0.3]).tolist()  # float32 values
out, fma_count = run(x, a, b)
reference = torch.relu(a * x + b)
truth = torch.relu(a * x.double() + b)
kernel_error = (out - truth).abs()
torch_error = (reference - truth).abs()
print(f"fma.rn.f32 in the PTX: {fma_count}")
print(f"torch.equal: {torch.equal(out, reference)}")
print(f"elements that differ: {(out != reference).sum().item()}")
diff = (out - reference).abs().max().item()
print(f"largest difference: {diff:.3e}")
print(f"worst error kernel: {kernel_error.max().item():.3e}")
print(f"worst error torch: {torch_error.max().item():.3e}")
closer = (kernel_error < torch_error).sum().item()
farther = (kernel_error > torch_error).sum().item()
print(f"kernel closer to float64: {closer}")
print(f"torch closer to float64: {farther}")
once = truth.float()  # one rounding of the whole expression
print(f"kernel, rounded once: {(out == once).sum().item()}")
# --8<-- [end:random]

print("== the same, contraction forbidden ==")
# --8<-- [start:off]
out, fma_count = run(x, a, b, enable_fp_fusion=False)
print(f"fma.rn.f32 in the PTX: {fma_count}")
print(f"elements that differ: {(out != reference).sum().item()}")
# --8<-- [end:off]
