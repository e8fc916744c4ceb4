"""Carry out the owner's requests besides orders to the game, such as settings, backups, updates and power-off.

The daemon has no special rights. For a task that needs root it posts a request (`firmware_host.system.owner_requests`),
and the page shows the outcome. A task that is slow, or needs many modules, runs as a command in a process of its own.
So the table's memory stays small, and no pass of its loop waits.
"""

from __future__ import annotations

import errno
import hashlib
import logging
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from firmware_host.config.drivers.registry import DEVICES
from firmware_host.config.loader import Config, state_folder
from firmware_host.config.toml_file import ConfigError, complaint, contents, digest
from firmware_host.daemon import health_file
from firmware_host.daemon.health_file import NoHealth
from firmware_host.daemon.owner_seat import OwnerSeat
from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.event_log import RecentLines
from firmware_host.system.files import Task, at_once
from firmware_host.system.language import gettext, gettext_noop
from firmware_host.system.owner_requests import (
    FOLDER,
    PACKAGES,
    REQUEST,
    AnyRequest,
    ApplyConfiguration,
    PowerOff,
    RequestError,
    Restart,
    TooManyRequests,
    Update,
    is_root_busy,
    post_request,
    read_outcome,
    withdraw_request,
)
from firmware_host.system.secret_texts import hide_secrets
from firmware_host.web.seats.owner_access import NAME, OwnerAccess
from firmware_host.web.seats.owner_routes import OwnerAnswer, secret_json
from firmware_host.web.seats.seat_requests import SECRET_ANSWER, RequestRefused, decode_body

if TYPE_CHECKING:
    from firmware_host.config.settings_form import SettingChanges

LINES = 300
"""How many lines of the log are kept for the owner's pages."""

LONGEST_FORM = 100_000
"""The most bytes of changed settings."""

LONGEST_PIECE = 1_000_000
"""The most bytes in one piece of a package. Even a slow line sends a piece within the time limit of a connection."""

LARGEST_PACKAGE = 100_000_000
"""The most bytes of a package; one of ours has about ten million."""

KEPT = 3600.0
"""Seconds that a package is kept if nobody sends more of it or installs it: longer than a request is valid."""

PATIENCE = 300.0
"""Seconds that a command may take in a process of its own."""

IN_PLAY = gettext_noop("A backup contains where Mister X is: it can be made when no game is in play")
"""The refusal of a backup during a game."""

SCREENS_IN_PLAY = gettext_noop("Screens, keys and switches can be changed when no game is in play")
"""The refusal of settings that could show everyone Mister X's screen."""

CHANGED_MEANWHILE = gettext_noop("The file was changed meanwhile. Load the settings again; nothing was saved")
"""The refusal of changed settings if the file has changed since the page loaded it."""

_SECRET_KEEPING = frozenset(DEVICES) - {"lamps"}
"""The sections of switches, keys and screens: a page cannot change them during a game."""

_PACKAGE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+~-]{0,150}\.deb")
_OFFSET = re.compile("[0-9]{1,12}")
_TIDY = 60.0  # seconds between two looks at the package


class _AskedOfRoot(Struct, forbid_unknown_fields=True):
    do: Literal["restart", "power-off", "update"]


