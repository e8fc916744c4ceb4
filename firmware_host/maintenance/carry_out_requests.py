"""Define the command `carry-out-requests`, by which root carries out or refuses requests.

The requests come from the table's user; see `firmware_host.system.owner_requests`. A unit of systemd runs the command
whenever there is a request. The table's user is not trusted: anyone who controls the daemon can write any file into the
folder of requests. So root carries out only requests that give that user no new rights. docs/threats.md lists the
refused requests, with reasons.

A request is carried out at most once, because it is removed from the disk first.
"""

from __future__ import annotations

import logging
import os
import stat
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, Protocol

import click

from firmware_host.config.allowed_values import keys
from firmware_host.config.loader import parse
from firmware_host.config.schema import SECTIONS
from firmware_host.config.toml_file import ConfigError, complaint, contents, digest, toml
from firmware_host.maintenance.request_folder import RequestFolder, UntrustedFile
from firmware_host.maintenance.service_setup import GAMES, NAME, TABLE, drop_ins, installed_drop_ins
from firmware_host.system import owner_requests
from firmware_host.system.boot_clock import boot_id
from firmware_host.system.event_log import log_fields, log_to_stderr
from firmware_host.system.files import replace_file
from firmware_host.system.owner_requests import (
    POWERING_OFF,
    ApplyConfiguration,
    BadRequest,
    PostedRequest,
    PowerOff,
    RequestError,
    RequestOutcome,
    RequestState,
    Restart,
    Update,
    read_request,
)

log = logging.getLogger("yardboard")

KEPT_CONFIGURATIONS = 5
"""The most former configurations that are kept beside the file, as table.toml.1, the newest, to table.toml.5."""

ALLOW_UPDATES = Path("/etc/yardboard/allow-update-requests")
"""The file with which root allows updates by request: then anyone who controls the daemon can become root."""

_FILES = (("game", "rules"), ("map", "name"), ("mqtt", "ca_file"))
"""The keys that name a file, apart from those that only root may change."""

_LONGEST_ANSWER = 20_000


class RefusedRequest(RequestError):
    """The error that a request is refused, or has failed. The message is for the owner."""


class HostMachine(Protocol):
    """The interface for changes of the machine that requests ask for, apart from the configuration."""

    def restart_table(self) -> bool:
        """Restart the table. Return whether it started successfully."""

    def installed_drop_ins(self) -> set[str]:
        """Return the names of the drop-ins that the table's service has."""

    def power_off(self) -> None:
        """Start to shut the machine down."""

    def update(self, package: str, sha256: str) -> str:
        """Install a package, given by its path or address. Return what was done.

        Raises:
            RefusedRequest: the package is not installed, and the former version runs.
        """


class _SystemdMachine:
    """The machine on which this program runs. Implements `HostMachine`."""

    def restart_table(self) -> bool:
        return subprocess.run(("systemctl", "restart", NAME), check=False).returncode == 0  # noqa: S603, S607 - systemd's

    def installed_drop_ins(self) -> set[str]:
        return installed_drop_ins()

    def power_off(self) -> None:
        subprocess.run(("systemctl", "poweroff"), check=True)  # noqa: S607 - systemd's

    def update(self, package: str, sha256: str) -> str:
        """Run `yardboard update` in a unit of its own, because this unit may not write the program's files."""
        words = ("systemd-run", "--quiet", "--collect", "--wait", "--pipe", "yardboard", "update")
        done = subprocess.run((*words, "--sha256", sha256, "--", package), capture_output=True, check=False)  # noqa: S603 - checked
        said = (done.stdout + done.stderr).decode(errors="replace").strip()
        if done.returncode:
            raise RefusedRequest(said or "yardboard update has failed; `journalctl -u yardboard-requests` says why")
        return said


