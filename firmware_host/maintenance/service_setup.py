"""Set up the Debian package's service for a configuration: choose its drop-ins, and restart it.

The package installs the unit. Settings that only some tables need are drop-ins: links to shipped files, in a folder of
the service manager. Other links and all files there belong to the administrator, and stay. A file for Avahi, with the
port of the configuration, announces the pages in the network.
"""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import click

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, load, parse
from firmware_host.config.section_conflicts import claims
from firmware_host.config.toml_file import ConfigError, contents
from firmware_host.players.levels.levels import SEARCHING
from firmware_host.system.files import replace_file
from firmware_host.system.plain_faults import writing_fault
from firmware_host.system.printable import printable_lines
from firmware_host.system.terminal import FILE, echo
from hardware.ports import PACKAGED
from hardware.raspberry_pi.pin_conflicts import PwmUse

NAME = "yardboard"
"""The name of the package, of the unit and of its user."""

TABLE = "/etc/yardboard/table.toml"
"""The configuration file that the service runs."""

GAMES = "/var/lib/yardboard"
"""The folder of the service's games."""

UNITS = Path("/etc/systemd/system")
DROP_INS = UNITS / "yardboard.service.d"

UNIT_FOLDERS = tuple(Path(folder, "systemd/system") for folder in ("/etc", "/usr/local/lib", "/usr/lib", "/lib"))
"""Where the service manager looks for installed units, systemd.unit(5)."""

BOOTED = Path("/run/systemd/system")
"""Exists where systemd has booted the machine, sd_booted(3)."""

HIDDEN = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")  # noqa: S108 - where the service's files must not be
"""The folders that the unit hides from the service: ProtectHome= and PrivateTmp=, systemd.exec(5)."""

# Written by `yardboard install` of earlier versions. A unit there would hide the package's.
_FORMER = ("systemd/system/yardboard*.service", "systemd/system/yardboard*.socket", "sysusers.d/yardboard.conf",
           "udev/rules.d/70-yardboard.rules", "systemd/system/yardboard.service.d/*.conf")  # fmt: skip
_FORMER_LINE = "# yardboard install wrote this file"

_ANNOUNCEMENT = "avahi/services/yardboard.service"
_ANNOUNCEMENT_LINE = "yardboard setup writes this file"  # packaging/postrm looks for it, too


class MaintenanceError(click.ClickException):
    """The error that the service cannot be set up or updated. The message says why, and what would help."""


