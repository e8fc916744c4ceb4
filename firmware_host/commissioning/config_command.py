"""Define the commands for configurations: `config`, `check-config` and `config-reference`."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import click

from firmware_host.config import shipped_files
from firmware_host.config.allowed_values import ConfigKey, as_toml, keys
from firmware_host.config.loader import DRIVERS, load, summary
from firmware_host.config.map_import import ForeignMap
from firmware_host.config.missing_files import missing_files
from firmware_host.config.player_programs import trust_lines
from firmware_host.config.schema import NAMED, SECTIONS
from firmware_host.config.toml_file import ConfigError, complaint, contents
from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Ground
from firmware_host.system.event_log import complain
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.printable import printable
from firmware_host.system.terminal import FILE, echo

_PREFACE = """\
# Configuration

<!-- Written by `make docs` from firmware_host/config: schema.py and drivers/. -->

A configuration is a TOML file. A missing key has its default value, so an empty file is the simulator with five
players on London. `config/simulator.toml` is the complete example with all defaults. `yardboard check-config FILE`
lists all errors of a file.

`yardboard sim` accepts a file without devices. `yardboard run`, and so the service, refuses it, because a power cut
may have emptied the file. To start a simulated table with `yardboard run`, write `driver = "sim"` below
`[switches]` in the file.
"""


def as_text() -> str:
    """Return the reference of all keys as plain text, each with its allowed values, default and meaning."""
    lines: list[str] = []
    for name, section in _sections():
        lines += [f"[{name}] {section.__doc__}", ""]
        for title, key in _titled_keys(name, section):
            lines += [f"  {title}: {key.allowed}; default {key.shown_default()}", f"      {_meaning(key)}"]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def as_markdown() -> str:
    """Return the content of docs/configuration.md, with a heading and a table for each section."""
    lines = [_PREFACE]
    for name, section in _sections():
        lines += [f"## `[{name}]`", "", str(section.__doc__), ""]
        lines += ["| key | what to write | unit | default | meaning |", "|---|---|---|---|---|"]
        for title, key in _titled_keys(name, section):
            default = key.shown_default() if key.line else f"`{as_toml(key.default)}`"
            cells = (f"`{title}`", f"{key.kind} {key.bounds}".rstrip(), key.unit, default, _meaning(key))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def as_json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a configuration (draft 2020-12). It does not check conflicts between keys."""
    named = {name: {"type": "object", "additionalProperties": _schema_of(section)} for name, section in NAMED.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The configuration of a yardboard table",
        "type": "object",
        "properties": {**{name: _schema_of(section) for name, section in SECTIONS.items()}, **named},
        "additionalProperties": False,
    }


def _schema_of(section: type) -> dict[str, Any]:
    known = keys(section)
    properties = {
        name: {"description": _meaning(key), "default": key.default, **key.schema} for name, key in known.items()
    }
    said = {"description": str(section.__doc__)}
    return {"type": "object", **said, "properties": properties, "additionalProperties": False}


def _sections() -> Iterator[tuple[str, type]]:
    """Yield each section's class with its name in a file."""
    yield from SECTIONS.items()
    yield from ((f"{name}.NAME", section) for name, section in NAMED.items())


def _meaning(key: ConfigKey) -> str:
    return f"For {' and '.join(map(as_toml, key.only))}: {key.doc}" if key.only else key.doc


def _titled_keys(name: str, section: type) -> list[tuple[str, ConfigKey]]:
    """Return a section's keys with their titles. A key that is itself a section gets a heading."""
    return [(f"[{name}.{title}]" if key.line else title, key) for title, key in keys(section).items()]


@click.group("config")
def config() -> None:
    """Create a configuration, or a map, of your own."""


