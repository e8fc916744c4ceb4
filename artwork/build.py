"""Make the artwork of all maps: `python -m artwork.build [FOLDER]`, and a part of building the package."""

from __future__ import annotations

import hashlib
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "firmware_host" / "web" / "static" / "maps"
"""Where the pages look for artwork."""

FAMILIES = (("london", "london-us"),)
"""Maps that lie on the same ground."""

_SOURCES = ("artwork/*.py", "config/maps/*.toml", "firmware_host/rules/network.py", "firmware_host/rules/data/*.py",
            "firmware_host/ui/drawing/line_routing.py", "firmware_host/ui/drawing/paper.py",
            "firmware_host/ui/map_artwork.py", "firmware_host/web/static/city.css")  # fmt: skip
_STAMP = ".made-from"


def make(out: Path = OUT) -> list[Path]:
    """Write the artwork of all maps to a folder, unless what lies there was made from the same sources.

    Returns:
        the files.

    Raises:
        ImportError: shapely is not installed.
    """
    stamp, made_from = out / _STAMP, _fingerprint()
    there = sorted(out.glob("*.svg"))
    if there and stamp.exists() and stamp.read_text(encoding="utf-8") == made_from:
        return there
    from artwork.city_map import draw_ground, draw_map  # noqa: PLC0415 - only here is shapely needed
    from artwork.street_plan import Sheet  # noqa: PLC0415
    from firmware_host.rules.data import map_file  # noqa: PLC0415
    from firmware_host.ui.drawing.paper import EDGE, WIDTH, places_on_paper  # noqa: PLC0415
    from firmware_host.ui.map_artwork import artwork_name  # noqa: PLC0415

    drawings: dict[str, str] = {}
    for family in FAMILIES:
        files = [ROOT / "config" / "maps" / f"{name}.toml" for name in family]
        networks = [
            map_file.parse(file.stem, tomllib.loads(file.read_text(encoding="utf-8")), file.name) for file in files
        ]
        maps = [(network, places_on_paper(network)) for network in networks]
        sheet = Sheet(WIDTH, (WIDTH - 2 * EDGE) / networks[0].aspect + 2 * EDGE, EDGE)
        ground = draw_ground(sheet, maps)
        for network, places in maps:
            drawings[artwork_name(network)] = draw_map(ground, network, places)
    out.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    for old in there:
        old.unlink()
    for name, text in drawings.items():
        (out / name).write_text(text, encoding="utf-8")
    stamp.write_text(made_from, encoding="utf-8")
    return sorted(out.glob("*.svg"))


def _fingerprint() -> str:
    """Return what differs whenever something differs of which the artwork is made."""
    digest = hashlib.sha256()
    for pattern in _SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    for path in make(*map(Path, sys.argv[1:])):
        sys.stdout.write(f"{path}\n")
