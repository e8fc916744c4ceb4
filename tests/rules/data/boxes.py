"""Editions, their files and their maps, for the tests of the boxes."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from firmware_host.config import shipped_files
from firmware_host.rules import engines
from firmware_host.rules.actions import MR_X
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.errors import BadEdition
from firmware_host.rules.game import Game
from firmware_host.rules.network import Network
from firmware_host.rules.pursuit.edition import Edition, deal
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Option, Setup
from tests.rules import refusals
from tests.rules.pursuit.notation import actions
from tests.rules.small_maps import in_short, map_data, random_links
from tests.shipped_grounds import load_map

NAMES = ("classic", "current", "us")
"""The shipped pursuit games with tickets."""


def content(name: str) -> dict[str, Any]:
    """Return the content of a shipped edition's file."""
    return tomllib.loads((shipped_files.folder() / "editions" / f"{name}.toml").read_text(encoding="utf-8"))


def complaints(change: Callable[[dict[str, Any]], object], name: str = "classic") -> list[str]:
    """Return the complaints about a changed edition, without the file name at the start of each line."""
    data = content(name)
    change(data)
    with pytest.raises(BadEdition) as caught:
        engines.parse("mine", data, "mine.toml")
    lines = str(caught.value).splitlines()
    assert all(line.startswith("mine.toml: ") for line in lines)
    return [line.removeprefix("mine.toml: ") for line in lines]


@cache
def shipped(name: str) -> Edition:
    found = shipped_files.load_edition(name)
    if not isinstance(found, Edition):
        raise TypeError(f"{name} is no pursuit game")
    return found


def classic() -> Edition:
    return shipped("classic")


def us() -> Edition:
    return shipped("us")


def current() -> Edition:
    return shipped("current")


def beginners() -> Edition:
    return shipped("beginners")


@dataclass(frozen=True, eq=False)
class RawMap:
    """A map in two forms: as the engine reads it, and as its file writes it."""

    network: Network
    data: Mapping[str, Any]


@cache
def _shipped_map(name: str) -> RawMap:
    return RawMap(load_map(name), tomllib.loads((shipped_files.folder() / "maps" / f"{name}.toml").read_text()))


def london() -> RawMap:
    return _shipped_map("london")


def london_us() -> RawMap:
    return _shipped_map("london-us")


@cache
def small(text: str, over: str = "") -> RawMap:
    """Return a small map, "taxi 1-2 2-3, boat 3-1"; `over`: lines over stations, "bus 1-5 3 4, bus 2-6 3"."""
    vias = [row.split() for row in over.split(",") if row]
    data = map_data(text, via=[{"link": " ".join(row[:2]), "over": [int(n) for n in row[2:]]} for row in vias])
    return RawMap(parse("small", data, "small.toml"), data)


@cache
def lanes(seed: int) -> RawMap:
    """Return a random small map, poor in taxis, with lines that run over other stations."""
    chance = random.Random(seed)
    size = chance.randrange(9, 17)
    links = random_links(chance, size)
    over = []
    for a, b, transport in links:
        between = [n for n in range(1, size + 1) if n not in (a, b)]
        if transport in ("bus", "underground") and chance.random() < 0.6:
            over.append(f"{transport} {a}-{b} " + " ".join(map(str, chance.sample(between, chance.randrange(1, 3)))))
    return small(in_short(links), ", ".join(over))


def setup_of(edition: Edition, board: RawMap, mr_x: int, *start: int, players: int = 6, **options: Option) -> Setup:
    """Return a setup with one pawn on each of the start stations, in playing order."""
    owners = edition.owners(players)
    stations = dict(zip(owners, start, strict=True))
    return Setup(edition, board.network, owners, stations, Secret(mr_x), options)


def game(
    edition: Edition, board: RawMap, mr_x: int, *start: int, played: str = "", players: int = 6, **options: Option
) -> Game:
    return Game(setup_of(edition, board, mr_x, *start, players=players, **options), actions(played))


def random_setup(edition: Edition, board: RawMap, chance: random.Random) -> Setup:
    """Return a random setup: any number of players, and any of the edition's options."""
    owners = edition.owners(chance.choice(sorted(edition.seats)))
    own_deck = board.network.name == edition.map
    names = (*owners, MR_X)
    cards = chance.sample(board.network.start_cards, len(names))
    start = deal(edition, board.network, names, chance) if own_deck else dict(zip(names, cards, strict=True))
    mr_x = Secret(start.pop(MR_X))
    values: dict[str, list[Option]] = {
        "x_fares": ["unlimited", "counted"],
        "log_windows": list(range(3, 25)),
        "voluntary_surfacing": [True, False],
        "cut_off": [True, False],
        "uncover_half": [True, False],
    }
    options = {name: chance.choice(values[name]) for name in edition.options if chance.random() < 0.6}
    return Setup(edition, board.network, owners, start, mr_x, options)


def play(table: Game, text: str) -> Game:
    for action in actions(text):
        table.play(action)
    return table


def refusal(table: Game, word: str) -> str:
    return refusals.refusal(table, actions(word)[0])


BEGINNERS_AWAY = "taxi 1-2 2-3 3-4 1-4 11-12 12-13 13-14 14-15 15-16 11-16, bus 1-2 2-4, underground 1-3, boat 4-16"
"""Three detectives circle on a ring; the boat that joins it to Mister X's four stations is closed to beginners."""


def away(words: str = "") -> Game:
    """Return a game of beginners in which nobody comes near Mister X, who starts on 1."""
    return turns(game(beginners(), small(BEGINNERS_AWAY), 1, 11, 13, 15, players=4), words)


def turns(table: Game, words: str) -> Game:
    """Play Mister X's actions, in short notation. The detectives make any moves on their turns."""
    for word in words.split():
        rest(play(table, word))
    return table


def rest(table: Game) -> Game:
    """Play any moves of the detectives until it is Mister X's turn again."""
    while table.public.turn not in ((MR_X,), ()):
        table.play(table.public.moves[0])
    return table
