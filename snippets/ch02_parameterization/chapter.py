"""Chapter 2 in one program: constexpr signatures, configs, what an
autotuner tries, scratch memory, and one body with three branches."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = """
# static_print, PTX and the allocator of a GPU: see the
# sections of this chapter."""
# bundle = [
#     "constexpr_shape",
#     "config_objects",
#     "autotune_counting",
#     "scratch",
#     "activation",
#     "function_parameter",
# ]
# ///
