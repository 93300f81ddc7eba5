"""Chapter 19 in one program: a quantile, a stopwatch beside do_bench,
and three stopwatches from a thousand elements to a billion bytes."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# bundle = ["quantile", "stopwatch", "sizes"]
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# "* us" = { kind = "measured", within = 0.9 }
# "* GB/s" = { kind = "measured", within = 0.6 }
# "* over do_bench" = { kind = "measured", within = 0.3 }
# ///
