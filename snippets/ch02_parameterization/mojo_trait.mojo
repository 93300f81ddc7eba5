# Mojo: two structs that keep one trait, one function for both, and
# what the compiler makes of it.

from std.compile import compile_info


# --8<-- [start:trait]
trait Activation:
    @staticmethod
    def apply(x: Float32) -> Float32:
        ...


struct Relu(Activation):
    @staticmethod
    def apply(x: Float32) -> Float32:
        return x if x > 0.0 else 0.0


struct Square(Activation):
    @staticmethod
    def apply(x: Float32) -> Float32:
        return x * x


def activate[A: Activation](x: Float32) -> Float32:
    return A.apply(x)
# --8<-- [end:trait]


# --8<-- [start:demo]
def look(title: String, llvm: String):
    print(title, "comparisons:", llvm.count("fcmp"))
    print(title, "products:", llvm.count("fmul"))
    print(title, "calls:", llvm.count("call"))


def main():
    print("== one function, two types ==")
    print("relu of -3:", activate[Relu](-3.0))
    print("square of -3:", activate[Square](-3.0))
    print("== what is in each of them ==")
    look(
        "relu",
        String(compile_info[activate[Relu], emission_kind="llvm"]()),
    )
    look(
        "square",
        String(compile_info[activate[Square], emission_kind="llvm"]()),
    )
# --8<-- [end:demo]
