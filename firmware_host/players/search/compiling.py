"""Compile functions with numba, and keep only compiled files that can be used.

numba reads any cached file that is as old as the function's source. It crashes on a file that a power cut left
incomplete, and runs outdated code after a change in another module. So a list beside the files records which code wrote
them and their digests.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import njit

from firmware_host.system.files import replace_file

_Function = TypeVar("_Function", bound=Callable[..., object])

_OPTIONS: dict[str, Any] = {"cache": True, "_nrt": False}
"""`_nrt` is an undocumented option of numba, which refuses options that it does not know."""


def compiled(function: _Function) -> _Function:
    """Compile a function when it is first called, and cache the code beside its module.

    The compiled code does not count references to its arrays: counting takes more than half of the rules' time. So it
    must not create arrays, which numba checks while compiling.
    """
    return njit(**_OPTIONS)(function)


_PYTHON = f"py{sys.version_info.major}{sys.version_info.minor}"
_LIST = f"compiled-{_PYTHON}.json"
"""The name of the file that lists the compiled files, in their folder."""

_checked = set[str]()
"""The folders that this process has already checked."""


@contextmanager
def compiled_files(where: str | None) -> Iterator[None]:
    """Remove unusable compiled files. At the end of the `with`, list the files that are there then.

    Only the first call of a process for a folder does this.

    Args:
        where: the folder of numba's cache; None if it keeps none. Missing files are compiled again.
    """
    if where is None or where in _checked:
        yield
        return
    _checked.add(where)
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
        with suppress(OSError):  # without a list everything is compiled again next time
            replace_file(listed, json.dumps(found, indent=1).encode())


def are_compiled(where: str | None) -> bool:
    """Return whether everything has been compiled and listed for this code. The files are not checked."""
    return where is not None and _read(Path(where) / _LIST).get("made_by") == _made_by()


def _made_by() -> str:
    """Return a digest of everything that affects compiled code: the source, the compiler, and the processor."""
    asked = os.environ.get("NUMBA_CPU_NAME"), os.environ.get("NUMBA_CPU_FEATURES")
    processor = *asked, get_host_cpu_name(), get_host_cpu_features().flatten()
    digest = hashlib.sha256(f"{numba.__version__} {llvmlite.__version__} {sys.version} {processor}".encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _files(folder: Path) -> dict[Path, str]:
    """Return the files in the cache for this version of Python, each with its digest."""
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