@dataclass(frozen=True, slots=True)
class RequestHandler:
    """A handler of requests, which carries each one out or refuses it.

    Attributes:
        table: the table's configuration.
        machine: carries out everything in a request but a new configuration.
        scratch: a folder of root's for packages.
        may_update: whether root allows updates by request.
    """

    table: Path
    machine: HostMachine
    scratch: Path
    may_update: bool

    def handle_all(self, folder: Path) -> None:
        """Carry out or refuse all requests in a folder, the oldest first, and remove them.

        Raises:
            UntrustedFile: `folder` is not a folder of the table's user.
            OSError: a request cannot be removed; then it is not carried out.
        """
        try:
            opened = RequestFolder(folder)
        except FileNotFoundError:
            return  # nothing was ever asked
        with opened as requests:
            for name in requests.names():
                self._handle(requests, name)

    def _handle(self, requests: RequestFolder, name: str) -> None:
        """Carry out or refuse one request. Do not log its text, which may contain a password."""
        posted, fault = None, ""
        try:
            posted = read_request(requests.read(name))
        except FileNotFoundError:
            return  # the user has removed it
        except UntrustedFile as error:
            fault = str(error)
        except BadRequest as error:
            fault = "breaks the rules of its format"
            _answer(requests, name, _refused(str(error)))
        except OSError as error:
            fault = error.strerror or "cannot be read"
        if not requests.remove(name):
            return  # another run of this program has taken it
        if posted is None:
            log.warning("A request was refused: %s", fault, extra=log_fields("request", outcome="refused"))
            return
        kind = str(posted.request.__struct_config__.tag)
        _answer(requests, name, RequestOutcome(RequestState.BEGUN))
        try:
            outcome = RequestOutcome(RequestState.DONE, self._carry_out(requests, name, posted))
        except RequestError as error:
            outcome = _refused(str(error))
        except (OSError, subprocess.SubprocessError) as error:
            outcome = _refused(f"It failed: {getattr(error, 'strerror', None) or type(error).__name__}")
        except MemoryError:  # LimitDATA= of the unit
            outcome = _refused("It needs more memory than a request may use.")
        _answer(requests, name, outcome)
        level = logging.INFO if outcome.state is RequestState.DONE else logging.WARNING
        said = log_fields("request", kind=kind, outcome=outcome.state.value)
        log.log(level, "The request %s: %s", kind, outcome.state.value, extra=said)

    def _carry_out(self, requests: RequestFolder, name: str, posted: PostedRequest) -> str:
        """Carry out a request. Return what was done.

        Raises:
            RequestError: the request is refused, or has failed. Configuration and program are the former ones, but the
                table may have been restarted, or may not run.
            OSError, subprocess.SubprocessError: a file cannot be written, or a command fails.
        """
        if not posted.is_current():
            raise RefusedRequest("The request was posted too long ago, or before this machine was started; ask again.")
        match posted.request:
            case ApplyConfiguration():
                return _apply(posted.request, self.table, self.machine, requests.owner)
            case Restart():
                if not self.machine.restart_table():
                    raise RefusedRequest("The table did not start again; `journalctl -u yardboard` says why.")
                return "The table was restarted."
            case PowerOff():
                done = "The machine shuts down."
                _answer(requests, name, RequestOutcome(RequestState.DONE, done))  # before the power goes off
                self._power_off(requests)
                return done
            case Update(package, sha256):
                return self._update(requests, package, sha256)

    def _power_off(self, requests: RequestFolder) -> None:
        """Shut the machine down. `yardboard dark` then says on the public display when to pull the plug."""
        with suppress(OSError):  # also on a full disk
            requests.write(POWERING_OFF, boot_id().encode())
        try:
            self.machine.power_off()
        except BaseException:
            requests.remove(POWERING_OFF)
            raise

    def _update(self, requests: RequestFolder, package: str, sha256: str) -> str:
        if not self.may_update:
            raise RefusedRequest(
                "Updates by request are off, because they give anyone who controls the table all rights on this "
                f"machine. Run `sudo yardboard update` there, or allow them: sudo touch {ALLOW_UPDATES}"
            )
        if package.startswith("https://"):
            return self.machine.update(package, sha256)
        with TemporaryDirectory(dir=self.scratch) as folder:
            copy = Path(folder, package)
            requests.copy_package(package, sha256, copy)
            return self.machine.update(str(copy), sha256)


def _refused(text: str) -> RequestOutcome:
    return RequestOutcome(RequestState.REFUSED, text[:_LONGEST_ANSWER])


def _answer(requests: RequestFolder, name: str, outcome: RequestOutcome) -> None:
    """Write the outcome of a request. If that fails, only log it."""
    try:
        requests.write_outcome(name, outcome)
    except OSError as error:
        log.warning("An outcome cannot be written: %s", error.strerror, extra=log_fields("request"))


# ---- a new configuration ----


def _apply(asked: ApplyConfiguration, table: Path, machine: HostMachine, owner: tuple[int, int]) -> str:
    """Replace the configuration and restart the table. If it does not start, restore the former configuration."""
    said = table.lstat()
    if not stat.S_ISREG(said.st_mode):
        raise RefusedRequest(f"{table}: is not a regular file; change it on the machine.")
    text, former = asked.text, table.read_bytes()
    if text.encode() == former:
        return "The configuration is already so."
    try:
        old = contents(table)
    except ConfigError as error:
        raise RefusedRequest(complaint(error)) from None
    if digest(old) != asked.former_sha256:
        raise RefusedRequest("The file was changed meanwhile. Load the settings again; nothing was saved.")
    _check_rights(text, old, table, machine.installed_drop_ins(), owner)
    _keep(table, former, said)
    _replace(table, text.encode(), said)
    if machine.restart_table():
        return "The table runs with the new configuration."
    _replace(table, former, said)
    runs = "runs" if machine.restart_table() else "should run"
    raise RefusedRequest(
        "The table did not start with the new configuration. The former configuration is in place again, and the table "
        f"{runs} with it; "
        "`journalctl -u yardboard` says why."
    )


