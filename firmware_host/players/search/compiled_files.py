"""Keep what numba has compiled fit for use: discard what other code has left, and what is not as it was written.

numba reads any file that is as old as the function's own source. It crashes on one that a power cut has left half, and
where another module has changed it goes on with the old one's code. So a list beside the files tells by whom they were
made and what is in them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba

from firmware_host.system.atomic_write import replace_file

_PYTHON = f"py{sys.version_info.major}{sys.version_info.minor}"
_LIST = f"compiled-{_PYTHON}.json"
"""The list, in the folder of the files."""

_seen_to = set[str]()
"""The folders that this process has seen to."""


@contextmanager
def compiled_files(where: str | None) -> Iterator[None]:
    """Discard compiled files that are unfit for use; list those that are there in the end. Once a process is enough.

    Args:
        where: the folder in which numba keeps them, None if it keeps none; what is not there is compiled anew.
    """
    if where is None or where in _seen_to:
        yield
        return
    _seen_to.add(where)
    folder = Path(where)
    made_by, listed = _made_by(), folder / _LIST
    known = _read(listed)
    fit = known.get("files") if known.get("made_by") == made_by else None
    for path, digest in _files(folder).items():
        if not isinstance(fit, dict) or fit.get(path.name) != digest:
            path.unlink(missing_ok=True)
    yield
    found = {"made_by": made_by, "files": {path.name: digest for path, digest in _files(folder).items()}}
    if found != known:
        with suppress(OSError):  # without a list all is compiled anew the next time
            replace_file(listed, json.dumps(found, indent=1).encode())


def are_compiled(where: str | None) -> bool:
    """Return whether this code has compiled what it runs, and listed it; what is listed may be spoiled since then."""
    return where is not None and _read(Path(where) / _LIST).get("made_by") == _made_by()


def _made_by() -> str:
    """Return what compiled code depends on besides the machine, of which numba takes care."""
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {sys.version}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _files(folder: Path) -> dict[Path, str]:
    """Return the files that this Python's numba has compiled, each with its digest."""
    found = {}
    for path in sorted(folder.glob(f"*.{_PYTHON}*.nb[ic]")):
        with suppress(FileNotFoundError):  # another process has just replaced it
            found[path] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _read(listed: Path) -> dict[str, Any]:
    try:
        known = json.loads(listed.read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
