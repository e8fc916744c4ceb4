"""The table in a browser: what its pages are sent and may ask for. Nothing here ever holds a whole game."""


def missing_package(error: ModuleNotFoundError) -> str:
    """Say where the pages cannot be had, for want of the package that an import did not find."""
    return f"the pages need {error.name}; install with: pip install '.[web]' in yardboard's folder"
