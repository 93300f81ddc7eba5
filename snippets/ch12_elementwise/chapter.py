"""Chapter 12 in one program: element-wise kernels."""

# /// capture
# runners = ["interpreter", "gpu"]
# bundle = ["fma_relu", "three_kernels", "gelu_exact", "gelu_tanh"]
# ///
