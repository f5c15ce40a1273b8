"""Command line without QGIS: ``python3 -m plugin.core``."""

from __future__ import annotations

import sys


def run_command_line() -> int:
    """Run the command line. If a Python module is missing that QGIS's Python has, print how to install it and return 1.
    """
    try:
        from .cli import main
    except ModuleNotFoundError as error:
        if not error.name or error.name.partition(".")[0] == "plugin":
            raise
        sys.stderr.write(
            f"{sys.executable} lacks the Python module {error.name}. Run this with QGIS's own Python "
            f"(on Debian /usr/bin/python3), or install the module, for example with: pip install {error.name}\n"
        )
        return 1
    return main()


if __name__ == "__main__":
    sys.exit(run_command_line())
