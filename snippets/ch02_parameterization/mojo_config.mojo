# Mojo: a bundle of choices as a struct. A name that it does not have,
# a value of the wrong type and a late change: none gets built.

# /// capture
# raises = "mojo"
# ///


# --8<-- [start:demo]
@fieldwise_init
struct Config:
    var block: Int
    var num_warps: Int


def late_change(config: Config):
    config.block = 32


def main():
    var right = Config(block=64, num_warps=2)
    var typo = Config(blokc=64, num_warps=2)
    var text = Config(block="sixty-four", num_warps=2)
    print(right.block, typo.block, text.block)
# --8<-- [end:demo]
