"""Draw the artwork of all maps: `python -m artwork.build [FOLDER]`, and when the package is built."""

from __future__ import annotations

import hashlib
import sys
import tomllib
from pathlib import Path

from firmware_host.rules.data import map_file
from firmware_host.rules.dice.tiles import TileSet, parse
from firmware_host.rules.network import Network
from firmware_host.ui.drawing.paper import EDGE, WIDTH, artwork_name, places_on_paper, tiles_artwork_name

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "firmware_host" / "web" / "static" / "maps"
"""The pages' folder of artwork."""

FAMILIES = (("london", "london-us"),)
"""Maps that share the same ground."""

PICTURE_MAPS = ("junior",)
"""Maps in the style of a picture book."""

TILE_SETS = ("yardboard",)
"""Tile sets of the dice game, from which a board is composed for each game."""

_SOURCES = ("artwork/*.py", "config/maps/*.toml", "config/tiles/*.toml", "firmware_host/rules/network.py",
            "firmware_host/rules/data/*.py", "firmware_host/rules/dice/tiles.py",
            "firmware_host/ui/drawing/line_routing.py", "firmware_host/ui/drawing/board_style.py",
            "firmware_host/ui/games/tile_board.py", "firmware_host/ui/drawing/board_style.py",
            "firmware_host/web/static/styles/city.css")  # fmt: skip


def make(out: Path = OUT) -> list[Path]:
    """Write the artwork of all maps to a folder, unless the files there have the same sources.

    Returns:
        the files.

    Raises:
        ImportError: shapely is not installed.
    """
    head = f"<!-- made from {_fingerprint()} -->\n"
    families = [[_read_map(name) for name in family] for family in FAMILIES]
    pictures = [_read_map(name) for name in PICTURE_MAPS]
    tile_sets = [_read_tiles(name) for name in TILE_SETS]
    names = [artwork_name(network) for family in (*families, pictures) for network in family]
    files = sorted(out / name for name in [*names, *(tiles_artwork_name(one.digest) for one in tile_sets)])
    there = sorted(out.glob("*.svg"))
    if files == there and all(_starts_with(file, head) for file in files):
        return files
    from artwork.city_map import draw_ground, draw_map  # noqa: PLC0415 - only here is shapely needed
    from artwork.picture_map import draw_picture_map  # noqa: PLC0415 - the same
    from artwork.street_plan import Sheet  # noqa: PLC0415 - the same
    from artwork.tile_pictures import draw_tile_sheet  # noqa: PLC0415 - the same

    out.mkdir(parents=True, exist_ok=True)
    for family in families:
        maps = [(network, places_on_paper(network)) for network in family]
        ground = draw_ground(Sheet(WIDTH, _height(family[0]), EDGE), maps)
        for network, places in maps:
            _replace(out / artwork_name(network), head + draw_map(ground, network, places))
    for network in pictures:
        drawn = draw_picture_map(Sheet(WIDTH, _height(network), EDGE), network, places_on_paper(network))
        _replace(out / artwork_name(network), head + drawn)
    for tiles in tile_sets:
        _replace(out / tiles_artwork_name(tiles.digest), head + draw_tile_sheet(tiles))
    for old in set(there) - set(files):
        old.unlink()
    return files


def _read_map(name: str) -> Network:
    file = ROOT / "config" / "maps" / f"{name}.toml"
    return map_file.parse(name, tomllib.loads(file.read_text(encoding="utf-8")), file.name)


def _read_tiles(name: str) -> TileSet:
    file = ROOT / "config" / "tiles" / f"{name}.toml"
    return parse(name, tomllib.loads(file.read_text(encoding="utf-8")), file.name)


def _height(network: Network) -> float:
    """Return the height of a map's sheet, in units."""
    return (WIDTH - 2 * EDGE) / network.aspect + 2 * EDGE


def _replace(file: Path, text: str) -> None:
    """Replace a file atomically: a page that loads meanwhile gets the old one or the new one, whole."""
    new = file.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def _starts_with(file: Path, head: str) -> bool:
    with file.open(encoding="utf-8") as opened:
        return opened.readline() == head


def _fingerprint() -> str:
    """Return a fingerprint of everything that the artwork depends on."""
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    for path in make(*map(Path, sys.argv[1:])):
        sys.stdout.write(f"{path}\n")
