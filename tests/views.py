"""Views and scenes made by hand: whatever is not said is an ordinary game's."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from firmware_host.rules.actions import BLACK, Action, Double, MrXMove
from firmware_host.rules.network import Network, parse
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView, PublicView
from firmware_host.scene import Phase, Prompt, Scene, Settled

_MAP = Path(__file__).parents[1] / "config" / "maps" / "london.toml"

LONDON: Network = parse("london", tomllib.loads(_MAP.read_text(encoding="utf-8")), "london.toml")

_ENDS = {"1": {"at": [0, 0], "taxi": [2]}, "2": {"at": [1, 1], "taxi": [1]}}
TINY: Network = parse("tiny", {"title": "", "aspect": 1.0, "start_cards": [], "stations": _ENDS}, "tiny.toml")
"""For what draws no map: a failing example stays short enough to be printed."""

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
        "stale": None,
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
    return PublicView(**(usual | said))


def choices(at: int, *, double: bool = True) -> tuple[Action, ...]:
    """All that Mister X could do at a station with every kind of ticket and nobody in his way."""
    found: list[Action] = []
    for to, transports in LONDON.around(at).items():
        tickets = [transport for transport in transports if transport != "boat"]
        found += [MrXMove(Secret(to), ticket) for ticket in (*tickets, BLACK)]
    return (*found, Double()) if double else tuple(found)


def mr_x(at: int = 67, may: tuple[Action, ...] | None = None, **said: Any) -> MrXView:
    """Mister X's view; `may` are his choices: all there are in his own turn, none in another's."""
    seen = public(**said)
    if may is None:
        may = choices(at) if seen.turn == ("mr_x",) else ()
    route = seen.route or (*(100 + window for window in range(len(seen.log))), at)
    return MrXView(seen, Secret(at), Secret(route), Secret(may))


def log(tickets: str, shown: dict[int, int] | None = None) -> tuple[LogEntry, ...]:
    """A log as letters: T, B, U and ? one window each; "+" before a letter makes it a double's second half."""
    names = {"T": "taxi", "B": "bus", "U": "underground", "?": BLACK}
    entries: list[LogEntry] = []
    double = 0
    for place, letter in enumerate(tickets):
        if letter == "+":
            continue
        double = 2 if place and tickets[place - 1] == "+" else 1 if tickets[place + 1 : place + 2] == "+" else 0
        window = len(entries) + 1
        entries.append(LogEntry(window, names[letter], (shown or {}).get(window), double))
    return tuple(entries)


def scene(view: PublicView | None, text: str = "", **said: Any) -> Scene:
    usual: dict[str, Any] = {
        "phase": Phase.PLAY,
        "view": view,
        "reading": Settled(),
        "wrong": 0,
        "asked": (),
        "set_down": None,
        "take_off": None,
        "prompt": Prompt(text),
        "masked": frozenset(),
        "ailing": {},
        "since": 0.0,
    }
    return Scene(**(usual | said))
