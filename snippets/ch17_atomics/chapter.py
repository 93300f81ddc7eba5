"""Chapter 17 in one program: a histogram, sums in any order, lost
updates, a lock, the program that comes last, and split-K."""

# /// capture
# runners = ["interpreter", "gpu"]
# bundle = [
#     "histogram", "three_orders", "atomic_sum", "lost_update",
#     "lost_lanes", "lock", "flag", "last", "split_k",
# ]
# ///
