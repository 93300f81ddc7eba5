import sys

from executed.cli import main

sys.exit(main())
