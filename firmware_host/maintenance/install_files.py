"""The files of a table's service, as a machine should have them: for each its path, and its text.

They come from the shipped folder `systemd`. Each begins with a line that says who wrote it and has the rest's checksum:
so a file of ours is told from one that somebody else put there, and from one that was changed by hand.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from firmware_host.config import catalogue
from firmware_host.config.loader import Config

NAME = "yardboard"
"""What the unit and its user are called."""

TABLE = "/etc/yardboard/table.toml"
"""The configuration that the service runs."""

UNIT = "/etc/systemd/system/yardboard.service"
DROP_INS = "/etc/systemd/system/yardboard.service.d"
SYSUSERS = "/etc/sysusers.d/yardboard.conf"
RULES = "/etc/udev/rules.d/70-yardboard.rules"
WANTED = "/etc/systemd/system/multi-user.target.wants/yardboard.service"
"""What enabling the unit makes."""

GAMES = ("/var/lib/yardboard", "/var/lib/private/yardboard")
"""Where the games are kept; the second by units of earlier versions, from where systemd takes them to the first."""

OWN = ("/etc/yardboard", *GAMES)
"""The folders with what the people at the table have made: their configuration, their games."""

DEVICES = {"gpiochip*": "gpio", "spidev*": "spi", "i2c-*": "i2c", "ttyACM*": "dialout", "ttyUSB*": "dialout"}
"""The device files of a table in /dev, and the group that each belongs to by our rules."""

PROGRAM = Path("/opt/yardboard/bin/yardboard")
"""Where the shipped unit has the program."""

_OURS = "# yardboard install wrote this file; write changes into a drop-in (systemctl edit yardboard). "


def drop_ins(config: Config) -> tuple[str, ...]:
    """The names of the drop-ins that a configuration needs beside the unit. Pure."""
    pi5, pwm = config.pi.model == "5", config.lamps.driver == "neopixel-pwm"
    needed = {
        "gpiomem": config.pi.pin_factory == "rpigpio" and not pi5,
        "pio": pwm and pi5,
        "pwm": pwm and not pi5,
        "web": config.web.serve,
    }
    return tuple(name for name, is_needed in needed.items() if is_needed)


def service_files(config: Config, program: str) -> dict[str, str]:
    """What the service of a configuration needs, path by path, in the order in which it is to be written.

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
        **{_drop_in(name): f"{name}.conf" for name in drop_ins(config)},
    }
    folder = catalogue.service_folder()
    return {path: signed(_text(folder / name).replace(str(PROGRAM), program)) for path, name in shipped.items()}


def possible_files() -> tuple[str, ...]:
    """The paths of all files that the service of any configuration may need, or an earlier version's has needed.

    Its configuration is not among them.
    """
    names = sorted(
        path.stem for path in catalogue.service_folder().glob("*.conf") if path.name != "yardboard.sysusers.conf"
    )
    former = (f"{DROP_INS}/{name}.conf" for name in names)
    return (SYSUSERS, RULES, UNIT, *map(_drop_in, names), *former)


def signed(text: str) -> str:
    """A text with the line before it by which it is known as ours. Pure."""
    return f"{_OURS}{_checksum(text)}\n{text}"


def ours(text: str) -> bool:
    """Whether a file's text is one that was `signed`, in this version or another, and is as it was. Pure."""
    first, _, rest = text.partition("\n")
    return first == f"{_OURS}{_checksum(rest)}"


def _drop_in(name: str) -> str:
    """Its path, which comes before that of `systemctl edit`, override.conf: the last word is the people's."""
    return f"{DROP_INS}/10-{name}.conf"


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
