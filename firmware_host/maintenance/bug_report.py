"""Create a bug report with everything that helps to find a fault, but without Mister X's secrets."""

from __future__ import annotations

import io
import json
import os
import platform
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, replace
from functools import partial
from importlib import metadata
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import click

from firmware_host import __version__
from firmware_host.commissioning.board_commands import check_machine
from firmware_host.commissioning.board_commands import describe_findings as findings_of
from firmware_host.config.loader import Config, load, summary
from firmware_host.config.toml_file import ConfigError, complaint, contents
from firmware_host.daemon import health_file
from firmware_host.maintenance.running_table_commands import newest_health
from firmware_host.recording.recorded_session import SESSION, config_with_files, device_facts, read_session
from firmware_host.recording.recording_wording import public_part
from firmware_host.recording.tape import Entry, Note
from firmware_host.recording.tape_file import Tape, create, write_copy
from firmware_host.recording.tape_recording import DEVICES
from firmware_host.system.plain_faults import reading_fault, writing_fault
from firmware_host.system.printable import printable
from firmware_host.system.process import keep_memory_to_itself
from firmware_host.system.secret_texts import hide_secrets
from firmware_host.system.terminal import FILE, echo
from hardware.ports import HardwareError
from hardware.raspberry_pi.host_facts import HostFacts

Parts = Mapping[str, bytes]
"""The contents of a report's files, by file name."""

LOG_LINES = 1000
"""The number of lines at the end of the service's log in a report."""

_LOG_COMMAND = ("journalctl", "--unit", "yardboard", "--lines", str(LOG_LINES), "--no-pager", "--output", "short-iso")
_NOTHING = b"-- No entries --"


class MissingPart(Exception):
    """The error that a part of the report is missing. Each of its arguments is a line that says why."""


@click.command()
@click.option("--config", "path", type=FILE, help="The table's configuration.")
@click.option("--tape", type=FILE, help="A recorded session; only its public part is included.")
@click.option("--dry-run", is_flag=True, help="Show its content, and write nothing.")
@click.argument("out", metavar="[OUT.zip]", type=FILE, required=False)
def report(path: Path | None, tape: Path | None, dry_run: bool, out: Path | None) -> None:
    """Create a bug report.

    One file to send: versions, configuration, the findings of `doctor`, the devices' health, the end of the service's
    log, and the public part of a recorded session. Nothing in it reveals where Mister X is or was. Unreadable parts are
    listed on the terminal and in the report; root can read everything, and so can members of the groups yardboard and
    systemd-journal.
    """
    keep_memory_to_itself()
    try:
        parts, lacking, mistakes = gather(path, tape)
    except OSError as error:
        raise click.ClickException(printable(reading_fault(error.filename or str(tape), error))) from None
    try:
        if not dry_run:
            out = out or Path(time.strftime("yardboard-report-%Y%m%d-%H%M%S.zip"))
            with create(out) as file:
                with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as pack:
                    for name, content in parts.items():
                        pack.writestr(name, content)
                _give_to_user(file, os.environ)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(printable(writing_fault(error.filename or str(out), error))) from None
    echo(*_show_contents(parts) if dry_run else _list_files(parts, out))
    echo(*lacking, err=True)
    if mistakes:
        raise click.ClickException(complaint(ConfigError(*mistakes)))


def gather(path: Path | None, tape: Path | None) -> tuple[dict[str, bytes], list[str], tuple[str, ...]]:
    """Return the parts of a report, a line for each missing part, and mistakes in the configuration.

    In place of an unreadable part, the report has a file that says why.

    Args:
        path: the table's configuration; without one, all that depends on it is omitted.
        tape: a recorded session; omitted without one.

    Raises:
        TapeError: the tape cannot be read.
        OSError: a file cannot be read.
    """
    parts = {"versions.txt": _encode_lines(versions())}
    config, mistakes = None, tuple[str, ...]()
    if path is not None:
        try:
            config = load(path)
            parts |= _config_parts(config)
        except ConfigError as error:
            mistakes = error.mistakes
            parts |= _faulty_config_parts(path, mistakes)
    lacking: list[str] = []
    no_table = (
        "the configuration cannot be used; see what `yardboard check-config` says"
        if path
        else "the table is unknown; name its configuration with --config"
    )
    for name, part in (("health.json", partial(_read_status, config, no_table)), ("log.txt", service_log)):
        try:
            parts[name] = part()
        except MissingPart as error:
            lacking += error.args
            parts[f"no-{name.partition('.')[0]}.txt"] = _encode_lines(error.args)
    parts = {name: hide_secrets(content.decode("utf-8", "replace")).encode() for name, content in parts.items()}
    if tape is not None:
        with tape.open("rb") as file:
            parts["public.tape"] = public_tape(Tape(file, str(tape)), str(tape))
    return parts, lacking, mistakes


def versions() -> Iterator[str]:
    """Yield a line for each piece of software, with its version."""
    board = HostFacts.of_this_machine().board
    yield f"yardboard {__version__}"
    yield f"{platform.python_implementation()} {platform.python_version()}"
    yield f"{platform.system()} {platform.release()} {platform.machine()}"
    yield board or "no Raspberry Pi"
    packages = {found.metadata["Name"]: found.version for found in metadata.distributions() if found.metadata["Name"]}
    for name in sorted(packages, key=str.lower):
        yield f"{name} {packages[name]}"


