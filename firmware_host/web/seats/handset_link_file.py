"""Save the link for Mister X's phone in a file, from which `yardboard handset-link` prints it.

The file is beside the health file and readable by its owner only (0600). It is removed when nobody can be invited. It
has three lines:

- the link
- the path of the table's configuration, because several tables may have run on this machine
- an identifier of the machine's last start, and the seconds from then until the file was written

The third line reveals a file that a power cut has left behind, even if the machine's date is wrong.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from firmware_host.system.boot_clock import boot_id, boot_seconds
from firmware_host.system.event_log import log_fields
from firmware_host.system.files import read_small_file, replace_file
from firmware_host.system.plain_faults import reading_fault, writing_fault

log = logging.getLogger("yardboard")


NAME = "handset-link"
"""The file's name."""


class NoLink(Exception):
    """The error that there is no link. The message says where and why."""


class AbsentLink(NoLink, FileNotFoundError):
    """The error that there is no file, because nobody is invited."""


class UnreadableLink(NoLink, OSError):
    """The error that the file contains no valid link, or cannot be read."""


@dataclass(frozen=True, slots=True)
class SavedLink:
    """A link as read from its file.

    Attributes:
        link: the address that invites a phone.
        config: the absolute path of the table's configuration.
        boot: identifies the start of the machine after which the file was written; see `boot_clock.boot_id`.
        written: seconds from that start until the file was written.
    """

    link: str
    config: str
    boot: str
    written: float


class HandsetLinkFile:
    """The file for the link of one running table.

    Args:
        path: the file's path.
        config: the absolute path of the table's configuration.
    """

    def __init__(self, path: Path, config: str) -> None:
        self._path, self._config = path, config
        self._complained = False

    def write(self, link: str) -> None:
        """Save a link, or delete the file if the link is "". Repeated failures are logged once."""
        try:
            if link:
                said = f"{link}\n{self._config}\n{boot_id()} {boot_seconds()}\n"
                replace_file(self._path, said.encode(errors="surrogateescape"), durable=False)
            else:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            if not self._complained:
                why, values = writing_fault(self._path, error, ""), log_fields("seat", file=str(self._path))
                log.warning("%s; no phone can be invited", why, extra=values)
            self._complained = True
        else:
            self._complained = False


def read(path: Path) -> SavedLink:
    """Read the link, its table and its time from a file.

    Raises:
        AbsentLink: there is no such file.
        UnreadableLink: the file cannot be read, contains no link, or does not say when it was written.
    """
    try:
        content = read_small_file(path)
    except (FileNotFoundError, NotADirectoryError):
        raise AbsentLink(f"{path}: there is no such file") from None
    except PermissionError:
        raise UnreadableLink(f"{path}: only the table's user and root may read it; use sudo") from None
    except OSError as error:
        raise UnreadableLink(reading_fault(path, error)) from None
    link, config, stamp = [*content.decode(errors="surrogateescape").split("\n"), "", ""][:3]
    boot, _, written = stamp.partition(" ")
    if not (link.startswith("http://") and "/seat#" in link and link.isprintable() and link.isascii() and config):
        raise UnreadableLink(f"{path}: contains no link, so no table has written it; restart the table")
    try:
        return SavedLink(link, config, boot, float(written))
    except ValueError:
        raise UnreadableLink(f"{path}: does not say when it was written; restart the table") from None
