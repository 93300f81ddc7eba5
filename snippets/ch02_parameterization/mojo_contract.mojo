# Mojo: a struct that promises a trait and does not keep it, and one
# that promises nothing. The compiler refuses both.

# /// capture
# raises = "mojo"
# ///


# --8<-- [start:demo]
trait Activation:
    @staticmethod
    def apply(x: Float32) -> Float32:
        ...


struct Softmax(Activation):
    pass


struct Tanh:
    pass


def activate[A: Activation](x: Float32) -> Float32:
    return A.apply(x)


def main():
    print(activate[Tanh](1.0))
# --8<-- [end:demo]
