"""Serve the pages of a table to browsers: for players, spectators, lessons, past games and the owner."""

import sys


def missing_package(error: ModuleNotFoundError) -> str:
    """Return a message that says which Python package the pages lack, and how to install it."""
    return f"the pages need {error.name}; install with: {sys.executable} -m pip install '.[web]' in yardboard's folder"
