"""Chapter 2 in one program: constexpr signatures, configs, what an
autotuner tries, scratch memory, and one body with three branches."""

# /// capture
# bundle = [
#     "constexpr_shape",
#     "config_objects",
#     "autotune_counting",
#     "scratch",
#     "activation",
# ]
# ///
