"""Carry out what the owner's pages ask for besides the game: settings, health, log, reports, backups and requests.

The daemon has no rights. What needs root is a request (`firmware_host.system.owner_requests`), and the page shows what
became of it. What takes long, or loads half of the program, is a command in a process of its own: the table's memory
stays small, and no pass of its loop waits.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from firmware_host.config.drivers.registry import DEVICES
from firmware_host.config.loader import Config, state_folder
from firmware_host.config.toml_file import ConfigError, complaint, contents
from firmware_host.daemon import health_file
from firmware_host.daemon.health_file import NoHealth
from firmware_host.daemon.owner_seat import OwnerSeat
from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.event_log import RecentLines
from firmware_host.system.files import Task, at_once
from firmware_host.system.language import gettext_noop, translatable
from firmware_host.system.owner_requests import (
    FOLDER,
    PACKAGES,
    AnyRequest,
    ApplyConfiguration,
    PowerOff,
    RequestError,
    Restart,
    Update,
    post_request,
    read_outcome,
)
from firmware_host.system.secret_texts import hide_secrets
from firmware_host.web.seats.owner_access import NAME, OwnerAccess
from firmware_host.web.seats.owner_routes import CannotServeOwner, ChangedSettings

if TYPE_CHECKING:
    from firmware_host.config.settings_form import FieldComplaint

LINES = 300
"""How many lines of the log are kept for the owner's pages."""

LARGEST_PACKAGE = 100_000_000
"""The most bytes of a package; one of ours has about ten million."""

PATIENCE = 300.0
"""Seconds that a command may take in a process of its own."""

IN_PLAY = gettext_noop("A backup contains where Mister X is: it can be made when no game is in play")
"""The refusal of a backup during a game."""

SCREENS_IN_PLAY = gettext_noop("Screens, keys and switches can be changed when no game is in play")
"""The refusal of settings that could show everyone Mister X's screen."""

CHANGED_MEANWHILE = gettext_noop("The file was changed meanwhile. Load the settings again; nothing was saved")
"""The refusal of changes to a file that is no longer the one of the form."""

_SECRET_KEEPING = frozenset(DEVICES) - {"lamps"}
"""The sections that decide who sees Mister X's screen: two exchanged addresses would put it on the public display."""

_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,150}\.deb")
_PLAIN: dict[str, Callable[[], AnyRequest]] = {"restart": Restart, "power-off": PowerOff}


