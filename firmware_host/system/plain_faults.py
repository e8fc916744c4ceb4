"""Say in plain words why a file cannot be read or written, or why a text is not JSON, and what would be right."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

_READING = {
    errno.ENOENT: "there is no such file; check its name and its folder",
    errno.EISDIR: "is a folder; name a file",
    errno.EACCES: "this user may not read it; allow it, or use sudo",
    errno.EPERM: "this user may not read it; allow it, or use sudo",
    errno.EIO: "cannot be read: the disk reports an error; copy the file again from elsewhere",
    errno.ENAMETOOLONG: "there is no such file: the name is too long; check it",
    errno.ELOOP: "is a link that leads back to itself; name a file",
}
_WRITING = {
    errno.EISDIR: "is a folder",
    errno.EACCES: "this user may not write there",
    errno.EPERM: "this user may not write there",
    errno.EROFS: "cannot be written: the disk is read-only",
    errno.ENOSPC: "cannot be written: the disk is full; free some space",
    errno.EDQUOT: "cannot be written: this user's share of the disk is full; free some space",
    errno.EIO: "cannot be written: the disk reports an error",
    errno.EEXIST: "is a file, not a folder",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ELOOP: "is a link that leads back to itself",
}


def reading_fault(path: Path | str, error: OSError) -> str:
    """Return a line that names a file and says why it cannot be read. Looks at the file's folders."""
    if error.errno == errno.ENOENT and Path(path).is_symlink():
        return f"{path}: is a link to {Path(path).readlink()}, which is not there; correct the link"
    if error.errno == errno.ENOTDIR and (file := _file_in_the_way(Path(path))):
        return f"{path}: {file} is a file, not a folder; correct the path"
    return f"{path}: {_READING.get(error.errno or 0) or f'cannot be read: {error.strerror or error}'}"


def writing_fault(path: Path | str, error: OSError, right: str = "name another file") -> str:
    """Return a line that names a file and says why it cannot be written. Looks at the file's folders.

    Args:
        path: the file, or a folder.
        error: the error of the attempt.
        right: what the user can do, unless a full disk is the reason. "" for the log.
    """
    folder, further = Path(path).parent, f"; {right}" * bool(right)
    if error.errno == errno.ENOENT and not folder.exists():
        return f"{path}: there is no folder {folder}; create it{f', or {right}' * bool(right)}"
    if error.errno in (errno.ENOTDIR, errno.EEXIST) and (file := _file_in_the_way(Path(path))):
        return f"{path}: {file} is a file, not a folder{further}"
    why = _WRITING.get(error.errno or 0) or f"cannot be written: {error.strerror or error}"
    return f"{path}: {why}" if ";" in why else f"{path}: {why}{further}"


def _file_in_the_way(path: Path) -> Path | None:
    """Return the part of a path that is a file although the path goes on below it, or None."""
    return next((folder for folder in path.parents if folder.is_file()), None)


_COMMA = "delete the comma before the closing bracket"
_JSON_WORDS = {"True": "true", "False": "false", "None": "null"}
"""Words of Python -> words of JSON."""

_JSON_FAULTS = {
    "Expecting value": "a value is missing, or a text has no quotes",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Illegal trailing comma before end of object": _COMMA,
    "Illegal trailing comma before end of array": _COMMA,
    "Extra data": "more follows after the end",
    "Unterminated string starting at": "the text has no quote at its end",
    "Invalid control character at": "a text contains a line break or another control character",
}
"""The messages of Python's JSON decoder -> plain words."""


def plain_json_fault(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a text that is not JSON, in plain words."""
    before, after = error.doc[: error.pos].rstrip(), error.doc[error.pos :]
    if before.endswith(",") and after.startswith(("}", "]")):
        return _COMMA
    word = re.match("True|False|None", after)
    if word and error.msg == "Expecting value":
        return f"write {_JSON_WORDS[word[0]]}, not {word[0]}"
    return _JSON_FAULTS.get(error.msg, error.msg)
