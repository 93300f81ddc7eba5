"""Chapter 5 in one program: grids, masks, and the order of programs."""

# /// capture
# bundle = [
#   "cover",
#   "cover_2d",
#   "other",
#   "padding",
#   "unmasked",
#   "swizzle",
# ]
# ///
