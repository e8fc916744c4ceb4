"""Where yardboard's own files lie: the shipped maps, tiles and editions, and the example configurations.

There are two places and no others: in an installed package the folder `data` beside this module, in a checkout
the folder `config` beside the package.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from firmware_host.config.fields import as_toml
from firmware_host.config.toml_reader import ConfigError, contents, toml
from firmware_host.rules import box_file
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.dice import tiles
from firmware_host.rules.errors import BadEdition, BadMap
from firmware_host.rules.network import Network
from firmware_host.rules.setup import Box, Ground

_INSTALLED = Path(__file__).resolve().parents[1] / "data"
_CHECKOUT = Path(__file__).resolve().parents[2] / "config"


def folder() -> Path:
    """The folder with the shipped files.

    Raises:
        ConfigError: neither of the two places is there; the message names both.
    """
    for place in (_INSTALLED, _CHECKOUT):
        if (place / "maps").is_dir():  # beside an installed package some other "config" may lie
            return place
    raise ConfigError(
        f"yardboard's own files are missing: neither {_INSTALLED} nor {_CHECKOUT} has a folder maps; "
        "install yardboard again, or run it from a whole checkout"
    )


def service_folder() -> Path:
    """The folder with the shipped files of the service: its unit and what belongs to it.

    Raises:
        ConfigError: they are in neither of the two places; the message names both.
    """
    places = (_INSTALLED / "systemd", _CHECKOUT.parent / "systemd")
    for place in places:
        if (place / "yardboard.service").is_file():
            return place
    raise ConfigError(
        f"yardboard's own files are missing: yardboard.service is neither in {places[0]} nor in {places[1]}; "
        "install yardboard again, or run it from a whole checkout"
    )


def configuration_names() -> tuple[str, ...]:
    """The names of the shipped configurations, sorted: the simulator, and boards to build.

    Raises:
        ConfigError: the shipped files are missing.
    """
    return _names("")


def configuration(name: str) -> str:
    """The text of a shipped configuration, as TOML with its comments.

    Raises:
        ConfigError: there is none of that name (the message lists them), or the shipped files are missing.
    """
    known = configuration_names()
    if name not in known:
        raise ConfigError(f"unknown configuration {as_toml(name)}; shipped are {', '.join(known)}")
    return contents(folder() / f"{name}.toml")


def map_names() -> tuple[str, ...]:
    """The names of the shipped maps, sorted.

    Raises:
        ConfigError: the shipped files are missing.
    """
    return _names("maps")


def load_map(name_or_path: str | Path, relative_to: Path | None = None) -> Network:
    """The map of a shipped name such as "london", or of a file: whatever ends in ".toml" is a path.

    Args:
        name_or_path: which map.
        relative_to: the folder from which a path starts; the working folder if None.

    Raises:
        BadMap: there is no such shipped map (the message lists them), the file cannot be read, is no TOML, or
            contradicts itself; every line of the message names the file.
        ConfigError: the shipped files are missing.
    """
    path, data = _read(("maps",), "map", str(name_or_path), relative_to, BadMap)
    return parse(path.stem, data, str(path))


def ground_names() -> tuple[str, ...]:
    """The names of the shipped maps and tile sets, sorted: what can be played on.

    Raises:
        ConfigError: the shipped files are missing.
    """
    return tuple(sorted((*_names("maps"), *_names("tiles"))))


def load_ground(name_or_path: str | Path, relative_to: Path | None = None) -> Ground:
    """The map or the tile set of a shipped name, or of a file: whatever ends in ".toml" is a path (DI-07).

    A file with an entry `tiles` is a tile set, any other a map. A shipped one is read once and is the same object
    from then on: what is reckoned out for a map is kept with it, and a table that changes its board time and again
    would keep that for every reading.

    Args:
        name_or_path: which map or tile set.
        relative_to: the folder from which a path starts; the working folder if None.

    Raises:
        BadMap: there is no such shipped map or tile set (the message lists them), the file cannot be read, is no
            TOML, or contradicts itself; every line of the message names the file.
        ConfigError: the shipped files are missing.
    """
    wanted = str(name_or_path)
    return _ground(wanted, relative_to) if wanted.endswith(".toml") else _shipped_ground(wanted, folder())


@cache  # a handful: what is not shipped is refused, and not kept
def _shipped_ground(name: str, _of: Path) -> Ground:
    return _ground(name, None)


def _ground(wanted: str, relative_to: Path | None) -> Ground:
    path, data = _read(("maps", "tiles"), "map", wanted, relative_to, BadMap)
    if "tiles" in data:
        return tiles.parse(path.stem, data, str(path))
    return parse(path.stem, data, str(path))


def edition_names() -> tuple[str, ...]:
    """The names of the shipped editions, sorted: the rule systems by which can be played.

    Raises:
        ConfigError: the shipped files are missing.
    """
    return _names("editions")


def load_edition(name_or_path: str | Path, relative_to: Path | None = None) -> Box:
    """The edition of a shipped name such as "classic", or of a file: whatever ends in ".toml" is a path (ED-01).

    Args:
        name_or_path: which edition.
        relative_to: the folder from which a path starts; the working folder if None.

    Raises:
        BadEdition: there is no such shipped edition (the message lists them), or the file is none or wrong.
        ConfigError: the shipped files are missing.
    """
    path, data = _read(("editions",), "rules", str(name_or_path), relative_to, BadEdition)
    return box_file.parse(path.stem, data, str(path))


def _names(rank: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (folder() / rank).glob("*.toml")))


def _read(
    ranks: tuple[str, ...], what: str, wanted: str, relative_to: Path | None, refusal: type[BadMap | BadEdition]
) -> tuple[Path, dict[str, Any]]:
    """The file of a shipped name or of a path, and what is in it; `refusal` is raised for one that cannot be had.

    Shipped files are looked for in the folders `ranks`.
    """
    path = Path(relative_to or "", wanted)
    if not wanted.endswith(".toml"):
        shipped = {name: folder() / rank / f"{name}.toml" for rank in ranks for name in _names(rank)}
        if wanted not in shipped:
            known = ", ".join(sorted(shipped))
            raise refusal(f"unknown {what} {as_toml(wanted)}; shipped are {known}; a path of your own ends in .toml")
        path = shipped[wanted]
    try:
        return path, toml(contents(path), str(path))
    except ConfigError as error:
        raise refusal(str(error)) from error
