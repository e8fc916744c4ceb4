"""Find the files that yardboard ships: maps, tiles, editions and example configurations.

There are two possible places: the folder `data` in an installed package, and the folder `config` beside the package in
a checkout. If the files are in neither, a function that needs them raises `ConfigError`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from firmware_host.config.allowed_values import as_toml, nearest
from firmware_host.config.toml_file import ConfigError, contents, toml
from firmware_host.rules import engines
from firmware_host.rules.data import map_file
from firmware_host.rules.dice import tiles
from firmware_host.rules.errors import BadEdition, BadMap
from firmware_host.rules.setup import Box, Ground

_INSTALLED = Path(__file__).resolve().parents[1] / "data"
_CHECKOUT = Path(__file__).resolve().parents[2] / "config"


def folder() -> Path:
    """Return the folder with the shipped files."""
    # Beside an installed package there may be another "config": ours has a folder of maps.
    return _first_with("maps", "neither {} nor {} has a folder maps", _INSTALLED, _CHECKOUT)


def service_folder() -> Path:
    """Return the folder with the service's unit and its other files."""
    unit, missing = "yardboard.service", "yardboard.service is neither in {} nor in {}"
    return _first_with(unit, missing, _INSTALLED / "systemd", _CHECKOUT.parent / "systemd")


def _first_with(name: str, missing: str, *places: Path) -> Path:
    for place in places:
        if (place / name).exists():
            return place
    what = missing.format(*places)
    remedy = "install yardboard again, or run it from a whole checkout"
    raise ConfigError(f"yardboard's own files are missing: {what}; {remedy}")


def configuration_names() -> tuple[str, ...]:
    """Return the sorted names of the shipped configurations: for the simulator, and for boards to build."""
    return _names("")


def configuration(name: str) -> str:
    """Return the text of a shipped configuration, with its comments.

    Raises:
        ConfigError: there is no such configuration; the message lists them.
    """
    known = configuration_names()
    if name not in known:
        raise ConfigError(f"BUILD: there is no configuration {as_toml(name)}; write one of {', '.join(known)}")
    return contents(folder() / f"{name}.toml")


def load_ground(name_or_path: str | Path, relative_to: Path | None = None) -> Ground:
    """Load a map or tile set, by its shipped name or by a path that ends in ".toml" (DI-07).

    A file with an entry `tiles` is a tile set, any other a map. A shipped file is read only once, and every call
    returns the same object. Results that are computed for a map are cached with this object.

    Args:
        name_or_path: the map or tile set.
        relative_to: the folder from which a relative path starts; None for the working folder.

    Raises:
        BadMap: there is no such shipped map or tile set (the message lists them), the file cannot be read, is not TOML,
            or contradicts itself; every line of the message names the file.
    """
    wanted = str(name_or_path)
    return _ground(wanted, relative_to) if wanted.endswith(".toml") else _shipped_ground(wanted, folder())


@cache  # only a few: unknown names are refused and not cached
def _shipped_ground(name: str, _of: Path) -> Ground:
    return _ground(name, None)


def _ground(wanted: str, relative_to: Path | None) -> Ground:
    path, data = _read(("maps", "tiles"), "map", wanted, relative_to, BadMap)
    if "tiles" in data:
        return tiles.parse(path.stem, data, str(path))
    return map_file.parse(path.stem, data, str(path))


def ground_names() -> tuple[str, ...]:
    """Return the names of the shipped maps and tile sets."""
    return (*_names("maps"), *_names("tiles"))


def edition_names() -> tuple[str, ...]:
    """Return the names of the shipped editions, sorted."""
    return _names("editions")


def load_edition(name_or_path: str | Path, relative_to: Path | None = None) -> Box:
    """Load an edition, by its shipped name such as "classic" or by a path that ends in ".toml" (ED-01).

    Args:
        name_or_path: the edition.
        relative_to: the folder from which a relative path starts; None for the working folder.

    Raises:
        BadEdition: there is no such shipped edition (the message lists them), or the file is invalid.
    """
    path, data = _read(("editions",), "rules", str(name_or_path), relative_to, BadEdition)
    return engines.parse(path.stem, data, str(path))


@cache
def former_editions() -> tuple[Box, ...]:
    """Return the editions that earlier versions shipped, to replay games from older journals."""
    folders = ("editions/former",)
    read = (_read(folders, "rules", name, None, BadEdition) for name in _names(*folders))
    return tuple(engines.parse(path.stem, data, str(path)) for path, data in read)


def _names(kind: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (folder() / kind).glob("*.toml")))


def _read(
    folders: tuple[str, ...], what: str, wanted: str, relative_to: Path | None, refusal: type[BadMap | BadEdition]
) -> tuple[Path, dict[str, Any]]:
    """Return the path and content of a shipped file, or of a file of the user.

    Args:
        folders: where shipped files of this kind are.
        what: the kind of file, for messages, such as "map".
        wanted: a shipped file's name without ".toml", or the path of a user's file.
        relative_to: the folder from which the path starts.
        refusal: the error to raise if the file is unknown or invalid.
    """
    path = Path(relative_to or "", wanted)
    if not wanted.endswith(".toml"):
        shipped = {name: folder() / kind / f"{name}.toml" for kind in folders for name in _names(kind)}
        if wanted not in shipped:
            known = ", ".join(sorted(shipped))
            near = nearest(wanted, shipped)
            right = f"did you mean {as_toml(near)}?" if near else f"write one of {known}, or a path that ends in .toml"
            raise refusal(f"unknown {what} {as_toml(wanted)}; {right}")
        path = shipped[wanted]
    try:
        return path, toml(contents(path), str(path))
    except ConfigError as error:
        raise refusal(str(error)) from error
