"""Identify the running yardboard, so that the same one plays all games of a tournament."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

import firmware_host
from firmware_host.config.shipped_files import folder
from firmware_host.players.levels.levels import can_search


@lru_cache(maxsize=1)
def software_version() -> str:
    """Return the version, a fingerprint of the code, boxes and maps, and whether the search is available.

    The version alone is not enough: a clone's code changes without it. The content of `__pycache__` differs between
    machines, and is ignored.
    """
    package, shipped = Path(firmware_host.__file__).parent, folder()
    files = [(path.relative_to(package), path) for path in package.rglob("*.py")]
    files += [(path.relative_to(package), path) for path in package.glob("players/**/*.json")]
    files += [
        (path.relative_to(shipped), path)
        for kind in ("editions", "maps", "tiles")
        for path in (shipped / kind).glob("*.toml")
    ]
    digest = hashlib.sha256()
    for name, path in sorted(files):
        if "__pycache__" in name.parts:
            continue
        digest.update(f"{name.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    search = "with" if can_search() else "without"
    return f"{firmware_host.__version__} (code {digest.hexdigest()[:10]}, {search} the search)"
