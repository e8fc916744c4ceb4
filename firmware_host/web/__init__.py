"""Serve the table to browsers. No game in play is stored here. Finished games are served whole."""

import sys


def missing_package(error: ModuleNotFoundError) -> str:
    """Return the message that says which package of the pages is missing, and how to install it."""
    return f"the pages need {error.name}; install with: {sys.executable} -m pip install '.[web]' in yardboard's folder"
