"""Ways to play, one or more for every rule system, and tables for them: the shipped ones, and canaries."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, parse, simulator, with_rules
from firmware_host.rules.data.tile_file import Tile
from firmware_host.rules.dice.tiles import TileSet
from firmware_host.rules.setup import Option, Wish
from tests.amount import amount


@dataclass(frozen=True)
class Case:
    """A way to play: the rules, the number of players, and the options."""

    rules: str
    players: int
    options: tuple[tuple[str, Option], ...] = ()

    def __str__(self) -> str:
        return "-".join([self.rules, str(self.players), *(name for name, _ in self.options)])

    @property
    def wish(self) -> Wish:
        return Wish(players=self.players, options=dict(self.options))


US = Case("us", 4, (("voluntary_surfacing", True),))
CURRENT = Case("current", 5)
BEGINNERS = Case("beginners", 5)
ROLLED = Case("dice", 4)
ENTERED = Case("dice", 2, (("dice", "entered"), ("experts", True)))
JUNIOR = Case("junior", 2)
JUNIORS = Case("junior", 4)
CASES = (US, CURRENT, BEGINNERS, ROLLED, ENTERED, JUNIOR, JUNIORS)
SOME: tuple[Case, ...] = amount((US, BEGINNERS, ROLLED, JUNIORS), CASES)
"""Cases for slow tests: each engine, and Mister X's pawn in the open; all cases in the long tests."""


@cache
def shipped(rules: str) -> Config:
    """Return the shipped simulator's configuration for these rules."""
    return with_rules(simulator(), rules)


CANARY = 7000


class _CanaryTile(Tile):
    @property
    def places(self) -> tuple[int, ...]:
        return tuple(CANARY + place for place in Tile.places.fget(self))  # type: ignore[attr-defined]


def canaries(rules: str, folder: Path) -> Config:
    """Return the same with numbers on the board that a search finds wherever they occur."""
    if rules == "dice":
        config = shipped(rules)
        ground: Any = config.ground
        tiles = {name: _CanaryTile(**{f.name: getattr(tile, f.name) for f in fields(tile) if f.init})
                 for name, tile in ground.tiles.items()}  # fmt: skip
        return replace(config, ground=TileSet("canaries", "", tiles))
    box = _file("editions", rules)
    for rank in ("mr_x", "detective"):
        for deck in {"cards", "posts"} & box.get(rank, {}).keys():
            box[rank][deck] = [CANARY + card for card in box[rank][deck]]
    board = _file("maps", str(box["map"]))
    drawn = {
        "title": "canaries",
        "aspect": board["aspect"],
        "start_cards": [CANARY + card for card in board["start_cards"]],
        "starts": {colour: CANARY + start for colour, start in board.get("starts", {}).items()},
        "via": [{"link": re.sub(r"\d+", lambda end: str(CANARY + int(end[0])), row["link"]),
                 "over": [CANARY + over for over in row["over"]]} for row in board.get("via", [])],
        "stations": {
            str(CANARY + int(number)): {key: ends if key == "at" else [CANARY + end for end in ends]
                                        for key, ends in row.items()}
            for number, row in board["stations"].items()
        },
    }  # fmt: skip
    (folder / "canaries.toml").write_text(_toml({key: value for key, value in drawn.items() if value != {}}), "utf-8")
    (folder / f"{rules}.toml").write_text(_toml(box), "utf-8")
    return parse(f'[game]\nrules = "{rules}.toml"\n[map]\nname = "canaries.toml"', "canaries.toml", folder=folder)


def _file(rank: str, name: str) -> dict[str, Any]:
    return tomllib.loads((shipped_files.folder() / rank / f"{name}.toml").read_text(encoding="utf-8"))


def _toml(content: Mapping[str, Any]) -> str:
    return "\n".join(f"{key} = {_value(value)}" for key, value in content.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value)
