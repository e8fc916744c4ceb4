"""Ask root, by files, for tasks that the table's user may not do, and read the outcomes.

The daemon has no special rights. It writes a request into its folder. A systemd path unit then starts root's program
(`firmware_host/maintenance/carry_out_requests.py`), which checks the request as if an attacker had written it.
"""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from firmware_host.system.boot_clock import boot_id, boot_seconds
from firmware_host.system.files import read_small_file, replace_file
from firmware_host.system.orders import plain_fault

FOLDER = "requests"
"""The folder of requests in the table's state folder."""

PACKAGES = "packages"
"""The folder for packages to install, inside the folder of requests."""

REQUEST, OUTCOME = ".request", ".outcome"
"""The endings of the names of request and outcome files. Before the ending is the request's id."""

POWERING_OFF = "powering-off"
"""The file in the folder of requests in which root writes the boot id when it shuts the machine down for the table."""

MOST_BYTES = 1_000_000
"""The most bytes of a request's file, and of an outcome's."""

VALID_SECONDS = 600.0
"""Seconds after its posting in which root may carry out a request, unless the machine was restarted since."""

LONGEST_SECONDS = 1800.0
"""The most seconds that one run of root's program may take: the limit of its unit."""

MOST_WAITING = 10
"""The most requests that wait for root."""

_ID = re.compile(r"[0-9]{12}-[0-9a-f]{16}")
_Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
_NO_ID = "this is not the id of a request; an id is 12 digits, a hyphen and 16 hexadecimal digits"
_Record = TypeVar("_Record", bound=Struct)


class RequestError(Exception):
    """Base class of errors about requests to root. The message says what is wrong and what would be right."""


class BadRequest(RequestError, ValueError):
    """The error that a request, an outcome or a request's id is malformed."""


class TooManyRequests(RequestError):
    """The error that too many requests are already waiting for root."""