@config.command("new")
@click.argument("build")
@click.argument("file", type=FILE, required=False)
def new(build: str, file: Path | None) -> None:
    """Copy a shipped configuration.

    BUILD is london-spi, london-pico, dice-matrix, junior-gpio or junior-a3, a board to build, or simulator, which has
    every key.
    FILE is a new file, BUILD.toml in this folder by default; "-" for standard output. A file that is there is not
    written over.
    """
    text = shipped_files.configuration(build)
    if file == Path("-"):
        click.echo(text, nl=False)
        return
    path = file or Path(f"{build}.toml")
    _write(path, text)
    echo(f"Written: {path}. Change it, then: yardboard check-config {path}")


@config.command("map")
@click.option("--from", "sources", type=FILE, multiple=True, required=True,
              metavar="FILE", help="CSV or JSON with links, stations or both; may be repeated.")  # fmt: skip
@click.option("--against", metavar="MAP", help="A shipped map to compare with; by default one with the same stations.")
@click.argument("file", type=FILE, required=False)
def import_map(sources: tuple[Path, ...], against: str | None, file: Path | None) -> None:
    """Turn a foreign map into a map file.

    Links have columns or keys from, to and transport; stations have station, x and y, in pixels or from 0 to 1. The
    command says what it changed, and how the links differ from a shipped map's. FILE is a new file, by default the
    first one's name with .toml; one that is there is not written over.
    """
    path = file or sources[0].with_suffix(".toml")
    foreign = ForeignMap()
    try:
        for source in sources:
            foreign.read(contents(source), str(source))
        known = shipped_files.load_ground(against) if against else _with_stations(foreign.stations)
        if known is not None and not isinstance(known, Network):
            raise click.UsageError(f"--against: {known.name} are tiles; name a printed map, such as london")
        text = foreign.text(path.stem, known)
    except (ConfigError, BadMap) as error:
        raise click.ClickException(complaint(error)) from None
    _write(path, text)
    echo(*foreign.notes)
    echo(f'Written: {path}. Use it: [map] name = "{path.name}"')


def _with_stations(stations: Collection[int]) -> Ground | None:
    """Return the shipped map that has exactly these stations, or None."""
    names = sorted(path.stem for path in (shipped_files.folder() / "maps").glob("*.toml"))
    grounds = map(shipped_files.load_ground, names)
    return next((one for one in grounds if isinstance(one, Network) and {*one.stations} == {*stations}), None)


def _write(path: Path, text: str) -> None:
    """Write a text to a new file, and refuse to overwrite one.

    Raises:
        ClickException: the file exists already, or cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise click.ClickException(printable(f"{path}: exists already; name another file")) from None
    except OSError as error:
        raise click.ClickException(printable(writing_fault(path, error))) from None


@click.command("check-config")
@click.argument("file", type=FILE)
def check_config(file: Path) -> None:
    """Check a configuration.

    Reports that it is valid, or all its mistakes and missing files, and for each program of [players.NAME] whether this
    machine confines it.
    """
    try:
        config = load(file)
    except ConfigError as error:
        complain(complaint(error))
        sys.exit(1)
    missing = missing_files(config)
    if missing:
        complain("\n".join(map(printable, missing)))
        sys.exit(1)
    echo(summary(config), *trust_lines(config))
    if config.simulated and not config.says_simulated:
        what = f"names no device, so only `yardboard sim` can use it; for a real table {DRIVERS}"
        complain(printable(f"{config.source}: {what}"))


@click.command("config-reference")
@click.option("--markdown", is_flag=True, help="In the form of docs/configuration.md.")
@click.option("--json-schema", "schema", is_flag=True, help="As a JSON Schema, with which editors check a file.")
def config_reference(*, markdown: bool, schema: bool) -> None:
    """Explain every key.

    Shows the type, unit, range, default and meaning of everything in a configuration.
    """
    if markdown and schema:
        message = "--markdown and --json-schema: only one of them; leave one out"
        raise click.UsageError(message, click.get_current_context())
    if schema:
        click.echo(json.dumps(as_json_schema(), indent=2, ensure_ascii=False))
    else:
        click.echo((as_markdown() if markdown else as_text()).rstrip("\n"))


COMMANDS: tuple[click.Command, ...] = (config, check_config, config_reference)
"""The commands of this module, for the command line."""
