"""Maps and setups, for the tests of the rules."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from firmware_host.config.shipped_files import load_edition
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.pursuit.edition import deal
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option, Setup, owners_of
from tests.rules.pursuit.naive_classic import Move, Naive, RawLink, raw_links
from tests.rules.pursuit.notation import actions
from tests.rules.small_maps import in_short, map_data, random_links

_MAPS = Path(__file__).parents[2] / "config" / "maps"
CLASSIC = load_edition("classic")


@dataclass(frozen=True, eq=False)
class LinkedMap:
    """A map in two forms: as the engine reads it, and as the raw list of links for the naive referee."""

    network: Network
    links: tuple[RawLink, ...]


def _board(name: str, data: Mapping[str, Any]) -> LinkedMap:
    return LinkedMap(parse(name, data, f"{name}.toml"), tuple(raw_links(data)))


@cache
def london() -> LinkedMap:
    with (_MAPS / "london.toml").open("rb") as file:
        return _board("london", tomllib.load(file))


@cache
def small(text: str) -> LinkedMap:
    """Return a small map, written as "taxi 1-2 2-3, boat 3-1"; every station has a start card."""
    return _board("small", map_data(text))


@cache
def lanes(seed: int) -> LinkedMap:
    """Return a random small map, poor in taxis, on which pawns block each other and soon run out of tickets."""
    chance = random.Random(seed)
    return small(in_short(random_links(chance, chance.randrange(7, 15))))


def setup_of(board: LinkedMap, mr_x: int, *start: int, players: int | None = None, **options: Option) -> Setup:
    """Return a setup with one pawn on each of the start stations, in playing order."""
    owners = owners_of(CLASSIC, players=players, detectives=len(start))
    return Setup(
        CLASSIC, board.network, owners, dict(zip(owners, start, strict=True)), Secret(mr_x), options
    )  # fmt: skip


def game(board: LinkedMap, mr_x: int, *start: int, played: str = "", **options: Any) -> Game:
    return Game(setup_of(board, mr_x, *start, **options), actions(played))


def random_setup(board: LinkedMap, chance: random.Random) -> Setup:
    """Return a random setup: any number of players that the map's start cards allow, and any options."""
    most = min(6, len(board.network.start_cards) - 1)
    owners = owners_of(CLASSIC, players=chance.choice([n for n in (3, 4, 5, 6) if n == 4 or n <= most]))
    start = deal(CLASSIC, board.network, (*owners, MR_X), chance)
    mr_x = start.pop(MR_X)
    options: dict[str, Option] = {}
    if chance.random() < 0.5:
        options["x_fares"] = chance.choice(["unlimited", "counted"])
    if chance.random() < 0.5:
        options["last_chance"] = chance.random() < 0.5
    if chance.random() < 0.5:
        options["log_windows"] = chance.randrange(3, 25)
    return Setup(CLASSIC, board.network, owners, start, Secret(mr_x), options)


def naive_of(board: LinkedMap, setup: Setup) -> Naive:
    return Naive(list(board.links), setup.start, setup.mr_x.value, **setup.options)  # type: ignore[arg-type]


def plain(action: Action) -> Move:
    """Return an action in the form of the naive referee."""
    match action:
        case Double():
            return ("double",)
        case MrXMove(to, ticket):
            return ("x", to.value, ticket)
        case PawnMove(pawn, to, ticket):
            return ("pawn", pawn, to, ticket)
