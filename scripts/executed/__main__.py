import gc
import sys

# A run is short, and nearly all that it makes lives to its end: looking for garbage is a quarter of a check.
gc.disable()

from executed.cli import main  # noqa: E402

for stream in (sys.stdout, sys.stderr):
    # A console that lacks a character gets its code; a message is never the reason to stop.
    stream.reconfigure(errors="backslashreplace")
sys.exit(main())
