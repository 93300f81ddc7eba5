# Mojo: memory that nobody gives back, and a reference that outlives
# what it refers to. The compiler refuses both.

# /// capture
# raises = "mojo"
# ///

from std.memory import Layout, alloc


# --8<-- [start:demo]
def forget():
    var scratch = alloc(Layout[Float32](count=3))


def use_after_free():
    var scratch = List[Float32](length=3, fill=0.0)
    ref first = scratch[0]
    scratch.clear()  # gives its elements up
    print(first)


def main():
    forget()
    use_after_free()
# --8<-- [end:demo]
