"""Save everything that a table stores in one file, and restore it on this or another machine.

A backup is a zip archive: the configuration with the user's own map and edition, the games, and their analyses. Its
`manifest.json` lists each file with its length and digest. A backup holds Mister X's secrets, so only its owner can
read the file.

Players' programs, recorded sessions and the sessions of phones are not saved.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import stat
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from firmware_host import __version__
from firmware_host.config.loader import Config, load, parse, state_folder
from firmware_host.config.toml_file import ConfigError, contents
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import LOG, SIDE_SUFFIXES
from firmware_host.journal.store_port import DamagedJournal, JournalError
from firmware_host.maintenance.service_setup import GAMES, TABLE
from firmware_host.past_games.game_analysis import FOLDER as ANALYSES
from firmware_host.recording.recorded_session import config_with_files
from firmware_host.recording.tape import TapeError
from firmware_host.recording.tape_file import create
from firmware_host.system.files import sync_folder
from firmware_host.system.plain_faults import reading_fault, writing_fault
from firmware_host.system.terminal import FILE, echo

FORMAT = 1
"""The version of the archive's format."""

MANIFEST, CONFIG, JOURNAL = "manifest.json", "config/table.toml", "state/journal.sqlite"
_NAMES = re.compile(
    rf"{re.escape(CONFIG)}|config/(?:game|map)/[^/\\\0.][^/\\\0]{{,99}}\.toml|{re.escape(JOURNAL)}"
    rf"|state/{ANALYSES}/[0-9a-f]{{32}}\.json"
)
"""The names that files in a backup may have."""

_MOST = 1 << 27
"""The most bytes in all files together, unpacked: some nine thousand games."""

_TRIES = 50
"""How often a journal is copied at most, if the table writes to it during each copy."""

_MADE = re.compile(r"[0-9]{8}-[0-9]{6}")

# What zipfile, json and a manifest of another form raise; RuntimeError is for an archive with a password.
_NO_BACKUP = (
    zipfile.BadZipFile, zlib.error, LookupError, TypeError, ValueError, AttributeError, EOFError, RuntimeError,
    OverflowError,
)  # fmt: skip


class BackupError(click.ClickException):
    """The error that a table cannot be saved or restored, and nothing has changed. The message says why."""


class BadBackup(BackupError, ValueError):
    """The error that a file is not a complete backup, or not one that this version can restore."""


class _JournalBusy(BackupError, RuntimeError):
    """The error that a table uses the journal, or that it cannot be opened."""


def state_environment(path: Path) -> Mapping[str, str]:
    """Return the environment variables by which a configuration's table finds its games.

    For the service's configuration they name the service's folder, even if root runs the command.
    """
    if path.absolute() == Path(TABLE) and "STATE_DIRECTORY" not in os.environ:
        return {**os.environ, "STATE_DIRECTORY": GAMES}
    return os.environ


# ---- saving ----


def gather(config: Config, journal: Path) -> dict[str, bytes]:
    """Return the content of each file of a backup, by name. The table may continue its game meanwhile.

    Args:
        config: the table's configuration.
        journal: the path of its journal; its analyses are beside it.

    Raises:
        JournalError: the journal is damaged, or cannot be opened.
        BackupError: the table did not stop writing, or a file's name begins with a dot.
        OSError: a file cannot be read.
    """
    text, named = config_with_files(config)
    parts = {CONFIG: text.encode()} | {f"config/{name}": own.encode() for name, own in named.items()}
    if odd := [name for name in parts if not _NAMES.fullmatch(name)]:
        what = "a name that begins with a dot, has a backslash, or has more than 100 characters before .toml"
        raise BackupError(f"{Path(odd[0]).name}: a backup cannot save {what}; rename this file")
    if journal.exists():
        parts[JOURNAL] = _journal_now(journal)
    analyses = journal.parent / ANALYSES
    for file in [] if analyses.is_symlink() else sorted(analyses.glob("*.json")):
        name = f"state/{ANALYSES}/{file.name}"
        if _NAMES.fullmatch(name) and file.is_file() and not file.is_symlink():
            with suppress(FileNotFoundError):  # the table has just removed the oldest
                parts[name] = file.read_bytes()
    return parts


