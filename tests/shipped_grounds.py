"""The shipped maps and tile sets, by name."""

from __future__ import annotations

from firmware_host.config import shipped_files
from firmware_host.rules.dice.tiles import TileSet
from firmware_host.rules.network import Network


def load_map(name: str) -> Network:
    """Return a shipped printed map."""
    ground = shipped_files.load_ground(name)
    if not isinstance(ground, Network):
        raise TypeError(f"{name} is no printed map")
    return ground


def load_tiles(name: str = "yardboard") -> TileSet:
    """Return a shipped tile set."""
    ground = shipped_files.load_ground(name)
    if not isinstance(ground, TileSet):
        raise TypeError(f"{name} is no tile set")
    return ground


def ground_names() -> list[str]:
    """Return the names of all shipped maps and tile sets."""
    return sorted(path.stem for kind in ("maps", "tiles") for path in (shipped_files.folder() / kind).glob("*.toml"))
