"""18.5: what of the GPU is in the key of results on disk."""

# /// capture
# runners = ["compiler"]
# no_gpu = "It reads a key, and launches nothing."
# ///

from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import make_backend

# --8<-- [start:demo]
for name, capability in (("A100", 80), ("H100", 90), ("H200", 90)):
    backend = make_backend(GPUTarget("cuda", capability, 32))
    print(f"{name}, its part: {backend.hash().rsplit('-', 1)[-1]}")
# --8<-- [end:demo]