def _journal_now(journal: Path) -> bytes:
    """Return a checked copy of a journal as the bytes of one file.

    A running table locks its SQLite database, so this function copies the files. If they have not changed during the
    copying, the copy is like the files after a power cut. Opening the copy then recovers its last entries.
    """
    with TemporaryDirectory(prefix="yardboard-backup-") as folder:  # only this user can read it
        copy = Path(folder) / journal.name
        files = {journal: copy, Path(f"{journal}{LOG}"): Path(f"{copy}{LOG}")}
        for _ in range(_TRIES):
            before = [_mark(file) for file in files]
            for file, target in files.items():
                target.unlink(missing_ok=True)
                with suppress(FileNotFoundError):  # without a log
                    shutil.copyfile(file, target)
            if [_mark(file) for file in files] == before:
                break
        else:
            raise _JournalBusy(f"{journal}: the table keeps writing to it; try again")
        Journal.open(copy).close()  # checks every entry, and moves the log's into the file
        return copy.read_bytes()


def _mark(file: Path) -> tuple[int, int, int] | None:
    """Return a value that changes whenever a file is written. None if there is no file."""
    try:
        found = file.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def save(parts: Mapping[str, bytes], out: Path, made: str) -> None:
    """Write a backup's files to a new archive, which only its owner can read.

    Raises:
        BackupError: the file exists already, or cannot be written; no part of the file remains.
    """
    listed = {name: {"bytes": len(content), "sha256": _digest(content)} for name, content in parts.items()}
    manifest = {"format": FORMAT, "yardboard": __version__, "made": made, "files": listed}
    try:
        with create(out) as file:
            try:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
                    archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
                    for name, content in parts.items():
                        archive.writestr(name, content)
                os.fsync(file.fileno())
            except BaseException:
                out.unlink(missing_ok=True)
                raise
        sync_folder(out.absolute().parent)
    except TapeError as error:
        raise BackupError(str(error)) from None
    except OSError as error:
        raise BackupError(writing_fault(out, error)) from None


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# ---- restoring ----


def read(path: Path) -> tuple[dict[str, bytes], str]:
    """Read and check a backup. Return the contents of its files by name, and when it was made.

    Raises:
        BadBackup: the file cannot be read, is incomplete, was changed, is not a backup, or was made by a newer version.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            made, listed = _read_manifest(path, json.loads(_content(archive, MANIFEST, 1 << 20)))
            _check_names(path, archive, listed)
            parts = {name: _content(archive, name, size) for name, (size, _) in listed.items()}
            parts[CONFIG].decode()
    except BadBackup:
        raise
    except OSError as error:
        raise BadBackup(reading_fault(path, error)) from None
    except _NO_BACKUP:
        raise BadBackup(
            f"{path}: is incomplete, or not a backup of yardboard; copy it again from where it was made"
        ) from None
    for name, (size, digest) in listed.items():
        if len(parts[name]) != size or _digest(parts[name]) != digest:
            raise BadBackup(f"{path}: {name} is damaged; copy the backup again from where it was made")
    return parts, made


def _read_manifest(path: Path, manifest: Any) -> tuple[str, dict[str, tuple[int, str]]]:
    """Return when a backup was made, and the length and digest of each of its files.

    Raises:
        BadBackup: the format is newer.
        ValueError, TypeError, KeyError, AttributeError: the content is not a manifest.
    """
    version, made = manifest["format"], manifest["made"]
    if type(version) is int and version > FORMAT:
        raise BadBackup(
            f"{path}: has format {version}; this yardboard reads {FORMAT}: install version "
            f"{str(manifest['yardboard'])[:20]!r} or newer"
        )
    listed = {name: (said["bytes"], said["sha256"]) for name, said in manifest["files"].items()}
    sizes = [size for size, _ in listed.values()]
    if version != FORMAT or not _MADE.fullmatch(made) or any(type(size) is not int or size < 0 for size in sizes):
        raise ValueError
    return made, listed


def _check_names(path: Path, archive: zipfile.ZipFile, listed: Mapping[str, tuple[int, str]]) -> None:
    stored = [one.filename for one in archive.infolist()]
    foreign = [name for name in listed if not _NAMES.fullmatch(name)]
    if foreign or CONFIG not in listed or sorted(stored) != sorted((MANIFEST, *listed)):
        found = f" such as {foreign[0]!r}" if foreign else ""
        raise BadBackup(f"{path}: has other files than a backup{found}; only files of `yardboard backup` are restored")
    if sum(size for size, _ in listed.values()) > _MOST:
        raise BadBackup(f"{path}: unpacks to more than {_MOST >> 20} MB; no backup of yardboard is larger")


def _content(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return a file's content, or `most` + 1 bytes of a longer one, because an archive may claim any length."""
    with archive.open(name) as file:
        return file.read(most + 1)


