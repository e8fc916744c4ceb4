"""Views and scenes made for tests: values that are not given are those of an ordinary game."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from firmware_host.referee.readings import Settled
from firmware_host.referee.scene import Ask, Health, Kind, Phase, Scene
from firmware_host.rules.actions import (
    BLACK,
    FREE,
    MR_X,
    MR_X_JUNIOR,
    START,
    STAY,
    Action,
    Commit,
    Double,
    MrXMove,
)
from firmware_host.rules.data.map_file import parse
from firmware_host.rules.dice.dice_view import Dice, DiceView
from firmware_host.rules.dice.tiles import Tiling
from firmware_host.rules.junior.junior_view import JuniorView
from firmware_host.rules.network import TRANSPORTS, Link, Network, Station
from firmware_host.rules.pursuit.pursuit_view import PursuitView
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView, PublicView
from firmware_host.ui.drawing import public_display
from firmware_host.ui.games import dice_ui, junior_ui
from firmware_host.ui.handset_menu import PAGES
from firmware_host.ui.new_game_menu import Offer

_MAP = Path(__file__).parents[2] / "config" / "maps" / "london.toml"

LONDON: Network = parse("london", tomllib.loads(_MAP.read_text(encoding="utf-8")), "london.toml")

_ENDS = {str(n): {"at": [n - 998, 0], **{way: [1997 - n] for way in TRANSPORTS}} for n in (998, 999)}
TINY: Network = parse("tiny", {"title": "", "aspect": 1.0, "start_cards": [], "stations": _ENDS}, "tiny.toml")
"""A map for tests that draw no map, so small that a failing example is short enough to print."""

_JUNIOR = {
    "1": {"at": [0.1, 0.1], "taxi": [5]},
    "5": {"at": [0.3, 0.2], "taxi": [1], "boat": [14]},
    "9": {"at": [0.5, 0.5], "taxi": [12], "bus": [14], "underground": [10]},
    "10": {"at": [0.5, 0.9], "underground": [9]},
    "12": {"at": [0.9, 0.5], "taxi": [9]},
    "14": {"at": [0.9, 0.9], "bus": [9], "boat": [5]},
}
JUNIOR: Network = parse("small", {"title": "", "aspect": 1.0, "start_cards": [], "stations": _JUNIOR}, "small.toml")
"""A map with at most one link of each transport at a station (JU-03)."""


def tiles(layout: str = "ABC DEF GHI") -> Tiling:
    """Return laid tiles with a taxi line along each row and nothing more."""
    places: list[list[int]] = []
    for row in layout.split():
        first = [4 * (ord(letter.upper()) - ord("A")) + 1 for letter in row]
        places += [[n + half + side for n in first for side in (0, 1)] for half in (0, 2)]
    every = {n: Station(n, x / 6, y / 6) for y, row in enumerate(places) for x, n in enumerate(row)}
    links = sorted(Link(*sorted(pair), "taxi") for row in places for pair in pairwise(row))
    return Tiling(
        "tiles",
        "",
        1.0,
        (),
        every,
        tuple(links),
        layout=layout,
        rows=tuple(map(tuple, places)),
        stops={n: frozenset({"taxi"}) for n in every},
        letters={n: chr(ord("A") + (n - 1) // 4) for n in every},
        barred=frozenset(),
    )


TILES = tiles()

PAWNS = ("red", "yellow", "green", "blue", "purple")
X_HOLDS = {"taxi": 4, "bus": 3, "underground": 3, "black": 4, "double": 2}
DETECTIVE_HOLDS = {"taxi": 10, "bus": 8, "underground": 4}
SURFACING = frozenset({3, 8, 13, 18})


def public(*, detectives: int = 4, **said: Any) -> PublicView:
    order = PAWNS[:detectives]
    usual: dict[str, Any] = {
        "rules": "classic",
        "network": LONDON,
        "round": 1,
        "turn": ("mr_x",),
        "order": order,
        "owners": {pawn: player for player, pawn in enumerate(order, 1)},
        "pawns": dict(zip(order, (26, 34, 141, 103, 155), strict=False)),
        "stale": frozenset(),
        "log": (),
        "windows": 24,
        "surfacing": SURFACING,
        "tickets": {"mr_x": X_HOLDS} | dict.fromkeys(order, DETECTIVE_HOLDS),
        "moves": (),
        "double": 0,
        "skipped": (),
        "outcome": None,
        "route": (),
    }
    return _view_of(said)(**(usual | said))


def _view_of(said: Mapping[str, Any]) -> type[PublicView]:
    """Return the class of the view for a game with dice, with chips, or with neither."""
    return DiceView if "dice" in said else JuniorView if "chips" in said else PursuitView


def choices(at: int, *, double: bool = True) -> tuple[Action, ...]:
    """Return all choices of Mister X at a station with every kind of ticket and nobody in his way."""
    found: list[Action] = []
    for to, transports in LONDON.around(at).items():
        tickets = [transport for transport in transports if transport != "boat"]
        found += [MrXMove(Secret(to), ticket) for ticket in (*tickets, BLACK)]
    return (*found, Double()) if double else tuple(found)


def mr_x(at: int = 67, may: tuple[Action, ...] | None = None, actor: str = MR_X, **said: Any) -> MrXView:
    """Return Mister X's view; `may` are his choices: by default all in his own turn, none in another's."""
    seen = public(**said)
    if may is None:
        may = choices(at) if seen.mr_x_to_move else ()
    route = seen.route or (*(100 + window for window in range(len(seen.log))), at)
    return MrXView(seen, Secret(at), Secret(route), Secret(may), actor=actor)


def moves(ticket: str, *stations: int) -> tuple[Action, ...]:
    return tuple(MrXMove(Secret(station), ticket) for station in stations)


def beginners(at: int = 67, may: tuple[Action, ...] | None = None, **said: Any) -> MrXView:
    """Return Mister X's view of a game for beginners (BE), in sight unless he is placed elsewhere."""
    usual: dict[str, Any] = {
        "rules": "beginners",
        "detectives": 4,
        "windows": 14,
        "rounds": 13,
        "surfacing": frozenset(range(1, 15)) - {3, 8, 13},
        "in_sight": True,
        "tickets": {"mr_x": {BLACK: 1, "double": 1}},
        "pawns": {"red": 41, "yellow": 46, "green": 124, "blue": 142, "mr_x": at},
    }
    if may is None:
        to = [n for n, ways in LONDON.around(at).items() if {"taxi", "bus"} & set(ways)]
        may = (*moves(FREE, *to), *moves(BLACK, *to), Double())
    seen = usual | said
    return mr_x(at, may if seen.get("turn", ("mr_x",)) == ("mr_x",) else (), **seen)


