"""Tiles for tests: the shipped ones, plain ones that tests can change, and layouts of them."""

import json
import random
import tomllib
from itertools import pairwise

from hypothesis import strategies as st

from firmware_host.config import shipped_files
from firmware_host.rules.dice.tiles import parse

LETTERS = "ABCDEFGHI"
FILE = shipped_files.folder() / "tiles" / "yardboard.toml"
SHIPPED = tomllib.loads(FILE.read_text(encoding="utf-8"))
TILES = parse("yardboard", SHIPPED, "yardboard.toml")

OPEN = {
    "streets": dict.fromkeys(("top", "bottom", "left", "right"), "both"),
    "exits": {edge: ["both", "both"] for edge in ("top", "bottom", "left", "right")},
}
PLAIN = {
    "title": "Every street open; buses and undergrounds stop only at the top left",
    "tiles": {
        letter: {
            "stops": ["taxi bus underground" if letter in "GHI" else "taxi bus", "taxi", "taxi", "taxi"],
            "dark": OPEN,
            "light": OPEN,
        }
        for letter in LETTERS
    },
}


def change(letter, side, key=None, value=None, data=PLAIN):
    """Return a copy with another value under a dotted key of one side of a tile. Without a value, remove the key."""
    data = json.loads(json.dumps(data))
    table = data["tiles"][letter] if side is None else data["tiles"][letter][side]
    *path, last = key.split(".")
    for step in path:
        table = table[step]
    if value is None:
        del table[last]
    else:
        table[last] = value
    return data


def changed(*changes):
    """Return plain tiles with some light sides changed: (letter, key, value) each."""
    data = PLAIN
    for letter, key, value in changes:
        data = change(letter, "light", key, value, data)
    return parse("plain", data, "plain.toml")


@st.composite
def layouts(draw):
    """Draw any layout of the shipped tiles: nine or six of them, any number on their light side."""
    if draw(st.booleans()):
        letters = draw(st.permutations(LETTERS))
    else:
        under = draw(st.permutations(sorted(TILES.undergrounds)))[:3]
        others = draw(st.permutations(sorted(set(LETTERS) - TILES.undergrounds)))[:3]
        letters = draw(st.permutations(under + others))
    text = "".join(letter.lower() if draw(st.booleans()) else letter for letter in letters)
    return " ".join(text[i : i + 3] for i in range(0, len(text), 3))


def random_layouts(count, seed):
    """Return layouts as games draw them."""
    chance = random.Random(seed)
    return [TILES.draw(chance.choice((1, 2, 3)), chance.random() < 0.7, chance) for _ in range(count)]


def rides(tiling, transport=None):
    """Return every allowed ride as (start, end, transport)."""
    return {
        (start, end, t)
        for start in tiling.stations
        for end, ways in tiling.around(start).items()
        for t in ways
        if transport in (None, t)
    }


def contrary(tiling):
    """Return every ride that only a black ticket allows."""
    return {(start, end, t) for start in tiling.stations for end, ways in tiling.against(start).items() for t in ways}


def cells(tiling):
    """Return the place of each station: number -> (row, column)."""
    return {place: (i, j) for i, row in enumerate(tiling.rows) for j, place in enumerate(row)}


def drawn(tiling):
    """Return the streets of taxis as text, with arrows for one-way streets, without taxi lanes."""
    at = {cell: place for place, cell in cells(tiling).items()}

    def street(here, there, signs):
        ways = ("taxi" in tiling.around(a).get(b, ()) for a, b in ((here, there), (there, here)))
        return signs[tuple(ways)]

    level = {(True, True): "--", (True, False): "->", (False, True): "<-", (False, False): "  "}
    upright = {(True, True): " | ", (True, False): " v ", (False, True): " ^ ", (False, False): "   "}
    lines = []
    for i, row in enumerate(tiling.rows):
        streets = [street(a, b, level) for a, b in pairwise(row)]
        lines.append("".join(f"{place:2}{sign}" for place, sign in zip(row, [*streets, ""], strict=True)))
        if i + 1 < len(tiling.rows):
            lines.append(" ".join(street(place, at[i + 1, j], upright) for j, place in enumerate(row)))
    return [line.rstrip() for line in lines]
