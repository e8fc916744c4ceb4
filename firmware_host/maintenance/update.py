"""Update the Debian package, and go back to the previous version if the new one does not run.

Everything is in one folder of root's. The installed version is packed into `BEFORE` first. From then until the new
version runs, the folder has the file `UNFINISHED`: if it is there when the machine starts, `yardboard-update.service`
installs `BEFORE`. So after a power cut at any moment one whole version starts.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import signal
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, Protocol

import click

from firmware_host.daemon import health_file
from firmware_host.journal import sqlite_store
from firmware_host.maintenance.service_setup import BOOTED, NAME, MaintenanceError, last_words, require_root, run
from firmware_host.system.files import replace_file, sync_folder
from firmware_host.system.plain_faults import reading_fault, writing_fault
from firmware_host.system.terminal import echo
from hardware.ports import PACKAGED

FOLDER = Path("/var/lib/yardboard-update")
"""The folder of updates. Only root may see it."""

NEW, BEFORE, UNFINISHED = "new.deb", "before.deb", "unfinished"

_PACK = "pack-"
"""The prefix of the name of the folder in which a package is put together."""

PRISTINE = f"{PACKAGED}/conffiles"
"""The folder with the configuration files as the package brings them; dpkg keeps only digests."""

WRITES, READS = "Yardboard-Journal-Writes", "Yardboard-Journal-Reads"
"""The fields of a package with the versions of the journal's file."""

PATIENCE = 120.0
"""Seconds within which a new version must be ready to play."""

STEADY = 10.0
"""Seconds for which the new version must then keep running."""

FAILURES = 2
"""The number of restarts after which the new version is given up."""

_MOST = 1 << 28
"""The most bytes of a package."""


@dataclass(frozen=True, slots=True)
class ServiceState:
    """The state of the service: whether its table can be played, its process, and its restarts after failures."""

    ready: bool
    pid: int = 0
    failures: int = 0


class UpdatedSystem(Protocol):
    """The interface of a machine's packages and service. Any failure raises `MaintenanceError`."""

    def architecture(self) -> str:
        """Return Debian's name for the machine's architecture."""

    def installed(self) -> str:
        """Return the version of yardboard that is completely installed, or ""."""

    def fields(self, package: Path) -> Mapping[str, str]:
        """Return the fields of a package's control file."""

    def pack(self, out: Path) -> None:
        """Write a package that contains the installed files."""

    def install(self, package: Path) -> None:
        """Install a package over any version. This keeps the configuration and restarts the service."""

    def try_program(self) -> None:
        """Check that the installed program starts."""

    def service(self) -> ServiceState:
        """Return the service's state."""

    def in_play(self) -> bool:
        """Return whether a game is in play."""

    def last_words(self) -> str:
        """Return the last lines in the service's log."""

    def wait(self, seconds: float) -> None:
        """Wait for this many seconds."""


