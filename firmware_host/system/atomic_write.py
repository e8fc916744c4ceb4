"""Replace a file as a whole: readers see the old content or the new, also after a power cut."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path


def replace_file(
    path: Path, content: bytes, *, finish: Callable[[int], object] | None = None, durable: bool = True
) -> None:
    """Replace or create a file atomically, by renaming one written beside it.

    Args:
        path: its path; a link there is replaced, not followed.
        content: the content.
        finish: called with the new file's descriptor before it is renamed; until then only its owner may read it.
        durable: whether it is on the disk when this returns.

    Raises:
        OSError: the file cannot be written and is unchanged.
    """
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)  # of any file type: reading nothing, following no link
    handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            if finish is not None:
                finish(handle)
            if durable:
                os.fsync(handle)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
