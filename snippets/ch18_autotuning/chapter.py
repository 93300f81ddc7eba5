"""Chapter 18 in one program: a kernel in place under a search, hooks,
keys, pruning, and a table of winners."""

# /// capture
# runners = ["interpreter", "gpu"]
# bundle = [
#   "in_place", "hidden_bug", "key_contents", "bucketed", "pruning",
#   "table",
# ]
# ///