class TableDesk:
    """An object that carries out the owner's requests at one table.

    It implements `web.seats.owner_routes.OwnerDesk`.

    Any thread may call its methods. They may take long, and raise `RequestRefused`.

    Args:
        config: the table's configuration.
        seat: knows whether a game is in play.
        writing: runs slow file tasks.
        now: seconds since the machine started.

    Raises:
        ConfigError: there is no folder for its files.
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
        self._config, self._seat, self._writing, self._now = config, seat, writing, now
        self._file = Path(config.source).absolute()
        self._requests = state_folder() / FOLDER
        self._package, self._tidy_at = PackageUpload(self._requests, now), now()
        self._log = RecentLines(LINES)
        logging.getLogger().addHandler(self._log)
        self._working = threading.Lock()
        self._applied = ""
        with suppress(RequestRefused):  # removed since it was loaded
            self._applied = digest(self._text())

    def answers(self) -> list[OwnerAnswer]:
        """Return the handler of each kind of request from the owner's pages."""

        def values(make: Callable[[], object]) -> Callable[[Request, bytes], Response]:
            return lambda *_: secret_json(make())

        def file(make: Callable[[], bytes]) -> Callable[[Request, bytes], Response]:
            return lambda *_: Response(make(), media_type="application/zip", headers=SECRET_ANSWER)

        return [
            OwnerAnswer("GET", "/owner/settings", values(self.settings)),
            OwnerAnswer("POST", "/owner/settings", self._save, LONGEST_FORM),
            OwnerAnswer("GET", "/owner/health", values(self.health)),
            OwnerAnswer("GET", "/owner/log", values(lambda: {"lines": self.log_lines()})),
            OwnerAnswer("POST", "/owner/check", values(lambda: {"text": self.check_machine()})),
            OwnerAnswer("POST", "/owner/report", file(self.bug_report)),
            OwnerAnswer("POST", "/owner/backup", file(self.backup)),
            OwnerAnswer("POST", "/owner/package", self._take_package, LONGEST_PIECE),
            OwnerAnswer("POST", "/owner/requests", self._ask_root),
            OwnerAnswer(
                "GET", "/owner/requests/{name}", lambda one, _: secret_json(self.outcome(one.path_params["name"]))
            ),
            OwnerAnswer(
                "POST", "/owner/requests/{name}/withdraw", lambda one, _: self._withdraw(one.path_params["name"])
            ),
        ]

    def attend(self) -> None:
        """Remove an uploaded package that has been unused for a while. Call this after each pass of the table."""
        if self._now() >= self._tidy_at:
            self._tidy_at = self._now() + _TIDY
            self._writing(self._package.remove_unused)

    def close(self) -> None:
        """Stop collecting lines of the log."""
        logging.getLogger().removeHandler(self._log)

    # ---- settings ----

    def settings(self) -> dict[str, Any]:
        """Return the configuration as a form, as JSON values."""
        from firmware_host.config.settings_form import complaints, form_sections  # noqa: PLC0415 - few tables need it

        text = self._text()
        try:
            sections = form_sections(text, self._file.name)
        except ConfigError as error:
            raise RequestRefused(complaint(error), 409) from None
        return {
            "file": str(self._file),
            "digest": digest(text),
            "applied": digest(text) == self._applied,
            "games": [box.name for box in self._config.boxes],
            "programs": list(self._config.players),
            "sections": sections,
            "complaints": complaints(text, self._file),
        }

    def _save(self, _: Request, body: bytes) -> Response:
        from firmware_host.config.settings_form import SettingChanges  # noqa: PLC0415 - few tables need it

        said = self.save_settings(decode_body(body, SettingChanges, "{digest: …, changes: […]}"))
        return secret_json(said, 202 if "request" in said else 422)

    def save_settings(self, asked: SettingChanges) -> dict[str, Any]:
        """Ask root to apply changed settings, and return the id of the request to root.

        If the new settings are invalid, ask nothing and return the complaints by field.
        """
        from firmware_host.config.settings_form import apply_changes, complaints  # noqa: PLC0415 - few tables need it

        text = self._text()
        if digest(text) != asked.digest:
            raise RequestRefused(gettext(CHANGED_MEANWHILE), 409)
        if self._seat.in_play and any(one.section in _SECRET_KEEPING for one in asked.changes):
            raise RequestRefused(gettext(SCREENS_IN_PLAY), 409)
        try:
            new = apply_changes(text, asked.changes, self._file.name)
        except ConfigError as error:
            raise RequestRefused(complaint(error), 400) from None
        if found := complaints(new, self._file):
            return {"complaints": found}
        return {"request": self._post(ApplyConfiguration(new, asked.digest))}

    def _text(self) -> str:
        try:
            return contents(self._file)
        except ConfigError as error:
            raise RequestRefused(complaint(error), 409) from None

    # ---- health ----

    def health(self) -> dict[str, Any]:
        """Return the content of the table's health file, with its age, as JSON values."""
        try:
            said = health_file.read(health_file.place(self._config), time.time())
        except NoHealth as error:
            raise RequestRefused(str(error), 503) from None
        return {"age_s": round(said.age, 1), "fresh": said.fresh, **said.values}

    def log_lines(self) -> list[str]:
        """Return the newest lines of the log, the oldest first."""
        return [hide_secrets(line) for line in self._log.lines()]

    def check_machine(self) -> str:
        """Return the output of `yardboard doctor`, without checks that need exclusive use of the devices."""
        return hide_secrets(self._run("doctor", str(self._file), may_fail=True))

    # ---- files ----

    def bug_report(self) -> bytes:
        """Return a bug report, as a zip file without secrets. It omits files that the service may not read."""
        return self._file_of("report", "--config", str(self._file))

    def backup(self) -> bytes:
        """Return a backup, as a zip file.

        Refuse this while a game is in play, because a backup reveals Mister X's station.
        """
        before = self._seat.begun
        if not self._seat.in_play:
            made = self._file_of("backup", "--config", str(self._file))
            if not self._seat.in_play and self._seat.begun == before:  # else a game in play may be in it
                return made
        raise RequestRefused(gettext(IN_PLAY), 409)

    def _file_of(self, *words: str) -> bytes:
        """Run a subcommand of `yardboard` that writes a file, and return the content of the file."""
        with TemporaryDirectory(prefix="yardboard-") as folder:
            out = Path(folder, "out.zip")
            self._run(*words, str(out))
            return out.read_bytes()

    def _run(self, *words: str, may_fail: bool = False) -> str:
        """Run a subcommand of `yardboard` and return its output. Only one subcommand runs at a time."""
        if not self._working.acquire(blocking=False):
            raise RequestRefused(gettext("The table is doing that for you already; wait a moment"), 503)
        try:
            done = subprocess.run(  # noqa: S603 - this program, by this interpreter
                ("nice", sys.executable, "-m", "firmware_host", *words),  # noqa: S607 - coreutils
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            why = f"yardboard {words[0]}: cannot run, or does not end ({type(error).__name__}); see the table's log"
            raise RequestRefused(why, 500) from None
        finally:
            self._working.release()
        complaints = done.stderr.decode("utf-8", "replace")
        if done.returncode and not may_fail:
            why = hide_secrets(complaints.strip()) or f"yardboard {words[0]}: failed with {done.returncode}"
            raise RequestRefused(why, 500)
        return done.stdout.decode("utf-8", "replace") + complaints * may_fail

    # ---- requests to root ----

    def _take_package(self, request: Request, content: bytes) -> Response:
        name, offset = (request.query_params.get(key, "") for key in ("name", "offset"))
        if not _OFFSET.fullmatch(offset):
            raise RequestRefused(f"offset: {offset!r:.40} is not a whole number; write ?name=…&offset=0", 400)
        return secret_json(self._package.take(name, int(offset), content))

    def _ask_root(self, _: Request, body: bytes) -> Response:
        what = decode_body(body, _AskedOfRoot, '{do: …} with "restart", "power-off" or "update"').do
        if what == "power-off" and self._config.simulated:
            raise RequestRefused(gettext("This table is simulated: nothing is switched off."), 409)
        match what:
            case "restart":
                request: AnyRequest = Restart()
            case "power-off":
                request = PowerOff()
            case "update":
                request = self._package.to_request()
        return secret_json({"request": self._post(request)}, 202)

    def outcome(self, name: str) -> dict[str, Any]:
        """Return the outcome of a request to root, as JSON values.

        Until root has seen the request, the state is null, or "busy" while root carries out another one.
        """
        try:
            found = read_outcome(self._requests, name)
        except (RequestError, OSError) as error:
            raise RequestRefused(str(error), 404) from None
        if found is None:
            return {"state": "busy" if is_root_busy(self._requests) else None, "text": ""}
        return {"state": found.state.value, "text": found.text}

    def _withdraw(self, name: str) -> Response:
        try:
            withdraw_request(self._requests, name)
        except (RequestError, OSError) as error:
            raise RequestRefused(str(error), 404) from None
        return secret_json({})

    def _post(self, request: AnyRequest) -> str:
        try:
            return post_request(self._requests, request)
        except TooManyRequests:
            raise RequestRefused(gettext("Too many requests wait already; try again in ten minutes"), 503) from None
        except RequestError as error:
            raise RequestRefused(str(error), 400) from None
        except OSError as error:
            raise _not_stored(error) from None


class PackageUpload:
    """The package that a page sends to the table, alone in its folder. Any thread may call every method.

    Args:
        requests: the folder of requests to root.
        now: seconds of a clock that never runs backwards.
    """

    def __init__(self, requests: Path, now: Callable[[], float]) -> None:
        self._folder, self._now, self._lock = requests / PACKAGES, now, threading.Lock()
        self._name, self._size, self._hash, self._used_at = "", 0, hashlib.sha256(), now()
        if not any(requests.glob(f"*{REQUEST}")):  # else root may still install what an earlier run has taken
            self._remove()

    def take(self, name: str, offset: int, content: bytes) -> dict[str, Any]:
        """Store one piece of a package. Return the size and digest of the package so far.

        A piece with `offset` 0 begins a package again. Any other piece whose `offset`, in bytes, is not the present
        size changes nothing. The returned size shows the sender where to continue.

        Raises:
            RequestRefused: `name` is not a package's, the piece belongs to another package, makes the package too
                long, or cannot be written.
        """
        if not _PACKAGE.fullmatch(name):
            raise RequestRefused(
                gettext("This is not a package; a package is a file such as yardboard_0.2.0_arm64.deb"), 400
            )
        with self._lock:
            try:
                if offset == 0:
                    self._remove()
                    self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                    (self._folder / name).touch(mode=0o600, exist_ok=False)
                    self._name = name
                if name != self._name:
                    raise RequestRefused(gettext("Another package is being sent; begin again"), 409)
                if offset == self._size:
                    self._append(content)
            except OSError as error:
                self._remove()
                raise _not_stored(error) from None
            self._used_at = self._now()
            return {"size": self._size, "sha256": self._hash.hexdigest()}

    def to_request(self) -> Update:
        """Return the request to install the package.

        Raises:
            RequestRefused: there is no package.
        """
        with self._lock:
            if not self._name:
                raise RequestRefused(gettext("Send a package first"), 400)
            self._used_at = self._now()
            return Update(self._name, self._hash.hexdigest())

    def remove_unused(self) -> None:
        """Remove the package if no page has sent more of it or asked to install it for a while."""
        with self._lock:
            if self._now() >= self._used_at + KEPT:
                self._remove()

    def _append(self, content: bytes) -> None:
        if self._size + len(content) > LARGEST_PACKAGE:
            raise OSError(errno.EFBIG, f"a package has at most {LARGEST_PACKAGE:,} bytes")
        with (self._folder / self._name).open("ab") as file:
            file.write(content)
        self._hash.update(content)
        self._size += len(content)

    def _remove(self) -> None:
        """Remove all packages, because the journal may need the space."""
        self._name, self._size, self._hash = "", 0, hashlib.sha256()
        with suppress(OSError):
            for file in self._folder.iterdir():
                file.unlink()


def _not_stored(error: OSError) -> RequestRefused:
    why = error.strerror or type(error).__name__
    return RequestRefused(gettext("It cannot be stored: {why}", why=why), 507)
