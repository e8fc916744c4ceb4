"""Define the commands `config`, which begins a configuration, `check-config`, and `config-reference`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from firmware_host.config import shipped_files
from firmware_host.config.config_reference import as_markdown, as_text
from firmware_host.config.loader import load, summary
from firmware_host.config.toml_file import ConfigError, complaint
from firmware_host.system.event_log import complain
from firmware_host.system.printable import printable


@click.group("config")
def config() -> None:
    """Begin a configuration of your own."""


@config.command("new")
@click.argument("build")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), required=False)
def new(build: str, file: Path | None) -> None:
    """Copy a shipped configuration.

    BUILD is london-spi, london-pico, dice-matrix or junior-gpio, a board to build, or simulator, which has every key.
    FILE is a new file, BUILD.toml in this folder by default; "-" for standard output. A file that is there is not
    written over.
    """
    try:
        text = shipped_files.configuration(build)
    except ConfigError as error:
        raise click.ClickException(complaint(error)) from None
    if file == Path("-"):
        click.echo(text, nl=False)
        return
    path = file or Path(f"{build}.toml")
    try:
        with path.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except FileExistsError:
        raise click.ClickException(printable(f"{path}: is there already; name another file")) from None
    except OSError as error:
        raise click.ClickException(printable(f"{path}: cannot be written: {error.strerror}")) from None
    click.echo(printable(f"Written: {path}. Change it, then: yardboard check-config {path}"))


@click.command("check-config")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
def check_config(file: Path) -> None:
    """Check a configuration.

    Says whether it is good, or all that is wrong with it.
    """
    try:
        config = load(file)
    except ConfigError as error:
        complain(complaint(error))
        sys.exit(1)
    click.echo(printable(summary(config)))
    try:
        config.require_devices()
    except ConfigError as error:
        complain(f"Only `yardboard sim` plays on it: {complaint(error)}")


@click.command("config-reference")
@click.option("--markdown", is_flag=True, help="As docs/configuration.md has it.")
def config_reference(markdown: bool) -> None:
    """Explain every key.

    Type, unit, range, default and meaning of all that a configuration may say.
    """
    click.echo((as_markdown() if markdown else as_text()).rstrip("\n"))


COMMANDS: tuple[click.Command, ...] = (config, check_config, config_reference)
"""The commands of this module, for the command line."""
