"""Define the size of a map on paper, the places of its stations, and the names of artwork files.

The artwork is drawn where the package is built, without Pillow and the other dependencies, so this module imports none
of them.
"""

from __future__ import annotations

import hashlib

from firmware_host.rules.network import Network

WIDTH = 1600.0
"""Width of a board with its edges in drawing units; at 1600 pixels, one unit is one pixel."""

EDGE = 22.0
"""Width of the paper's edge around the board, in drawing units."""


TILE_SCALE = 1.8
"""How much larger tiles are drawn than London's map."""


def spot(x: float, y: float, aspect: float) -> tuple[float, float]:
    """Convert fractions of a board's width and height to drawing units."""
    width = WIDTH - 2 * EDGE
    return EDGE + x * width, EDGE + y * width / aspect


def places_on_paper(network: Network) -> dict[int, tuple[float, float]]:
    """Return where each station's centre is on paper, in drawing units."""
    return {number: spot(one.x, one.y, network.aspect) for number, one in network.stations.items()}


def tile_size(tray: int) -> float:
    """Return the width and height of a tile in drawing units, for a board with this many places in a row."""
    return 2 * (WIDTH - 2 * EDGE) / tray


def artwork_name(network: Network) -> str:
    """Return the name of the artwork file for exactly this map, such as "london-1f0c2a9b7d3e.svg".

    The name contains a digest of links and stations, so a modified map never shows another map's artwork.
    """
    places = sorted((one.number, one.x, one.y) for one in network.stations.values())
    content = repr((network.digest, network.aspect, places))
    return f"{network.name}-{hashlib.sha256(content.encode()).hexdigest()[:12]}.svg"


def tiles_artwork_name(tile_set: str) -> str:
    """Return the name of the artwork file for a tile set with this digest."""
    return f"tiles-{hashlib.sha256(tile_set.encode()).hexdigest()[:12]}.svg"
