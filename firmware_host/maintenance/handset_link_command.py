"""Define the command `handset-link`: show the link for Mister X's phone, as text and QR code."""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlsplit

import click

from firmware_host.config.loader import Config, load
from firmware_host.daemon import health_file
from firmware_host.system.boot_clock import boot_id
from firmware_host.system.printable import printable
from firmware_host.web import missing_package
from firmware_host.web.seats import handset_link_file
from firmware_host.web.seats.handset_link_file import AbsentLink, NoLink
from firmware_host.web.transport.host_names import is_loopback

_NOBODY = (
    "nobody can be invited here: {}. Does the table run, with this configuration, and is a person Mister X? "
    "The link comes a second after the game begins"
)


@click.command(name="handset-link")
@click.option(
    "--config",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
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
    """Return the newest link of the table with this configuration: a power cut may have left an older one."""
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


COMMANDS: tuple[click.Command, ...] = (handset_link,)
"""The command, for the command line."""
