"""Chapter 3 in one program: memory layout."""

# /// capture
# runners = ["interpreter", "gpu"]
# bundle = ["views", "records", "strided", "transpose", "alignment"]
# ///
