"""The start of the frozen program."""

import sys

from viewer.__main__ import main

sys.exit(main())
