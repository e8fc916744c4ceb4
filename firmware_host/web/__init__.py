"""The table in a browser. Nothing here holds a game in play; finished games are served whole."""

import sys


def missing_package(error: ModuleNotFoundError) -> str:
    """Say which package the pages need that an import did not find, and how to install it: for a terminal or a log."""
    return f"the pages need {error.name}; install with: {sys.executable} -m pip install '.[web]' in yardboard's folder"
