"""Chapter 4 in one program: the step of a pointer, blocks of pointers,
broadcasting by a stride of 0, offsets of 64 bits, and descriptors."""

# /// capture
# runners = ["interpreter", "gpu"]
# bundle = [
#     "step",
#     "tile_copy",
#     "broadcast_add",
#     "row_offset",
#     "descriptor_copy",
#     "descriptor_edges",
# ]
# ///