def _config_parts(config: Config) -> dict[str, bytes]:
    """Return the configuration, the user's files that it names, and facts computed from it."""
    text, files = config_with_files(config)
    named = {f"config/{name}": content.encode() for name, content in files.items()}
    return {
        "config.toml": text.encode(),
        **named,
        "check.txt": _encode_lines([summary(config)]),
        "doctor.txt": _encode_lines(_lines_or_reason(lambda: findings_of(check_machine(config)))),
    }


def _lines_or_reason(lines: Callable[[], Iterator[str]]) -> list[str]:
    try:
        return list(lines())
    except (ConfigError, HardwareError, OSError) as error:
        return [f"unknown: {error}"]


def _faulty_config_parts(path: Path, mistakes: tuple[str, ...]) -> dict[str, bytes]:
    """Return the text and the mistakes of an unusable configuration, without text if it is unreadable."""
    try:
        return {"config.toml": contents(path).encode(), "check.txt": _encode_lines(mistakes)}
    except ConfigError:
        return {"no-config.txt": _encode_lines(mistakes)}


def _read_status(config: Config | None, no_table: str) -> bytes:
    """Return the status that the running table wrote last.

    Args:
        config: the table's configuration, if it is usable.
        no_table: the reason to report if `config` is None.

    Raises:
        MissingPart: there is no readable status.
    """
    if config is None:
        raise MissingPart(f"health: {no_table}")
    now = time.time()
    try:
        said, complaints = newest_health(health_file.places(config), now, config)
    except ConfigError as error:
        raise MissingPart(*(f"health: {mistake}" for mistake in error.mistakes)) from None
    if said is None:
        raise MissingPart(
            *(f"health: {why}" for why in complaints or ["this table does not run here; start it, and try again"])
        )
    values = {"reported_seconds_ago": round(said.age, 1), **said.values}
    return json.dumps(values, indent=1, sort_keys=True).encode()


def service_log(command: tuple[str, ...] = _LOG_COMMAND) -> bytes:
    """Return the last lines of the service's log.

    Raises:
        MissingPart: the command is missing or fails, there are no lines, or this user may not read them.
    """
    try:
        ran = subprocess.run(command, capture_output=True, timeout=20, check=False)  # noqa: S603 - a fixed command
    except OSError as error:
        why = "there is no such program; install systemd" if isinstance(error, FileNotFoundError) else error.strerror
        raise MissingPart(f"log: {command[0]}: {why}") from None
    except subprocess.TimeoutExpired:
        raise MissingPart(f"log: {command[0]} did not end within 20 s; try again") from None
    if ran.returncode:
        said = ran.stderr.decode("utf-8", "replace").strip()
        raise MissingPart(*f"log: {command[0]} fails: {said or f'status {ran.returncode}'}".splitlines())
    if ran.stdout.strip() in (b"", _NOTHING):
        raise MissingPart("log: this user may not read any line; use sudo, or join the group systemd-journal")
    return ran.stdout


def public_tape(tape: Tape, name: str) -> bytes:
    """Return a copy of a tape that has only its public part.

    Raises:
        BadTape: the tape does not name its table.
    """
    session, devices = read_session(tape, name), device_facts(tape, name)
    notes = (
        Note(SESSION, replace(session, public=True, text=hide_secrets(session.text)).note()),
        Note(DEVICES, json.dumps(asdict(devices), sort_keys=True)),
    )
    entries: Iterator[Entry] = public_part(tape.entries, devices.keys)
    out = io.BytesIO()
    write_copy(chain(notes, entries), out)
    return out.getvalue()


def _give_to_user(file: BinaryIO, environ: Mapping[str, str]) -> None:
    """Give a file that sudo created to the user who called sudo, because that user has to send it."""
    user, group = (environ.get(name, "") for name in ("SUDO_UID", "SUDO_GID"))
    if os.geteuid() == 0 and user.isdecimal() and group.isdecimal():
        os.fchown(file.fileno(), int(user), int(group))


def _list_files(parts: Parts, out: Path | None) -> Iterator[str]:
    for name, content in parts.items():
        yield f"{len(content):9,} bytes  {name}"
    yield f"Written: {out}. Check it before you send it: the configuration may name people and folders."


def _show_contents(parts: Parts) -> Iterator[str]:
    for name, content in parts.items():
        yield f"==== {name}, {len(content):,} bytes"
        if name.endswith(".tape"):
            yield "the public part of the tape: `yardboard replay --show TAPE` lists what happened"
        else:
            yield from content.decode("utf-8", "replace").splitlines()


def _encode_lines(lines: Iterable[str]) -> bytes:
    """Encode a part's lines as bytes. File names in them may contain any character."""
    return "".join(f"{printable(line)}\n" for line in lines).encode()


COMMANDS: tuple[click.Command, ...] = (report,)
"""The command, for the command line."""