class OwnerRequest(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base class of all requests to root."""


class ApplyConfiguration(OwnerRequest, frozen=True, tag="apply-configuration"):
    """The request to replace the table's configuration and restart the table.

    Attributes:
        text: the whole text of the new configuration.
        former_sha256: the digest of the configuration that it replaces, in hexadecimal digits.
    """

    text: Annotated[str, Meta(min_length=1, max_length=400_000)]
    former_sha256: _Digest


class Restart(OwnerRequest, frozen=True, tag="restart"):
    """The request to restart the table."""


class PowerOff(OwnerRequest, frozen=True, tag="power-off"):
    """The request to shut the machine down."""


class Update(OwnerRequest, frozen=True, tag="update"):
    """The request to install another version of yardboard.

    Attributes:
        package: the name of a file in the folder `PACKAGES`, or an address that begins with https://.
        sha256: the package's digest, in hexadecimal digits.
    """

    package: Annotated[str, Meta(pattern=r"^(https://[!-~]{1,400}|[A-Za-z0-9][A-Za-z0-9._+~-]{0,150}\.deb)\Z")]
    sha256: _Digest


AnyRequest = ApplyConfiguration | Restart | PowerOff | Update
"""Every kind of request."""


class PostedRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request as read from its file.

    Attributes:
        request: the request.
        boot: identifies the start of the machine after which the request was posted; see `boot_clock.boot_id`.
        posted: seconds from that start until the request was posted.
    """

    request: AnyRequest
    boot: Annotated[str, Meta(max_length=64)]
    posted: Annotated[float, Meta(ge=0)]

    def is_current(self) -> bool:
        """Return whether the request is recent: posted a short time ago, after the machine's last start."""
        return self.boot == boot_id() and -1 <= boot_seconds() - self.posted <= VALID_SECONDS


class RequestState(Enum):
    """The state of a request: root has begun, completed or refused it."""

    BEGUN = "begun"
    DONE = "done"
    REFUSED = "refused"


class RequestOutcome(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome of a request.

    Attributes:
        state: whether root has begun, completed or refused the request.
        text: lines for people, in English, about what root did or why root refused.
    """

    state: RequestState
    text: Annotated[str, Meta(max_length=100_000)] = ""


def post_request(folder: Path, request: AnyRequest) -> str:
    """Write a request for root, and return its id. Remove outdated requests.

    This may wait for the disk.

    Args:
        folder: the folder of requests; it is created if it is missing.
        request: the request.

    Raises:
        BadRequest: a field of the request is out of bounds.
        TooManyRequests: `MOST_WAITING` requests wait for root.
        OSError: the file cannot be written.
    """
    seconds = boot_seconds()
    content = encode_record(PostedRequest(request, boot_id(), seconds))
    read_request(content)  # its own bounds hold for the sender, too
    folder.mkdir(mode=0o700, exist_ok=True)
    if sum(map(_waits, folder.glob(f"*{REQUEST}"))) >= MOST_WAITING:
        raise TooManyRequests(f"{MOST_WAITING} requests wait for root; try again in ten minutes")
    name = f"{int(seconds * 1000):012d}-{secrets.token_hex(8)}"
    replace_file(folder / f"{name}{REQUEST}", content)
    return name


def _waits(file: Path) -> bool:
    """Return whether a request is still waiting for root. If it is outdated or malformed, remove its file."""
    with suppress(OSError):  # root may have taken it
        with suppress(BadRequest):
            if read_request(read_small_file(file)).is_current():
                return True
        file.unlink()
    return False


def read_request(content: bytes) -> PostedRequest:
    """Return the request in a file's content.

    Raises:
        BadRequest: the content is too long, or not a request.
    """
    return _decode(content, PostedRequest, "a request")


def read_outcome(folder: Path, name: str) -> RequestOutcome | None:
    """Return the outcome of a request, or None if root has not seen it yet.

    Args:
        folder: the folder of requests.
        name: the request's id.

    Raises:
        BadRequest: the name is not an id, or the file contains no outcome.
        OSError: the file cannot be read.
    """
    if not is_id(name):
        raise BadRequest(_NO_ID)
    try:
        content = read_small_file(folder / f"{name}{OUTCOME}")
    except FileNotFoundError:
        return None
    return _decode(content, RequestOutcome, "an outcome")


def is_root_busy(folder: Path) -> bool:
    """Return whether root is carrying out any request now, so that the next one has to wait.

    Args:
        folder: the folder of requests.
    """
    return any(_is_begun(file) for file in folder.glob(f"*{OUTCOME}"))


def _is_begun(file: Path) -> bool:
    try:
        age = time.time() - file.stat().st_mtime
        outcome = read_outcome(file.parent, file.name.removesuffix(OUTCOME))
    except (OSError, BadRequest):
        return False
    # If root's program was killed, its outcome says so for ever.
    return outcome is not None and outcome.state is RequestState.BEGUN and 0 <= age <= LONGEST_SECONDS


def withdraw_request(folder: Path, name: str) -> None:
    """Remove a request unless root has already taken it.

    Raises:
        BadRequest: the name is not an id.
        OSError: the file cannot be removed.
    """
    if not is_id(name):
        raise BadRequest(_NO_ID)
    (folder / f"{name}{REQUEST}").unlink(missing_ok=True)


def is_powering_off(folder: Path) -> bool:
    """Return whether root is shutting this machine down because the table asked for it.

    Args:
        folder: the folder of requests.
    """
    try:
        return read_small_file(folder / POWERING_OFF) == boot_id().encode()
    except OSError:
        return False


def forget_power_off(folder: Path) -> None:
    """Remove the file by which root says that it is shutting this machine down.

    Raises:
        OSError: the file cannot be removed.
    """
    (folder / POWERING_OFF).unlink(missing_ok=True)


def is_id(name: str) -> bool:
    """Return whether a text has the form of a request's id. Pure."""
    return _ID.fullmatch(name) is not None


def encode_record(record: PostedRequest | RequestOutcome) -> bytes:
    """Return the content of a request's or an outcome's file.

    Raises:
        BadRequest: a text cannot be written in UTF-8.
    """
    try:
        return msgspec.json.encode(record)
    except UnicodeEncodeError:
        raise BadRequest("a text has half of a surrogate pair; write whole characters") from None


def _decode(content: bytes, kind: type[_Record], name: str) -> _Record:
    if len(content) > MOST_BYTES:
        raise BadRequest(f"{name} has {len(content):,} bytes; at most {MOST_BYTES:,} are allowed")
    try:
        return msgspec.json.decode(content, type=kind)
    except msgspec.ValidationError as error:
        where, what = plain_fault(str(error))
        raise BadRequest(f"{name}: {where}{': ' * bool(where)}{what}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadRequest(f"{name} is not valid JSON; it must be one complete JSON object in UTF-8") from None