DICE = Dice(
    to_roll=0,
    rolled=("bus",),
    used=(("red", "taxi"), ("yellow", "underground"), ("green", "taxi")),
    taken=0,
    supply=1,
    covers=("x", "bus"),
    tokens=3,
    tile="E",
    faces=("taxi", "bus", "underground", "x"),
)


def dice_game(at: int = 17, may: tuple[Action, ...] = (), **said: Any) -> MrXView:
    """Return Mister X's view of a dice game (DI) against three detectives."""
    usual: dict[str, Any] = {
        "rules": "dice",
        "network": TILES,
        "detectives": 3,
        "pawns": {"red": 3, "yellow": 12, "green": 31},
        "windows": 13,
        "surfacing": frozenset({3, 7, 11}),
        "tickets": {"mr_x": {BLACK: 3, "double": 1, "helicopter": 1}},
        "dice": DICE,
    }
    return mr_x(at, may, **(usual | said))


def choosing_start(*places: int) -> MrXView:
    """Return the view of a Mister X without a place, who may choose one of these (DI-10)."""
    nothing = replace(DICE, rolled=(), used=(), supply=7, covers=(), tile="")
    return dice_game(0, moves(START, *places), dice=nothing, round=0)


def junior(at: int = 9, may: tuple[str, ...] = (), *, two: bool = False, **said: Any) -> MrXView:
    """Return Mister X's view of a junior game (JU), or X Junior's; `may` are the tickets to commit to."""
    pawns = {"white": 1, "yellow": 12, "mr_x": 9} | ({"mr_x_junior": 5} if two else {})
    usual: dict[str, Any] = {
        "rules": "junior",
        "network": JUNIOR,
        "round": 4,
        "order": ("white", "yellow"),
        "owners": {"white": 1, "yellow": 2},
        "pawns": pawns,
        "fugitives": (MR_X, MR_X_JUNIOR) if two else (MR_X,),
        "windows": 0,
        "surfacing": frozenset(),
        "tickets": {pawn: dict.fromkeys(TRANSPORTS, 1) for pawn in ("white", "yellow", *pawns)},
        "in_sight": True,
        "chips": {"mr_x": (2, 9), "detectives": (1, 3)},
        "actor": MR_X,
    }
    seen = usual | said
    return mr_x(at, tuple(Commit(seen["actor"], Secret(ticket)) for ticket in may), **seen)