def restore(parts: Mapping[str, bytes], path: Path, environ: Mapping[str, str], stamp: str) -> dict[Path, Path | None]:
    """Restore all files of a backup, or none. Rename existing files by adding the stamp.

    Args:
        parts: the contents by name, as `read` returns them.
        path: the path of the restored configuration.
        environ: environment variables, which may name the folder of the games.
        stamp: the present time, as the suffix of renamed files.

    Returns:
        Each written file -> the new name of the file that was in its place, or None if there was none.

    Raises:
        ConfigError, JournalError: the backup's configuration or journal cannot be used here.
        BackupError: a table uses the journal, or a file cannot be written.
    """
    with TemporaryDirectory(prefix="yardboard-restore-") as scratch:
        trial = Path(scratch)
        try:
            for name, content in parts.items():
                (trial / name).parent.mkdir(parents=True, exist_ok=True)
                (trial / name).write_bytes(content)
        except OSError as error:
            why = writing_fault(scratch, error, "set TMPDIR to another folder")
            raise BackupError(f"{why}. Nothing was changed") from None
        config = parse(parts[CONFIG].decode(), str(path), folder=trial / "config", find_programs=False)
        if JOURNAL in parts:
            Journal.open(trial / JOURNAL).close()
    games = _place_of_games(config, path, environ)
    _check_unused(games)
    if (analyses := games.parent / ANALYSES).is_symlink():  # the table's user could lead root elsewhere
        raise BackupError(f"{analyses}: is a link, and must be a folder; remove it. Nothing was changed")
    wanted = {_place(name, path, games): content for name, content in parts.items()}
    # An analysis is named after its game, so one that is there is the same.
    wanted = {file: content for file, content in wanted.items() if file.parent.name != ANALYSES or not file.exists()}
    aside = {file: file.with_name(f"{file.name}.{stamp}.aside") for file in wanted}
    aside |= {
        Path(f"{games}{side}"): Path(f"{games}.{stamp}.aside{side}") for side in SIDE_SUFFIXES if JOURNAL in parts
    }
    aside = {file: name for file, name in aside.items() if os.path.lexists(file)}
    if taken := [name for name in aside.values() if os.path.lexists(name)]:
        raise BackupError(f"{taken[0]}: exists already; rename it first. Nothing was changed")
    try:
        _exchange(wanted, aside)
    except OSError as error:
        where = error.filename or path
        raise BackupError(f"{writing_fault(where, error, 'make it writable')}. Nothing was changed") from None
    return {file: aside.get(file) for file in wanted}


def _place(name: str, path: Path, games: Path) -> Path:
    """Return the path to which a backup's file is restored."""
    if name == CONFIG:
        return path
    if name == JOURNAL:
        return games
    room, _, rest = name.partition("/")
    return (path if room == "config" else games).parent / rest


def _place_of_games(config: Config, path: Path, environ: Mapping[str, str]) -> Path:
    """Return the path of the journal that a restored configuration uses.

    A backup from somebody else could name any file. So the path must be the usual one, or the one that the present
    configuration names.

    Raises:
        BadBackup: the present configuration stores its games elsewhere.
    """
    usual = state_folder(environ) / "journal.sqlite"
    if not config.journal.path:
        return usual
    named = Path(os.path.normpath(path.parent / config.journal.path))
    with suppress(ConfigError):
        present = parse(contents(path), str(path), folder=path.parent, find_programs=False)
        if named == Path(os.path.normpath(present.journal_file(environ))):
            return named
    if named != usual:
        raise BadBackup(
            f"[journal] path: this backup keeps its games in {named}; to restore them there, write that path into "
            f"{path} first"
        )
    return usual


def _check_unused(games: Path) -> None:
    """Check that no table uses the journal that will be replaced. A damaged journal may be replaced."""
    if not games.exists():
        return
    try:
        Journal.open(games).close()
    except DamagedJournal:
        return
    except JournalError as error:
        raise _JournalBusy(f"{error}; for the service: sudo systemctl stop yardboard") from None


