"""Small maps in a short notation, as in their files, and random maps."""

from __future__ import annotations

import random
from typing import Any


def map_data(text: str, **more: Any) -> dict[str, Any]:
    """Return a map written as "taxi 1-2 2-3, boat 3-1"; every station has a start card."""
    rows: dict[int, dict[str, Any]] = {}
    for part in text.split(","):
        transport, *pairs = part.split()
        for pair in pairs:
            a, b = map(int, pair.split("-"))
            for station, other in ((a, b), (b, a)):
                rows.setdefault(station, {}).setdefault(transport, []).append(other)
    stations = {str(number): {"at": [0.5, 0.5], **rows[number]} for number in sorted(rows)}
    return {"title": "small", "aspect": 1.0, "start_cards": sorted(rows), "stations": stations, **more}


def random_links(chance: random.Random, size: int) -> list[tuple[int, int, str]]:
    """Return the links of a random map of `size` stations, poor in taxis, where pawns block each other."""
    weights = chance.choice([(1, 3, 6, 1), (0, 1, 8, 1), (2, 2, 2, 2), (1, 0, 6, 3), (5, 3, 2, 1)])
    pairs = [(chance.randrange(1, n), n) for n in range(2, size + 1)]
    pairs += [(a, b) for a, b in (sorted(chance.sample(range(1, size + 1), 2)) for _ in range(size // 3))]
    return sorted({(a, b, chance.choices(("taxi", "bus", "underground", "boat"), weights)[0]) for a, b in pairs})


def in_short(links: list[tuple[int, int, str]]) -> str:
    return ", ".join(f"{transport} {a}-{b}" for a, b, transport in links)
