"""Define the size of a map on paper and the places of its stations there."""

from __future__ import annotations

from firmware_host.rules.network import Network

WIDTH = 1600.0
"""Width of a board with its edges in units; at 1600 pixels, one unit is one pixel."""

EDGE = 22.0
"""Width of the paper's edge around the board, in units."""


def spot(x: float, y: float, aspect: float) -> tuple[float, float]:
    """Convert fractions of a board's width and height to units."""
    width = WIDTH - 2 * EDGE
    return EDGE + x * width, EDGE + y * width / aspect


def places_on_paper(network: Network) -> dict[int, tuple[float, float]]:
    """Return each station's centre, in units."""
    return {number: spot(one.x, one.y, network.aspect) for number, one in network.stations.items()}