class TableDesk:
    """The owner's desk of one real table. Implements `web.seats.owner_routes.OwnerDesk`.

    Args:
        config: the table's configuration.
        seat: knows whether a game is in play.
        writing: runs slow file tasks.
        now: seconds since the machine started.

    Raises:
        ConfigError: there is no place for its files.
    """

    def __init__(
        self,
        config: Config,
        seat: OwnerSeat,
        *,
        writing: Callable[[Task], None] = at_once,
        now: Callable[[], float] = boot_seconds,
    ) -> None:
        sessions = config.journal_file().with_name(NAME)
        self.access = OwnerAccess(now, config.web.owner_password, sessions, writing)
        self._config, self._seat = config, seat
        self._file = Path(config.source).absolute()
        self._requests = state_folder() / FOLDER
        self._log = RecentLines(LINES)
        logging.getLogger().addHandler(self._log)
        self._working, self._uploading = threading.Lock(), threading.Lock()
        self._upload: _Upload | None = None
        self._applied = ""
        with suppress(CannotServeOwner):  # removed since it was loaded
            self._applied = _digest(self._text())

    def close(self) -> None:
        """Keep no more lines of the log."""
        logging.getLogger().removeHandler(self._log)

    # ---- settings ----

    def settings(self) -> dict[str, Any]:
        """Return the configuration as a form, as JSON values."""
        from firmware_host.config.settings_form import complaints, form_sections  # noqa: PLC0415 - few tables need it

        text = self._text()
        try:
            sections = form_sections(text, self._file.name)
        except ConfigError as error:
            raise CannotServeOwner(complaint(error)) from None
        _, found = complaints(text, self._file.name, self._file.parent)
        digest = _digest(text)
        return {
            "file": str(self._file),
            "digest": digest,
            "applied": digest == self._applied,
            "games": [box.name for box in self._config.boxes],
            "programs": list(self._config.players),
            "sections": sections,
            "complaints": _listed(found),
        }

    def save_settings(self, asked: ChangedSettings) -> dict[str, Any]:
        """Ask root to apply changed settings, and return the request's id; or return the complaints by field."""
        from firmware_host.config.settings_form import (  # noqa: PLC0415 - few tables need it
            SettingChange,
            apply_changes,
            complaints,
        )

        text = self._text()
        if _digest(text) != asked.digest:
            raise CannotServeOwner(CHANGED_MEANWHILE)
        if self._seat.in_play and any(one.section in _SECRET_KEEPING for one in asked.changes):
            raise CannotServeOwner(SCREENS_IN_PLAY)
        changes = [SettingChange(one.section, one.key, one.value) for one in asked.changes]
        try:
            new = apply_changes(text, changes, self._file.name)
        except ConfigError as error:
            raise CannotServeOwner(complaint(error), 400) from None
        config, found = complaints(new, self._file.name, self._file.parent)
        if config is None:
            return {"complaints": _listed(found)}
        return {"request": self._post(lambda: ApplyConfiguration(new))}

    def _text(self) -> str:
        try:
            return contents(self._file)
        except ConfigError as error:
            raise CannotServeOwner(complaint(error)) from None

    # ---- health ----

    def health(self) -> dict[str, Any]:
        """Return the table's health as `yardboard health` reads it, as JSON values."""
        now = time.time()
        try:
            said = health_file.read(health_file.place(self._config), now)
        except NoHealth as error:
            raise CannotServeOwner(str(error), 503) from None
        return {"age_s": round(said.age, 1), "fresh": said.fresh, **said.values}

    def log_lines(self) -> Sequence[str]:
        """Return the newest lines of the log, the oldest first."""
        return [hide_secrets(line) for line in self._log.lines()]

    def check_machine(self) -> str:
        """Return what the doctor finds while the table runs: all but what needs the devices for itself."""
        return hide_secrets(self._run("doctor", str(self._file), may_fail=True))

    # ---- files ----

    def bug_report(self) -> bytes:
        """Return a bug report, as a zip file. It contains no secret, and what the service may not read is missing."""
        return self._file_of("report", "--config", str(self._file))

    def backup(self) -> bytes:
        """Return a backup, as a zip file. Refused while a game is in play, because it contains where Mister X is."""
        before = self._seat.begun
        if self._seat.in_play:
            raise CannotServeOwner(IN_PLAY)
        made = self._file_of("backup", "--config", str(self._file))
        if self._seat.in_play or self._seat.begun != before:  # a game has begun meanwhile, and may be in it
            raise CannotServeOwner(IN_PLAY)
        return made

    def _file_of(self, *words: str) -> bytes:
        """Return the file that a command writes."""
        with TemporaryDirectory(prefix="yardboard-") as folder:
            out = Path(folder, "out.zip")
            self._run(*words, str(out))
            return out.read_bytes()

    def _run(self, *words: str, may_fail: bool = False) -> str:
        """Run one of our commands, one at a time, and return its output.

        Raises:
            CannotServeOwner: another one runs, or it fails.
        """
        if not self._working.acquire(blocking=False):
            raise CannotServeOwner(gettext_noop("The table is doing that for you already; wait a moment"), 503)
        try:
            done = subprocess.run(  # noqa: S603 - this program, by this interpreter
                ("nice", sys.executable, "-m", "firmware_host", *words),  # noqa: S607 - coreutils
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise CannotServeOwner(f"yardboard {words[0]}: {type(error).__name__}", 500) from None
        finally:
            self._working.release()
        complaints = done.stderr.decode("utf-8", "replace")
        if done.returncode and not may_fail:
            raise CannotServeOwner(hide_secrets(complaints.strip()) or f"yardboard {words[0]} fails", 500)
        return done.stdout.decode("utf-8", "replace") + complaints * may_fail

    # ---- requests to root ----

    def take_package(self, name: str, offset: int, content: bytes) -> dict[str, Any]:
        """Take a piece of a package, before which there are `offset` bytes. Return its size and digest so far.

        A piece that does not follow the last one changes nothing: its sender sees where to go on.
        """
        if not _PACKAGE.fullmatch(name):
            raise CannotServeOwner(gettext_noop("A package is a file such as yardboard_0.2.0_arm64.deb"), 400)
        with self._uploading, self._storing():
            if offset == 0:
                self._upload = _Upload(self._requests / PACKAGES, name)
            if self._upload is None or self._upload.name != name:
                raise CannotServeOwner(gettext_noop("Another package is being sent; begin again"))
            if offset == self._upload.size:
                self._upload.add(content)
            return {"size": self._upload.size, "sha256": self._upload.sha256}

    def ask_root(self, what: str) -> str:
        """Ask root for "restart", "power-off", or "update" to the package that has come. Return the request's id."""
        if what == "power-off" and self._config.simulated:
            raise CannotServeOwner(gettext_noop("This table is simulated: nothing is switched off."))
        if what in _PLAIN:
            return self._post(_PLAIN[what])
        with self._uploading:
            if what != "update" or self._upload is None:
                raise CannotServeOwner(gettext_noop("Send a package first"), 400)
            upload = self._upload
            return self._post(lambda: Update(upload.finish(), upload.sha256))

    def outcome(self, name: str) -> dict[str, Any]:
        """Return what became of a request to root, as JSON values; the state is null while root has not seen it."""
        try:
            found = read_outcome(self._requests, name)
        except (RequestError, OSError) as error:
            raise CannotServeOwner(str(error), 404) from None
        return {"state": None, "text": ""} if found is None else {"state": found.state.value, "text": found.text}

    def _post(self, make: Callable[[], AnyRequest]) -> str:
        try:
            with self._storing():
                return post_request(self._requests, make())
        except RequestError as error:
            raise CannotServeOwner(str(error), 400) from None

    @contextmanager
    def _storing(self) -> Iterator[None]:
        """Refuse what cannot be stored, as on a full disk."""
        try:
            yield
        except OSError as error:
            if self._upload is not None:
                self._upload.discard()
            self._upload = None
            why = error.strerror or type(error).__name__
            raise CannotServeOwner(translatable(gettext_noop("It cannot be stored: {why}"), why=why), 507) from None


class _Upload:
    """A package on its way: a file that gets its name when it is whole. No other package is kept beside it.

    Raises:
        OSError: it cannot be written, or becomes too large.
    """

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
        self.name, self.size = name, 0
        self._part, self._place = folder / ".part", folder / name
        self._part.touch(mode=0o600, exist_ok=False)
        self._hash = hashlib.sha256()

    @property
    def sha256(self) -> str:
        return self._hash.hexdigest()

    def add(self, content: bytes) -> None:
        if self.size + len(content) > LARGEST_PACKAGE:
            raise OSError(27, f"a package has at most {LARGEST_PACKAGE:,} bytes")
        with self._part.open("ab") as file:
            file.write(content)
        self._hash.update(content)
        self.size += len(content)

    def discard(self) -> None:
        """Free its room, which the journal may need."""
        for file in (self._part, self._place):
            with suppress(OSError):
                file.unlink(missing_ok=True)

    def finish(self) -> str:
        if self._part.exists():
            self._part.rename(self._place)
        return self.name


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _listed(found: Sequence[FieldComplaint]) -> list[list[str]]:
    return [[one.section, one.key, hide_secrets(one.text)] for one in found]
