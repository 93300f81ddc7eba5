import sys

from executed.cli import main

for stream in (sys.stdout, sys.stderr):
    # A console that lacks a character gets its code; a message is never the reason to stop.
    stream.reconfigure(errors="backslashreplace")
sys.exit(main())
