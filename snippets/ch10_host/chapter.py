"""Chapter 10 in one program: what needs no GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles, and launches nothing"
# bundle = ["absent", "guessed", "forgotten"]
# ///