def _exchange(wanted: Mapping[Path, bytes], aside: Mapping[Path, Path]) -> None:
    """Put all new files in place and rename those that are in the way. If anything fails, undo everything.

    Raises:
        OSError: a file cannot be written.
    """
    undo: list[Callable[[], object]] = []
    fresh = {file: file.with_name(f".{file.name}.restored") for file in wanted}
    try:
        for file, content in wanted.items():
            secret = file.suffix != ".toml"
            for folder in reversed([folder for folder in file.parents if not folder.exists()]):
                _make_folder(folder, 0o700 if secret else 0o755)
                undo.append(folder.rmdir)
            undo.append(partial(fresh[file].unlink, missing_ok=True))
            _write(fresh[file], content, 0o600 if secret else _mode_of(file))
        for file, name in aside.items():
            file.rename(name)
            undo.append(partial(name.rename, file))
        for file in wanted:
            fresh[file].rename(file)
            undo.append(file.unlink)
        for folder in {file.parent for file in wanted}:
            sync_folder(folder)
    except BaseException:
        for step in reversed(undo):
            with suppress(OSError):
                step()
        raise


def _write(file: Path, content: bytes, mode: int) -> None:
    """Write a new file to the disk. If root runs this, the owner of its folder becomes its owner."""
    file.unlink(missing_ok=True)  # of any type: follows no link
    number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(number, "wb") as target:
        target.write(content)
        target.flush()
        if os.geteuid() == 0:
            folder = file.parent.stat()
            os.fchown(number, folder.st_uid, folder.st_gid)
        os.fchmod(number, mode)
        os.fsync(number)


def _mode_of(file: Path) -> int:
    """Return the permissions of the present configuration's file, or those of a new file if it is missing."""
    try:
        return stat.S_IMODE(file.lstat().st_mode) & 0o666 if not file.is_symlink() else 0o644
    except FileNotFoundError:
        return 0o644


def _make_folder(folder: Path, mode: int) -> None:
    """Create a folder. If root runs this, the owner of its parent folder becomes its owner."""
    folder.mkdir(mode=mode)
    if os.geteuid() == 0:
        above = folder.parent.stat()
        os.chown(folder, above.st_uid, above.st_gid, follow_symlinks=False)


# ---- the commands ----


def _chosen(path: Path | None) -> Path:
    if path is None and not Path(TABLE).exists():
        raise click.UsageError(f"there is no {TABLE}; name the table's configuration with --config")
    return path or Path(TABLE)


@click.command()
@click.option("--config", "path", type=FILE, help=f"The table's configuration; by default {TABLE}.")
@click.argument("out", metavar="[OUT.zip]", type=FILE, required=False)
def backup(path: Path | None, out: Path | None) -> None:
    """Save the table's configuration and games in one file.

    The table may play on meanwhile. The file reveals where Mister X is: only you can read it.
    """
    path, stamp = _chosen(path), time.strftime("%Y%m%d-%H%M%S")
    config = load(path)
    out = out or Path(f"yardboard-backup-{stamp}.zip")
    try:
        parts = gather(config, config.journal_file(state_environment(path)))
    except JournalError as error:
        raise BackupError(str(error)) from None
    except OSError as error:
        raise BackupError(reading_fault(error.filename or path, error)) from None
    save(parts, out, stamp)
    read(out)  # what cannot be restored is no backup
    games = "with its games" if JOURNAL in parts else "without games: none has begun yet"
    echo(f"{out}: {path} {games}, {len(parts)} files, {out.stat().st_size / 1e6:.1f} MB")
    click.echo("Keep it on another machine. Players' programs and recorded sessions are not in it.")


@click.command()
@click.option("--config", "path", type=FILE, help=f"Where the configuration goes; by default {TABLE}.")
@click.argument("file", metavar="BACKUP.zip", type=FILE)
def restore_command(path: Path | None, file: Path) -> None:
    """Restore a table's configuration and games from a backup.

    Everything is checked first, then all of it is restored, or nothing. Files in the way are renamed, and stay.
    """
    path = (path or Path(TABLE)).absolute()
    parts, made = read(file)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    try:
        restored = restore(parts, path, state_environment(path), stamp)
    except (ConfigError, JournalError) as error:
        raise BackupError(f"{file}: cannot be restored here, and nothing was changed: {error}") from None
    for place, aside in restored.items():
        before = f"; what was there is now {aside.name}" if aside is not None else ""
        echo(f"{place}{before}")
    echo(f"Restored from the backup of {made}.")
    try:
        load(path)
    except ConfigError as error:  # everything but the programs has been checked
        echo("Players' programs are missing, which no backup contains:", *error.mistakes)
    if path == Path(TABLE):
        click.echo("Start the table with it: sudo yardboard setup")


restore_command.name = "restore"
COMMANDS: tuple[click.Command, ...] = (backup, restore_command)
"""The commands, for the command line."""
