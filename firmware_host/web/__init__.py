"""The table in a browser. Nothing here holds a game in play; finished games are served whole."""


def missing_package(error: ModuleNotFoundError) -> str:
    """Say where the pages cannot be had, for want of the package that an import did not find."""
    return f"the pages need {error.name}; install with: pip install '.[web]' in yardboard's folder"
