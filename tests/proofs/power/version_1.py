"""Build a journal in the first version of its file format, from entries of that time."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

_DUMP = Path(__file__).with_name("version-1.sql")


@cache
def version_1() -> bytes:
    """Return the bytes of the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        with closing(sqlite3.connect(path)) as file:
            file.executescript(_DUMP.read_text(encoding="utf-8"))
        return path.read_bytes()