def _keep(table: Path, former: bytes, like: os.stat_result) -> None:
    """Copy the former configuration beside the new one, unless the newest copy is the same.

    Only the newest few copies are kept.
    """
    kept = [table.with_name(f"{table.name}.{number}") for number in range(1, KEPT_CONFIGURATIONS + 1)]
    if kept[0].exists() and kept[0].read_bytes() == former:
        return
    for newer, older in reversed([*pairwise(kept)]):
        if newer.exists():
            newer.replace(older)
    _replace(kept[0], former, like)


def _replace(path: Path, content: bytes, like: os.stat_result) -> None:
    """Replace a file atomically, with the mode and owner of the configuration."""

    def finish(handle: int) -> None:
        os.fchmod(handle, stat.S_IMODE(like.st_mode))  # before the owner changes: later this may be refused
        os.fchown(handle, like.st_uid, like.st_gid)

    replace_file(path, content, finish=finish)


def _check_rights(text: str, former: str, table: Path, installed: set[str], owner: tuple[int, int]) -> None:
    """Check that a new configuration is valid, and gives the table's user no new rights.

    Raises:
        RefusedRequest: the configuration is invalid, or gives new rights.
    """
    try:
        new, old = toml(text, table.name), toml(former, table.name)
    except ConfigError as error:
        raise RefusedRequest(complaint(error)) from None
    if forbidden := _new_rights(old, new):
        raise RefusedRequest("\n".join(forbidden))
    try:
        with _acting_as(owner):  # no more files can be named than the table itself may read
            config = parse(text, str(table), folder=table.parent)
            config.require_devices()
            needed = set(drop_ins(config)) - _used_drop_ins(former, table) - installed
    except ConfigError as error:
        raise RefusedRequest(complaint(error)) from None
    if needed:
        raise RefusedRequest(
            f"{table.name}: needs more rights than the service has ({', '.join(sorted(needed))}); change the file on "
            "the machine and run `sudo yardboard setup`."
        )


def _used_drop_ins(text: str, table: Path) -> set[str]:
    """Return the names of the drop-ins that a configuration needs. Empty if it cannot be used."""
    try:
        return set(drop_ins(parse(text, str(table), folder=table.parent)))
    except ConfigError:
        return set()


def _new_rights(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return a line for each change of a configuration that only root may make. Pure."""
    found = [
        f"[{section}] {key}: is changed on the machine alone; it says how devices are wired."
        for section, kind in SECTIONS.items()
        for key, meaning in keys(kind).items()
        if meaning.wiring and _value(old, section, key) != _value(new, section, key)
    ]
    if old.get("players") != new.get("players"):
        found.append("[players]: programs are named on the machine alone; a request cannot add or change one.")
    if _value(old, "journal", "path") != _value(new, "journal", "path"):
        found.append("[journal] path: is changed on the machine alone; root's backup and restore use it.")
    if password := _value(new, "mqtt", "password_file"):
        if password != _value(old, "mqtt", "password_file"):  # its content goes to another machine
            found.append("[mqtt] password_file: is changed on the machine alone.")
        else:  # the address says where it goes, the certificate who can pretend to be there
            found += [
                f"[mqtt] {key}: is changed on the machine alone while a password is sent there."
                for key in ("url", "ca_file")
                if _value(old, "mqtt", key) != _value(new, "mqtt", key)
            ]
    for section, key in _FILES:
        path = _value(new, section, key)
        parts = PurePosixPath(path).parts if isinstance(path, str) else ()
        if path != _value(old, section, key) and not {"/", "..", "//"}.isdisjoint(parts):
            found.append(f"[{section}] {key}: a request can name a file beside the configuration only.")
    return found


def _value(data: Mapping[str, Any], section: str, key: str) -> object:
    table = data.get(section)
    return table.get(key) if isinstance(table, dict) else None


@contextmanager
def _acting_as(owner: tuple[int, int]) -> Iterator[None]:
    """Access files with only another user's rights within the `with`.

    That user still cannot end this process or read its memory.
    """
    user, group, groups = os.geteuid(), os.getegid(), os.getgroups()
    if user == 0:
        os.setgroups([])
    os.setegid(owner[1])
    os.seteuid(owner[0])
    try:
        yield
    finally:
        os.seteuid(user)
        os.setegid(group)
        if user == 0:
            os.setgroups(groups)


@click.command("carry-out-requests")
def carry_out_requests() -> None:
    """Carry out or refuse what the table's user has asked root for.

    The unit yardboard-requests.service runs this command. By a file in its folder the table asks for a new
    configuration, a restart, an update or power off.
    """
    with log_to_stderr("info", "text"):
        try:
            scratch = Path(os.environ.get("RUNTIME_DIRECTORY", gettempdir()))
            handler = RequestHandler(Path(TABLE), _SystemdMachine(), scratch, may_update=ALLOW_UPDATES.exists())
            handler.handle_all(Path(GAMES, owner_requests.FOLDER))
        except (UntrustedFile, OSError) as error:
            raise click.ClickException(str(error)) from None


COMMANDS: tuple[click.Command, ...] = (carry_out_requests,)
"""The commands, for the command line."""
