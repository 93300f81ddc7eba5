"""Chapter 1 in one program: a kernel that is traced twice, a width
that is known or not, programs and lanes, choices, owners."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = """
# Kernels to return, PTX and the order of programs: see the
# sections of this chapter."""
# bundle = [
#     "relu_toggle",
#     "fold",
#     "who_am_i",
#     "tickets",
#     "where_abs",
#     "skip_block",
#     "owners",
#     "arena",
# ]
# [labels]
# "ticket *" = { kind = "volatile" }
# "places *" = { kind = "volatile" }
# ///