def drop_ins(config: Config) -> tuple[str, ...]:
    """Return the names of the drop-ins that a configuration needs in addition to the unit. Pure."""
    pi5 = config.pi.model == "5"
    pwm = any(isinstance(claim, PwmUse) for claim in claims(config.sections, config.layout))
    needed = {
        "gpiomem": config.pi.pin_factory == "rpigpio" and not pi5,
        "mqtt": bool(config.mqtt.url),
        "pio": pwm and pi5,
        "players": any(player in SEARCHING for player in config.game.seats.values()),
        "programs": bool(config.players),
        "pwm": pwm and not pi5,
        "web": config.web.serve,
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


def load_for_service(path: Path, table: Path = Path(TABLE)) -> Config:
    """Return a configuration after checking that the service can run it from `table`.

    Raises:
        ConfigError: the configuration cannot be read or used; every mistake is listed.
        MaintenanceError: the configuration names files that the service would not find, could not read or must not
            write.
    """
    try:
        config = parse(contents(path), str(path), folder=table.parent)
    except ConfigError as error:
        load(path)  # an invalid configuration fails with its own message
        raise ConfigError(
            f"{path} would be invalid as {table}; put the files that it names in {table.parent}, too:", *error.mistakes
        ) from None
    config.require_devices()
    for where, name in {"[game] rules": config.game.rules, "[map] name": config.map.name}.items():
        if name.endswith(".toml"):
            _check_readable((table.parent / name).resolve(), f"{path}: {where}")
    journal = table.parent / config.journal.path
    if config.journal.path and not journal.is_relative_to(GAMES):
        raise MaintenanceError(f"{path}: [journal] path: the service can only write below {GAMES}, not to {journal}")
    return config


def _check_readable(file: Path, where: str) -> None:
    """Check that the service's user can read a file."""
    if any(file.is_relative_to(folder) for folder in HIDDEN):
        raise MaintenanceError(f"{where}: the service cannot see {file}; put it beside {TABLE}")
    for part in (*reversed(file.parents), file):
        status = part.stat()
        if not status.st_mode & (stat.S_IXOTH if stat.S_ISDIR(status.st_mode) else stat.S_IROTH):
            raise MaintenanceError(f"{where}: the service's user cannot read {file}; run: sudo chmod a+rX {part}")


Step = tuple[str, Path, Path | str]
"""What to do, the path, and another path or a text.

"link" to a shipped file, "remove", "rename" to another path, "keep" under another path, too, "copy" there, or "write" a
text.
"""


def plan(names: Collection[str], etc: Path = Path("/etc")) -> list[Step]:
    """Return the steps that install these drop-ins, remove the package's other ones, and rename former files.

    Args:
        names: the names of the drop-ins.
        etc: the folder of the system's configuration.

    Raises:
        MaintenanceError: a file of the administrator has the name of a drop-in.
    """
    former = [file for pattern in _FORMER for file in sorted(etc.glob(pattern)) if _is_former(file)]
    steps: list[Step] = [("rename", file, file.with_name(f"{file.name}.old")) for file in former]
    folder, shipped = etc / DROP_INS.relative_to("/etc"), shipped_files.service_folder()
    wanted = {folder / f"10-{name}.conf": shipped / f"{name}.conf" for name in names}
    for link, target in wanted.items():
        if link.is_symlink() and link.readlink() == target:
            continue
        if os.path.lexists(link) and link not in former and not _is_ours(link):
            raise MaintenanceError(f"{link}: exists already and is not the package's; rename it, e.g. to 20-own.conf")
        steps.append(("link", link, target))
    surplus = [folder / f"10-{name}.conf" for name in sorted(installed_drop_ins(etc) - set(names))]
    return steps + [("remove", link, "") for link in surplus]


def plan_announcement(config: Config, etc: Path = Path("/etc")) -> list[Step]:
    """Return the step that makes Avahi announce a table's pages, or stop if no other machine can open them.

    Empty if nothing has to change, or if the file is the administrator's.

    Args:
        config: the table's configuration.
        etc: the folder of the system's configuration.
    """
    file, shipped = etc / _ANNOUNCEMENT, shipped_files.service_folder() / "avahi-service.xml"
    former = ""
    if file.is_file() and not file.is_symlink():
        former = file.read_text(encoding="utf-8", errors="replace")
    if os.path.lexists(file) and _ANNOUNCEMENT_LINE not in former:  # the administrator's
        return []
    text = ""
    if config.web.serve and config.web.port and not ip_address(config.web.host).is_loopback:
        text = re.sub("<port>.*</port>", f"<port>{config.web.port}</port>", shipped.read_text(encoding="utf-8"))
    if text == former:
        return []
    return [("write", file, text) if text else ("remove", file, "")]


def installed_drop_ins(etc: Path = Path("/etc")) -> set[str]:
    """Return the names of the package's drop-ins that the service has."""
    links = (etc / DROP_INS.relative_to("/etc")).glob("10-*.conf")
    return {link.stem.removeprefix("10-") for link in links if _is_ours(link)}


def _is_former(file: Path) -> bool:
    return file.is_file() and file.read_text(encoding="utf-8", errors="replace").startswith(_FORMER_LINE)


def _is_ours(link: Path) -> bool:
    """Return whether a drop-in is a link to a file of the package, of this version or another."""
    shipped = (PACKAGED, str(shipped_files.service_folder()))
    return link.is_symlink() and str(link.readlink()).startswith(shipped)


def carry_out(step: Step) -> None:
    """Carry out one step of a plan.

    Raises:
        OSError: a file cannot be changed.
    """
    what, path, other = step
    changed = other if what == "copy" else path
    Path(changed).parent.mkdir(parents=True, exist_ok=True)
    if what == "link":
        new = path.with_name(f".{path.name}.new")
        new.unlink(missing_ok=True)
        new.symlink_to(other)
        new.replace(path)
    elif what == "remove":
        path.unlink()
    elif what == "rename":
        path.rename(other)
    elif what == "keep":
        os.link(path, other, follow_symlinks=False)
    else:
        content = path.read_bytes() if what == "copy" else str(other).encode()
        replace_file(Path(changed), content, finish=lambda handle: os.fchmod(handle, 0o644))


def _plan_table(path: Path) -> list[Step]:
    """Return the steps that make a file the service's configuration and keep the former one under another name.

    The former one stays in place until the new one is complete, because the disk may be full.
    """
    table, text = Path(TABLE), contents(path)
    with suppress(ConfigError):  # a file that cannot be read is replaced, too
        if path.resolve() == table.resolve() or contents(table) == text:
            return []
    former = table.with_name(f"{table.name}.{time.strftime('%Y%m%d-%H%M%S')}.old")
    return [*([("keep", table, former)] if table.exists() else []), ("copy", path, table)]


def restart() -> None:
    """Restart the service, and wait until its table can be played.

    Raises:
        MaintenanceError: the service does not start; the message quotes the last lines of its log.
    """
    run("systemctl", "daemon-reload")
    run("systemctl", "stop", f"{NAME}-player.socket")  # takes up a change when the table starts it
    try:
        run("systemctl", "restart", NAME)
    except MaintenanceError:
        raise MaintenanceError(f"the table does not start; the service keeps trying:\n{last_words()}") from None


def last_words() -> str:
    """Return the last lines in the service's log."""
    said = run("journalctl", f"--unit={NAME}", "--lines=5", "--output=cat", "--no-pager")
    return said.rstrip() or "it has logged nothing; see: systemctl status yardboard"


def run(*words: str) -> str:
    """Run a system command and return its output.

    Raises:
        MaintenanceError: the command failed, or does not exist. The message contains its output.
    """
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603 - fixed words
    except FileNotFoundError:
        raise MaintenanceError(f"{words[0]}: there is no such command on this machine; install it") from None
    if done.returncode:
        said = printable_lines(done.stderr.strip()) or f"ended with {done.returncode}"
        raise MaintenanceError(f"{' '.join(words)}: {said}")
    return done.stdout


def require_root() -> None:
    """Check that root runs this command.

    Raises:
        MaintenanceError: another user runs the command.
    """
    if os.geteuid() != 0:
        raise MaintenanceError("only root may run this command; use sudo")


def _require_service() -> None:
    """Check that the service is installed, by the package or in its way.

    Raises:
        MaintenanceError: there is no unit.
    """
    units = [folder / f"{NAME}.service" for folder in UNIT_FOLDERS]
    if not any(unit.is_file() and not _is_former(unit) for unit in units):
        raise MaintenanceError(
            "there is no service to set up on this machine, because the Debian package is not installed; install it "
            "with: sudo apt install ./yardboard_VERSION.deb; without it, `yardboard run --config FILE` runs the table"
        )


def page_address(config: Config) -> str:
    """Return the address of a table's pages, or "" if it has no pages.

    A loopback address means that only this machine can open them.
    """
    host = ip_address(config.web.host)
    name = f"[{host}]" if host.version == 6 else str(host)
    reachable = name if host.is_loopback else f"{socket.gethostname()}.local"
    return f"http://{reachable}:{config.web.port}/" if config.web.serve else ""


@click.command()
@click.option("--config", "path", type=FILE, help=f"A configuration to use from now on, as {TABLE}.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
@click.option("--no-start", is_flag=True, help="Do not restart the table.")
def setup(path: Path | None, dry_run: bool, no_start: bool) -> None:
    """Set the service up for a configuration.

    Checks the configuration, chooses what the service may use, and restarts the table. Repeat it after each change of
    the configuration. For the Debian package.
    """
    if not dry_run:
        require_root()
    source = path or Path(TABLE)
    if path is None and not source.is_file():
        raise MaintenanceError(f"{source}: there is no such file; use --config FILE")
    config = load_for_service(source)
    _require_service()
    steps = [*(_plan_table(source) if path else ()), *plan(drop_ins(config)), *plan_announcement(config)]
    try:
        for step in steps:
            echo(_describe(step))
            if not dry_run:
                carry_out(step)
    except OSError as error:
        raise MaintenanceError(writing_fault(error.filename, error, "make its folder writable")) from None
    if dry_run:
        return
    started = not no_start and BOOTED.is_dir()
    if started:
        restart()
        echo("The table runs.")
    if address := page_address(config):
        echo(f"Its page is at {address}" if started else f"Once the table runs its page is at {address}")


def _describe(step: Sequence[object]) -> str:
    what, path, other = step
    joint = {"link": "->", "rename": "to", "keep": "as", "copy": "to"}.get(str(what))
    return f"{what:<7} {path}" + (f" {joint} {other}" if joint else "")


COMMANDS: tuple[click.Command, ...] = (setup,)
"""This module's commands."""