class DebianSystem:
    """This machine's packages and service. Implements `UpdatedSystem`."""

    def architecture(self) -> str:
        """Return Debian's name for the machine's architecture."""
        return run("dpkg", "--print-architecture").strip()

    def installed(self) -> str:
        """Return the version of yardboard that is completely installed, or ""."""
        with suppress(MaintenanceError):
            status, _, version = run("dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", NAME).partition(" ")
            if status == "ii":
                return version.strip()
        return ""

    def fields(self, package: Path) -> Mapping[str, str]:
        """Return the fields of a package's control file, after checking that the package is complete."""
        run("dpkg-deb", "--contents", str(package))
        lines = run("dpkg-deb", "--field", str(package)).splitlines()
        return {name: value for name, colon, value in (line.partition(": ") for line in lines) if colon}

    def pack(self, out: Path) -> None:
        """Write a package from the installed files, because dpkg does not keep the .deb file of an installed package.

        It has the configuration files as they were packaged, not as the user changed them.
        """
        for left in out.parent.glob(f"{_PACK}*"):  # by a power cut during an earlier update
            shutil.rmtree(left)
        with TemporaryDirectory(dir=out.parent, prefix=_PACK) as folder:
            tree, control = Path(folder), Path(folder, "DEBIAN")
            tree.chmod(0o755)
            for name in run("dpkg-query", "--listfiles", NAME).splitlines():
                source, target = Path(name), tree / name.lstrip("/")
                if (pristine := Path(f"{PRISTINE}{name}")).is_file():
                    source = pristine  # else dpkg would take the user's own for the package's, and ask at an update
                if source.is_dir() and not source.is_symlink():
                    target.mkdir(mode=0o755, parents=True, exist_ok=True)
                elif os.path.lexists(source):  # an administrator may have removed the configuration
                    shutil.copy2(source, target, follow_symlinks=False)
            control.mkdir()
            for name in run("dpkg-query", "--control-path", NAME).splitlines():
                shutil.copy2(name, control / Path(name).suffix[1:])
            fields, conffiles = _split_status(run("dpkg-query", "--status", NAME).splitlines())
            (control / "control").write_text("".join(f"{line}\n" for line in fields))
            # Without this list dpkg would write the package's configuration over the user's.
            (control / "conffiles").write_text(
                "".join(f"{name}\n" for name in conffiles if (tree / name[1:]).is_file())
            )
            run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", str(tree), str(out))

    def install(self, package: Path) -> None:
        """Install a package over any version. This keeps the configuration and restarts the service."""
        run("dpkg", "--force-confold", "--force-downgrade", "--install", str(package))

    def try_program(self) -> None:
        """Check that the installed program starts."""
        run("yardboard", "--version")

    def service(self) -> ServiceState:
        """Return the service's state."""
        if not BOOTED.is_dir():
            return ServiceState(ready=False)
        said = run("systemctl", "show", NAME, "--property=ActiveState,MainPID,NRestarts").splitlines()
        values = dict(line.partition("=")[::2] for line in said)
        return ServiceState(values["ActiveState"] == "active", int(values["MainPID"]), int(values["NRestarts"]))

    def in_play(self) -> bool:
        """Return whether a game is in play, as the service reports it."""
        try:
            return health_file.read(Path(health_file.RUNTIME, health_file.NAME), time.time()).in_play
        except health_file.NoHealth:
            return False

    def last_words(self) -> str:
        """Return the last lines in the service's log."""
        return last_words()

    def wait(self, seconds: float) -> None:
        """Wait for this many seconds."""
        time.sleep(seconds)


def _split_status(lines: list[str]) -> tuple[list[str], list[str]]:
    """Split a package's status into the lines for a control file and the paths of configuration files."""
    fields, conffiles, inside = list[str](), list[str](), False
    for line in lines:
        if inside and line.startswith(" "):
            name, *digest = line.split()
            if digest[-1:] != ["obsolete"]:
                conffiles.append(name)
            continue
        inside = line.startswith("Conffiles:")
        if not inside and not line.startswith("Status: "):
            fields.append(line)
    return fields, conffiles


def update(
    package: str | Path,
    sha256: str | None,
    *,
    force: bool = False,
    system: UpdatedSystem | None = None,
    folder: Path = FOLDER,
) -> str:
    """Install a package of yardboard. If its table does not run, go back to the previous version.

    Args:
        package: the path or the address of its file.
        sha256: the digest that the package must have, in hexadecimal digits; None for any.
        force: whether to update even while a game is in play.
        system: the machine; by default this one.
        folder: where packages are stored.

    Returns:
        A line about the version that runs now.

    Raises:
        MaintenanceError: the package was refused, or its version does not run. In the second case the previous version
            is installed again. The message says why, and whether the previous version runs.
    """
    system = system or DebianSystem()
    try:
        return _Update(system, folder).carry_out(package, sha256, force=force)
    except OSError as error:
        raise MaintenanceError(writing_fault(error.filename or folder, error, "make it writable")) from None


