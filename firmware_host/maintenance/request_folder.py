"""The folder of requests to root, which root reads safely although another user may change it.

The table's user may exchange every file at any moment. So the folder is opened once, and each file is opened through
the folder's descriptor, never by a path or a link. The checks of a file are repeated once it is open.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Self

from firmware_host.system.owner_requests import (
    MOST_BYTES,
    OUTCOME,
    PACKAGES,
    REQUEST,
    RequestError,
    RequestOutcome,
    encode_record,
    is_id,
)

KEPT_OUTCOMES = 20
"""The most outcomes that are kept."""

LARGEST_PACKAGE = 200_000_000
"""The most bytes of a package."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class UntrustedFile(RequestError):
    """The error that a file cannot be a request of the table's user. The message says what it is."""


class RequestFolder:
    """The opened folder of requests. Close it, or use it in a `with` statement.

    Args:
        path: the folder. Its parent folder belongs to the table's user, but only root can rename the parent.

    Attributes:
        owner: the table's user and group.

    Raises:
        FileNotFoundError: the folder does not exist, because nobody has posted a request yet.
        UntrustedFile: the path is a link or not a folder, or belongs to somebody else.
    """

    def __init__(self, path: Path) -> None:
        state = os.open(path.parent, _FOLDER)
        try:
            said = os.fstat(state)
            self.owner = said.st_uid, said.st_gid
            self._handle = self._open_folder(path.name, state)
        finally:
            os.close(state)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)

    def names(self) -> list[str]:
        """Return the names of the files that are requests, the oldest first."""
        return self._names(REQUEST)

    def read(self, name: str) -> bytes:
        """Return the content of a request's file.

        Raises:
            UntrustedFile: the file is a link, a pipe or the like, too large, or another user's.
            OSError: the file cannot be read.
        """
        if not is_id(name.removesuffix(REQUEST)):
            raise UntrustedFile(f"its name must be an id followed by {REQUEST}")
        with self._open_file(name, self._handle, MOST_BYTES) as file:
            return file.read(MOST_BYTES + 1)

    def copy_package(self, name: str, sha256: str, target: Path) -> None:
        """Copy a package to a folder of root's, where the table's user cannot change it, and check the copy.

        Args:
            name: the file's name in the folder `PACKAGES`.
            sha256: its expected digest.
            target: the new file, in a folder of root's.

        Raises:
            UntrustedFile: the package is not a regular file of the table's user, is too large, or has another digest.
            OSError: the package cannot be read, or the copy cannot be written.
        """
        folder = self._open_folder(PACKAGES, self._handle)
        try:
            with self._open_file(name, folder, LARGEST_PACKAGE) as source, target.open("xb") as copy:
                digest, left = hashlib.sha256(), LARGEST_PACKAGE
                while left > 0 and (part := source.read(min(left, 1 << 20))):
                    copy.write(part)
                    digest.update(part)
                    left -= len(part)
        finally:
            os.close(folder)
        if digest.hexdigest() != sha256:
            raise UntrustedFile(f"{name}: its SHA-256 must be {sha256}, but is {digest.hexdigest()}; send it again")

    def remove(self, name: str) -> bool:
        """Remove a request, whatever type of file it is. Return whether it was still there.

        A folder that is not empty is renamed.
        """
        try:
            os.unlink(name, dir_fd=self._handle)
        except IsADirectoryError:
            try:
                os.rmdir(name, dir_fd=self._handle)
            except OSError:
                away = f"refused-{secrets.token_hex(8)}"
                os.rename(name, away, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        except FileNotFoundError:
            return False
        os.fsync(self._handle)
        return True

    def write_outcome(self, name: str, outcome: RequestOutcome) -> None:
        """Write the outcome of a request atomically, for the table's user. Remove old outcomes.

        Raises:
            OSError: the outcome cannot be written.
        """
        self.write(name.removesuffix(REQUEST) + OUTCOME, encode_record(outcome))
        for old in self._names(OUTCOME)[:-KEPT_OUTCOMES]:
            with suppress(OSError):  # the user may have removed it, or made it a folder
                os.unlink(old, dir_fd=self._handle)

    def write(self, name: str, content: bytes) -> None:
        """Write a file for the table's user, atomically. A link in its place is replaced, not followed.

        Raises:
            OSError: the file cannot be written.
        """
        new = f".{secrets.token_hex(8)}.new"  # a name that the user could not prepare
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600, dir_fd=self._handle)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchown(handle, *self.owner)
            os.fsync(handle)
        os.rename(new, name, src_dir_fd=self._handle, dst_dir_fd=self._handle)
        os.fsync(self._handle)

    def _names(self, ending: str) -> list[str]:
        with os.scandir(self._handle) as found:
            return sorted(one.name for one in found if one.name.endswith(ending))

    def _open_folder(self, name: str, parent: int) -> int:
        try:
            handle = os.open(name, _FOLDER, dir_fd=parent)
        except NotADirectoryError:  # a link, too
            raise UntrustedFile(f"{name}: is a file or a link; it must be a folder") from None
        if os.fstat(handle).st_uid != self.owner[0]:
            os.close(handle)
            raise UntrustedFile(f"{name}: belongs to another user; it must belong to the table's user")
        return handle

    def _open_file(self, name: str, folder: int, most: int) -> BinaryIO:
        """Open a regular file of the table's user. Never open a device, because this may have side effects."""
        self._check(os.stat(name, dir_fd=folder, follow_symlinks=False), most)
        handle = os.open(name, _FILE, dir_fd=folder)
        try:
            self._check(os.fstat(handle), most)
        except UntrustedFile:
            os.close(handle)
            raise
        return os.fdopen(handle, "rb")

    def _check(self, said: os.stat_result, most: int) -> None:
        if not stat.S_ISREG(said.st_mode):
            raise UntrustedFile("it is not a regular file, but a link, a folder or a device")
        if said.st_uid != self.owner[0]:
            raise UntrustedFile("the file belongs to another user; it must belong to the table's user")
        if said.st_nlink != 1:
            raise UntrustedFile("the file has a second name (a hard link); it must have one")
        if said.st_size > most:
            raise UntrustedFile(f"the file has {said.st_size:,} bytes; at most {most:,} are allowed")