EVERY_PAGE = (*PAGES, dice_ui.DICE, junior_ui.CHIPS)
"""The pages of all games, and those of single games."""

ANY_TICKET = ("taxi", "bus", "underground", STAY)


def log(tickets: str, shown: dict[int, int] | None = None) -> tuple[LogEntry, ...]:
    """Return a log from letters, one window each; "+" before a letter makes it a double's second half."""
    names = {"T": "taxi", "B": "bus", "U": "underground", "?": BLACK, "F": FREE, "H": "helicopter", "P": "pass"}
    entries: list[LogEntry] = []
    double = 0
    for place, letter in enumerate(tickets):
        if letter == "+":
            continue
        double = 2 if place and tickets[place - 1] == "+" else 1 if tickets[place + 1 : place + 2] == "+" else 0
        window = len(entries) + 1
        entries.append(LogEntry(window, names[letter], (shown or {}).get(window), double))
    return tuple(entries)


SATURDAY = time.mktime((2026, 11, 21, 20, 14, 0, 0, 0, -1))
"""Fourteen past eight in the evening, in any time zone."""


def ill(state: str, reason: str) -> Health:
    """Return the health of a device that has been faulty since Saturday."""
    return Health(state, reason, at=SATURDAY)


def scene(view: PublicView | None, **said: Any) -> Scene:
    usual: dict[str, Any] = {
        "phase": Phase.PLAY,
        "view": view,
        "reading": Settled(),
        "wrong": 0,
        "asked": (),
        "set_down": {},
        "take_off": frozenset(),
        "ask": Ask(Kind.PAUSED),
        "ignored": frozenset(),
        "ailing": {},
        "since": 0.0,
    }
    return Scene(**(usual | said))


def content_of(view: PublicView | None, text: str, brief: str = "", **said: Any) -> public_display.DisplayContent:
    """Return the content of the public display for a scene, with a prompt made for the test."""
    return replace(public_display.content_of(scene(view, **said)), text=text, brief=brief)


OFFERS = (
    Offer(
        "classic",
        "Scotland Yard, Ravensburger 2000",
        (3, 4, 5, 6),
        {"x_fares": ("unlimited", "counted"), "last_chance": (False, True), "log_windows": (24,)},
    ),
    Offer("current", "Scotland Yard, the boxes since about 2012", (3, 4, 5, 6), {"log_windows": (24,)}),
    Offer(
        "us",
        "Scotland Yard, the American edition",
        (3, 4, 5, 6),
        {"x_fares": ("unlimited", "counted"), "voluntary_surfacing": (False, True), "cut_off": (False, True)},
    ),
    Offer("beginners", "The beginners' game of the American edition", (4, 5)),
    Offer(
        "dice",
        "Scotland Yard – The Dice Game, Ravensburger 2019",
        (2, 3, 4),
        {"experts": (False, True), "dice": ("rolled", "entered"), "layout": ("",)},
        "ABCDEFGHI",
    ),
    Offer("junior", "Scotland Yard Junior", (2, 3, 4)),
)
US_OFFER, DICE_OFFER = 2, 4
"""The indexes of some of these offers."""
