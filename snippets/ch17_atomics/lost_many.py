"""17.3.1 on a GPU: how many updates are lost."""

# /// capture
# runners = ["gpu"]
# [labels]
# "* counted" = { kind = "volatile" }
# ///

from ch17_atomics.lost_update import count_up

# --8<-- [start:demo]
for programs in (1, 64, 4096, 2**18):
    found = count_up(programs, atomic=False)
    print(f"{programs} programs, counted: {found}")
    lost = programs - found
    print(f"{programs} programs, more than half lost: {lost > found}")
    right = count_up(programs, atomic=True) == programs
    print(f"{programs} programs, atomic, right: {right}")
# --8<-- [end:demo]
