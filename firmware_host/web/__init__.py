"""Serve the table's pages to browsers. It stores no game in play, and serves finished games whole."""

import sys


def missing_package(error: ModuleNotFoundError) -> str:
    """Return the message that names the missing package of the pages, and how to install it."""
    return f"the pages need {error.name}; install with: {sys.executable} -m pip install '.[web]' in yardboard's folder"