class _Update:
    def __init__(self, system: UpdatedSystem, folder: Path) -> None:
        self._system = system
        self._folder = folder
        self._new, self._before, self._unfinished = (folder / name for name in (NEW, BEFORE, UNFINISHED))

    def carry_out(self, package: str | Path, sha256: str | None, *, force: bool) -> str:
        self._refuse_in_play(force=force)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _locked(self._folder):
            self._fetch(package, sha256)
            try:
                return self._install_fetched(package, force=force)
            finally:
                self._new.unlink(missing_ok=True)

    def _install_fetched(self, package: str | Path, *, force: bool) -> str:
        system, fields = self._system, self._checked(package)
        broken_off = self._unfinished.exists()
        was = system.fields(self._before)["Version"] if broken_off else system.installed()
        if not was:
            raise MaintenanceError("yardboard is not fully installed; run: sudo apt install --reinstall ./PACKAGE.deb")
        if not broken_off:
            self._pack()
        self._refuse_in_play(force=force)  # fetching and packing have taken minutes
        was_ready = system.service().ready
        with _uninterrupted():
            replace_file(self._unfinished, f"{fields['Version']}\n".encode())
            try:
                system.install(self._new)
                self._wait_until_steady(was_ready or broken_off)
            except MaintenanceError as error:
                # If dpkg was refused, as by another that runs, nothing has changed.
                if self._system.installed() != was or fields["Version"] == was:
                    self._go_back(was, error.message, was_ready or broken_off)
                self._end()
                raise MaintenanceError(f"the new version was not kept, and {was} runs: {error.message}") from None
            self._end()
        return (
            f"yardboard {fields['Version']} is installed; before it was {was}. "
            f"To go back: sudo yardboard update {self._before}"
        )

    def _refuse_in_play(self, *, force: bool) -> None:
        if not force and self._system.in_play():
            raise MaintenanceError("a game is in play: end it first, or pause it for a minute with --force")

    def _fetch(self, package: str | Path, sha256: str | None) -> None:
        """Copy a package to a folder where nobody but root can change it, and check its digest."""
        text, digest, size = str(package), hashlib.sha256(), 0
        with _replaced_whole(self._new) as part:
            try:
                with _opened(text, may_change=sha256 is not None) as source, part.open("wb") as target:
                    while content := source.read(1 << 20):
                        digest.update(content)
                        size += target.write(content)
                        if size > _MOST:
                            raise MaintenanceError(
                                f"{text}: is larger than {_MOST >> 20} MB, so it is no package of yardboard; name one"
                            )
            except (OSError, ValueError, HTTPException) as error:  # urllib's own errors are OSError, too
                if isinstance(error, OSError) and error.strerror:
                    raise MaintenanceError(reading_fault(text, error)) from None
                raise MaintenanceError(f"{text}: cannot be read: {error}; check the name or the address") from None
            if sha256 is not None and digest.hexdigest() != sha256.strip().lower():
                raise MaintenanceError(
                    f"{text}: is damaged or another file: its SHA-256 is {digest.hexdigest()}, not {sha256}; fetch it "
                    "again, or correct --sha256"
                )

    def _checked(self, package: str | Path) -> Mapping[str, str]:
        """Return a package's fields after checking that it may be installed here."""
        try:
            fields = self._system.fields(self._new)
        except MaintenanceError:
            raise MaintenanceError(f"{package}: is not a Debian package, or is incomplete; fetch it again") from None
        ours, here = fields.get("Package", ""), self._system.architecture()
        if ours != NAME:
            raise MaintenanceError(f"{package}: is the package {ours!r}; name a package of yardboard")
        if fields.get("Architecture") != here:
            raise MaintenanceError(
                f"{package}: is for {fields.get('Architecture', 'no machine')}; this machine needs one for {here}"
            )
        writes, reads = fields.get(WRITES, ""), fields.get(READS, "").split()
        if writes not in map(str, sqlite_store.READABLE) or str(sqlite_store.VERSION) not in reads:
            raise MaintenanceError(
                f"{package}: writes journals of version {writes or 'unknown'}, so it and this yardboard could not "
                "read each other's games; install a version between the two first"
            )
        return fields

    def _pack(self) -> None:
        """Write a package of the installed version, completely or not at all."""
        with _replaced_whole(self._before) as part:
            self._system.pack(part)

    def _wait_until_steady(self, was_ready: bool) -> None:
        """Wait until the new version's table runs without restarts.

        If the table did not run before, only check that the program starts.

        Raises:
            MaintenanceError: the table does not run, or restarts.
        """
        self._system.try_program()
        if not was_ready:  # there is nothing to wait for: it was stopped, or did not run before either
            return
        waited, since, pid = 0.0, 0.0, 0
        counted = self._system.service().failures  # from before, until the service manager has restarted it
        while waited < PATIENCE:
            now = self._system.service()
            counted = min(counted, now.failures)
            if now.failures - counted >= FAILURES:
                break
            if not now.ready or now.pid != pid:
                since, pid = waited, now.pid
            elif waited - since >= STEADY:
                return
            self._system.wait(1.0)
            waited += 1.0
        raise MaintenanceError(f"the new version's table does not run:\n{self._system.last_words()}")

    def _go_back(self, was: str, why: str, was_ready: bool) -> None:
        """Install the previous version again.

        Raises:
            MaintenanceError: the previous version does not run either.
        """
        try:
            self._system.install(self._before)
            self._wait_until_steady(was_ready)
        except MaintenanceError as error:
            raise MaintenanceError(
                f"the new version cannot be kept: {why}\nThe previous version, {was}, does not run either: "
                f"{error.message}\nRestart this machine, which tries it again"
            ) from None

    def _end(self) -> None:
        self._unfinished.unlink()
        sync_folder(self._folder)


