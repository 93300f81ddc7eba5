"""1.3.1, recorded: which program writes where."""

# /// capture
# runners = ["replay"]
# ///

from ch01_model.who_am_i import who_am_i

who_am_i(10)
