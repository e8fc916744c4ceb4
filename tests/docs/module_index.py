"""Print every module with the first line of its docstring: `python -m tests.docs.module_index [FOLDER]`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.docs.pages import ROOT

PACKAGES = ("firmware_host", "hardware", "artwork", "languages")


def index(folders: tuple[str, ...] = PACKAGES) -> Iterator[str]:
    """Yield a line for each module in these folders of the repository: its path, then what it does."""
    for path in (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))):
        purpose = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
        yield f"{path.relative_to(ROOT).as_posix():60} {purpose.partition(chr(10))[0]}".rstrip()


if __name__ == "__main__":
    folders = tuple(Path(name).as_posix() for name in sys.argv[1:]) or PACKAGES
    sys.stdout.write("\n".join([*index(folders), ""]))
