"""Define the commands `handset-link`, `health` and `owner-password`, for the owner of the table that runs here."""

from __future__ import annotations

import getpass
import json
import sys
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from firmware_host.config.loader import Config, load, simulator
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.daemon import health_file
from firmware_host.daemon.health_file import AbsentHealth, NoHealth, TableHealth
from firmware_host.system.boot_clock import boot_id
from firmware_host.system.printable import printable
from firmware_host.system.secret_texts import FEWEST_CHARACTERS, LONGEST_PASSWORD, hash_password
from firmware_host.system.terminal import FILE, echo
from firmware_host.web import missing_package
from firmware_host.web.seats import handset_link_file
from firmware_host.web.seats.handset_link_file import AbsentLink, NoLink
from firmware_host.web.transport.host_names import is_loopback

_NOBODY = (
    "there is no link for Mister X's phone: {}. Start the table with this configuration, and a game in which a person "
    "plays Mister X; a second later there is a link"
)


@click.command(name="handset-link")
@click.option(
    "--config",
    "path",
    type=FILE,
    required=True,
    help="The table's configuration.",
)
def handset_link(path: Path) -> None:
    """Show the link for Mister X's phone.

    For a table that runs with [handset] phone = true. Only the table's user and root may read the link; the first to
    open it gets Mister X's seat for this game.
    """
    config = load(path)
    files = [file.with_name(handset_link_file.NAME) for file in health_file.places(config)]
    if not config.handset.phone:
        raise click.ClickException(f"{path}: Mister X's phone is off; write phone = true in [handset]")
    for line in _invitation(_newest(files, config)):
        click.echo(line)


def _newest(files: list[Path], config: Config) -> str:
    """Return the newest link for the table with this configuration.

    Links from before the machine's last start are ignored: a power cut may have left their files.
    """
    found, missing, boot = [], [], boot_id()
    for file in files:
        try:
            saved = handset_link_file.read(file)
            if saved.boot == boot:
                found.append(saved)
            else:
                missing.append(f"{file}: was written before this machine was started")
        except AbsentLink as error:
            missing.append(str(error))
        except NoLink as error:
            raise click.ClickException(printable(str(error))) from None
    own = [one for one in found if one.config == str(Path(config.source).absolute())]
    if own:
        return max(own, key=lambda one: one.written).link
    missing += [f"the table that runs here is that of {one.config}" for one in found]
    raise click.ClickException(printable(_NOBODY.format("; ".join(missing))))


def _invitation(link: str) -> list[str]:
    lines = [f"Mister X's handset: {link}"]
    try:
        from firmware_host.web.printed_link import drawn_code  # noqa: PLC0415 - its package is of [web]
    except ModuleNotFoundError as error:
        raise click.ClickException(missing_package(error)) from None
    lines += drawn_code(link, sys.stdout)
    lines.append("It works once, in this game, and makes its user Mister X; run this again for another phone.")
    lines.append(f"For the detectives' phones, as many as there are: {link.partition('seat#')[0]}detective")
    if is_loopback(urlsplit(link).hostname or ""):
        lines.append('Only this machine can open it. For a phone: host = "0.0.0.0" in [web], on a network you trust.')
    return lines


WELL, AILING, NO_TABLE = 0, 1, 2
"""The exit statuses of `yardboard health`."""

_WORST = 12  # most switches listed: the broken ones, then the worst bounces


