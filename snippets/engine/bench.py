"""The same small book, built by this engine and by other tools."""

# /// capture
# runners = ["bench"]
# no_gpu = "it measures the engine, not a kernel"
# timeout = 1800
# [labels]
# "*" = { kind = "measured", within = 0.01 }
# ///

# --8<-- [start:bench]
from executed import bench

bench.main()
# --8<-- [end:bench]