def _opened(package: str, *, may_change: bool) -> BinaryIO:
    """Open a package's file or address.

    Unless `may_change`, refuse an address without https: somebody could change the package on its way.
    """
    refused = "anybody on the way could change it; use https:// or --sha256"
    scheme = _scheme(package)
    if scheme not in ("", "http", "https"):
        raise MaintenanceError(f"{package}: cannot be fetched; name a file, or an address with https:// or http://")
    if scheme == "http" and not may_change:
        raise MaintenanceError(f"{package}: {refused}")
    if not scheme:
        return Path(package).open("rb")
    try:
        answer = urllib.request.urlopen(package, timeout=30)  # noqa: S310 - one of these two
    except urllib.error.HTTPError as error:
        error.close()  # the error keeps the connection open
        raise
    if _scheme(led := str(answer.geturl())) != "https" and not may_change:
        answer.close()
        raise MaintenanceError(f"{package}: the server redirects to {led}: {refused}")
    opened: BinaryIO = answer
    return opened


def _scheme(package: str) -> str:
    """Return an address's scheme in lower case, or "" for a file name. Pure."""
    return urllib.parse.urlsplit(package).scheme if "://" in package else ""


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold a lock within the `with` that keeps out other updates and `yardboard-update.service`.

    Raises:
        MaintenanceError: another update is running.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise MaintenanceError("another update is running; wait until it has ended") from None
        yield
    finally:
        os.close(handle)


@contextmanager
def _replaced_whole(file: Path) -> Iterator[Path]:
    """Yield the path of a new file, which replaces `file` at the end of the `with`.

    The new file is on the disk before it replaces `file`. If anything fails, the new file is removed.
    """
    part = file.with_suffix(".part")
    try:
        yield part
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(file)
        sync_folder(file.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C, a closed terminal and SIGTERM within the `with`, including in commands started there."""
    kinds = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM)
    former = [signal.signal(kind, signal.SIG_IGN) for kind in kinds]
    try:
        yield
    finally:
        for kind, handler in zip(kinds, former, strict=True):
            signal.signal(kind, handler)


@click.command(name="update")
@click.argument("package", metavar="FILE|URL")
@click.option("--sha256", metavar="SUM", help="The package's SHA-256, to detect a damaged one.")
@click.option("--force", is_flag=True, help="Also in the midst of a game, which pauses for a minute.")
def update_command(package: str, sha256: str | None, force: bool) -> None:
    """Install another version of the Debian package.

    If its table does not run, the previous version is installed again. Games and configuration stay.
    """
    require_root()
    if sys.prefix != PACKAGED:
        raise MaintenanceError(f"{sys.prefix}: is not the Debian package; update it with pip, as you installed it")
    echo(update(package, sha256, force=force))


COMMANDS: tuple[click.Command, ...] = (update_command,)
"""This module's commands."""