@click.command()
@click.option("--config", "path", type=FILE, help="The table's configuration.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def health(path: Path | None, *, as_json: bool) -> int:
    """Report the table's condition.

    Shows its devices and switches as the running daemon last reported them. The status is 0 if all is ok, 1 if anything
    is wrong, 2 if no table runs.
    """
    try:
        config = simulator() if path is None else load(path)
        files = health_file.places(config)
    except ConfigError as error:
        click.echo(complaint(error), err=True)
        return NO_TABLE
    now = time.time()
    said, complaints = newest_health(files, now, None if path is None else config)
    echo(*complaints, err=True)
    if said is None:
        places = " or ".join(map(str, files))
        start = f"yardboard run --config {path or 'FILE'}"
        echo(f"no table runs here: there is no file {places}; start a table with: {start}", err=True)
        return NO_TABLE
    if as_json:
        click.echo(json.dumps({"file": str(said.file), "age_s": round(said.age, 1), "runs": said.fresh, **said.values}))
    else:
        for line in describe_health(said, now):
            click.echo(line)
    if not said.fresh:
        click.echo("this report is old: the table has ended, or it hangs; restart it", err=True)
        return NO_TABLE
    return WELL if said.well else AILING


def newest_health(
    files: Iterable[Path], wall_clock: float, config: Config | None = None
) -> tuple[TableHealth | None, list[str]]:
    """Return the newest health report in these files, and a complaint about each file that is unreadable.

    The report is None if no file has one.

    Args:
        files: the files in which the report may be.
        wall_clock: the wall clock now.
        config: the configuration of the wanted table; None for any table.
    """
    found: list[TableHealth] = []
    complaints = []
    for file in files:
        try:
            found.append(health_file.read(file, wall_clock))
        except AbsentHealth:
            continue
        except NoHealth as error:
            complaints.append(str(error))
    if config is not None:
        found = [said for said in found if said.values["config"] == str(Path(config.source).absolute())]
    return min(found, key=lambda said: abs(said.age), default=None), complaints


def describe_health(said: TableHealth, wall_clock: float) -> Iterator[str]:
    """Yield lines that describe a table's health. Pure, except for the time zone.

    Args:
        said: the health report.
        wall_clock: the wall clock now.
    """
    values = said.values
    yield printable(values["config"])
    yield (
        f"yardboard {printable(values['yardboard'])}, up for {_duration(values['up_s'])}, {values['passes']:,} passes; "
        f"reported {_duration(said.age)} ago"
    )
    yield ""
    devices = [("device", "state", "since", "for", "why")]
    for name, device in values["devices"].items():
        since = time.strftime("%a %d %b %H:%M", time.localtime(device["since"]))
        devices.append((name, device["state"], since, _duration(wall_clock - device["since"]), device["reason"]))
    yield from _align_columns(devices)
    switches = _worst_switches(values["switches"])
    if switches:
        yield ""
        yield from _align_columns([("station", "switch", "state", "closures", "bounces", "longest"), *switches])
        rest = len(values["switches"]) - len(switches)
        if rest:
            yield f"and {rest} more that are ok and bounce less (--json lists all)"


def _worst_switches(switches: dict[str, Any]) -> list[tuple[str, ...]]:
    """Return the switches to list: all broken ones, then those that bounce longest."""
    ill = [(name, s) for name, s in switches.items() if s["state"] != "ok"]
    well = [(name, s) for name, s in switches.items() if s["state"] == "ok" and s["bounces"]]
    well.sort(key=lambda item: -item[1]["longest_ms"])
    return [
        (name, s["place"], s["state"], f"{s['closures']:,}", f"{s['bounces']:,}", f"{s['longest_ms']:g} ms")
        for name, s in [*ill, *well[: max(0, _WORST - len(ill))]]
    ]


def _align_columns(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    safe = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*safe, strict=True)]
    for row in safe:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _duration(seconds: float) -> str:
    """Return a duration in words, rounded: "40 s", "12 min", "3 h", "5 days"."""
    seconds = max(0.0, seconds)
    for size, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


@click.command(name="owner-password")
def owner_password() -> None:
    """Make the hash of a password for the owner's page.

    Asks for the password, and prints the line to write below [web]. The password itself is stored nowhere.
    """
    try:
        with warnings.catch_warnings(action="ignore", category=getpass.GetPassWarning):
            password: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    except click.Abort:
        if sys.stdin.isatty():
            raise
        raise click.ClickException("owner-password: no password was given; run it in a terminal") from None
    if not FEWEST_CHARACTERS <= len(password) <= LONGEST_PASSWORD:
        fault = f"the password has {len(password)} characters; {FEWEST_CHARACTERS} to {LONGEST_PASSWORD} would be right"
        raise click.ClickException(fault)
    click.echo(f'owner_password = "{hash_password(password)}"')


COMMANDS: tuple[click.Command, ...] = (handset_link, health, owner_password)
"""The commands, for the command line."""
