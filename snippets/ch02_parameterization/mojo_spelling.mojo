# Mojo: two spellings that older texts use, and what the compiler says.

# /// capture
# raises = "mojo"
# ///


# --8<-- [start:demo]
struct Scratch:
    def __init__(out self):
        print("allocated")

    def __del__(deinit self):
        print("freed")


fn main():
    _ = Scratch()
# --8<-- [end:demo]
