"""``python -m popout``: the `popout` command, for where scripts are not on the path."""

import sys

from popout.cli import main

sys.exit(main())
