"""Generate the files of a table's service: path and text of each.

They come from the shipped folder `systemd`. The first line of each names its author and has a checksum of the rest:
that distinguishes our files from foreign and modified ones.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config
from firmware_host.config.section_conflicts import claims
from firmware_host.players.levels.levels import SEARCHING
from hardware.raspberry_pi.pin_conflicts import PwmUse

NAME = "yardboard"
"""The name of the unit and of its user."""

TABLE = "/etc/yardboard/table.toml"
"""The configuration file that the service runs."""

UNITS = "/etc/systemd/system"
UNIT = f"{UNITS}/yardboard.service"
DROP_INS = f"{UNITS}/yardboard.service.d"
PLAYER_SOCKET = f"{UNITS}/yardboard-player.socket"
PLAYER_UNIT = f"{UNITS}/yardboard-player@.service"
"""The folder and the unit of the programs of [players.NAME], which run one unit each."""

SYSUSERS = "/etc/sysusers.d/yardboard.conf"
RULES = "/etc/udev/rules.d/70-yardboard.rules"
WANTED = "/etc/systemd/system/multi-user.target.wants/yardboard.service"
"""The link that enabling the unit creates."""

GAMES = ("/var/lib/yardboard", "/var/lib/private/yardboard")
"""The games' folders; units of earlier versions used the second, which systemd moves to the first."""

OWN = ("/etc/yardboard", *GAMES)
"""The folders with the users' own work: configuration and games."""

DEVICES = {"gpiochip*": "gpio", "spidev*": "spi", "i2c-*": "i2c", "ttyACM*": "dialout", "ttyUSB*": "dialout"}
"""A table's device files in /dev, each with its group by our rules."""

PROGRAM = Path("/opt/yardboard/bin/yardboard")
"""The program's path in the shipped unit."""

_OURS = "# yardboard install wrote this file; write changes into a drop-in (systemctl edit yardboard). "


def drop_ins(config: Config) -> tuple[str, ...]:
    """Return the names of the drop-ins that a configuration needs beside the unit. Pure."""
    pi5 = config.pi.model == "5"
    pwm = any(isinstance(claim, PwmUse) for claim in claims(config.sections, config.layout))
    needed = {
        "gpiomem": config.pi.pin_factory == "rpigpio" and not pi5,
        "pio": pwm and pi5,
        "players": any(player in SEARCHING for player in config.game.seats.values()),
        "programs": bool(config.players),
        "pwm": pwm and not pi5,
        "web": config.web.serve,
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


def service_files(config: Config, program: str) -> dict[str, str]:
    """Return the files that the service of a configuration needs: path -> text, in the order of writing.

    Args:
        config: the table's configuration.
        program: the command `yardboard` that the unit is to run; an absolute path.

    Raises:
        ConfigError: the shipped files are missing.
    """
    shipped = {
        SYSUSERS: "yardboard.sysusers.conf",
        RULES: "70-yardboard.rules",
        UNIT: "yardboard.service",
        **({path: Path(path).name for path in (PLAYER_SOCKET, PLAYER_UNIT)} if config.players else {}),
        **{_drop_in(name): f"{name}.conf" for name in drop_ins(config)},
    }
    folder = shipped_files.service_folder()
    return {path: sign(_shipped_text(folder / name).replace(str(PROGRAM), program)) for path, name in shipped.items()}


def possible_files() -> tuple[str, ...]:
    """Return the paths of all files of any configuration's service, in this version or an earlier one.

    The configuration itself is not among them.
    """
    names = sorted(
        path.stem for path in shipped_files.service_folder().glob("*.conf") if path.name != "yardboard.sysusers.conf"
    )
    former = (f"{DROP_INS}/{name}.conf" for name in names)
    return (SYSUSERS, RULES, UNIT, PLAYER_SOCKET, PLAYER_UNIT, *map(_drop_in, names), *former)


def sign(text: str) -> str:
    """Return a text with our signature line before it. Pure."""
    return f"{_OURS}{_checksum(text)}\n{text}"


def is_ours(text: str) -> bool:
    """Return whether a text carries a valid signature, of this version or another, and is unchanged. Pure."""
    first, _, rest = text.partition("\n")
    return first == f"{_OURS}{_checksum(rest)}"


def _drop_in(name: str) -> str:
    """Return a drop-in's path, which sorts before override.conf of `systemctl edit`: the user's wins."""
    return f"{DROP_INS}/10-{name}.conf"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _shipped_text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
