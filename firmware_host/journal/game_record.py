"""A finished game, told step by step with everything open: what was done, and how the table stood after it. Pure.

Only a game that is over is ever told; who makes a chronicle out of a journal sees to that (`history`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from firmware_host.rules.actions import MR_X
from firmware_host.rules.network import Network
from firmware_host.rules.views import LogEntry, Outcome

VERSION = 2
"""Of the fields that `told` gives; it grows when one of them changes its meaning."""


class NoSuchGame(LookupError):
    """There is no finished game of that number."""


class Untellable(ValueError):
    """A finished game that cannot be told here; the message says why, for people."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done, and how the table stood after it.

    Attributes:
        after: seconds since the game began.
        round: in which it was done; 0 before the first.
        who: the pawn that did it; "" for the start of the game and for dice.
        words: what was done, in a line with everything open; then the lines that the table told of it.
        pawns: where each pawn stands, Mister X's own included as soon as he is anywhere.
        seen: whether everyone saw where Mister X is.
        walked: how many stations of their routes Mister X's pawns have been to, the start included.
        filled: how many windows of his log are filled.
        tickets: what each owner of tickets has left.
        dice: the faces that lie open, then those that have been used in this round; empty where there are none.
        tokens: how many roll-again tokens are left, or None where there are none.
        chips: "mr_x" and "detectives" -> success chips won; or empty.
    """

    after: float
    round: int
    who: str
    words: tuple[str, ...]
    pawns: Mapping[str, int]
    seen: bool
    walked: int
    filled: int
    tickets: Mapping[str, Mapping[str, int]]
    dice: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    tokens: int | None = None
    chips: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of games says of one.

    Attributes:
        number: which game of the table's journal it is, from 1.
        rules: the rule system's name.
        title: what it is called, for people.
        map: the name of the map or the tiles.
        began: when, in seconds of the Unix epoch.
        ended: when, likewise.
        players: how many played, Mister X included.
        pawns: the detective pawns, in playing order.
        outcome: how it ended; None only where that cannot be read any more.
        ending: the same in words, a headline and a sentence; empty likewise.
        moves: how many actions were played, those taken back left out.
        trouble: why it cannot be told step by step, or "".
    """

    number: int
    rules: str
    title: str
    map: str
    began: float
    ended: float
    players: int
    pawns: tuple[str, ...]
    outcome: Outcome | None
    ending: tuple[str, ...]
    moves: int
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Chronicle:
    """A finished game from its start to its end.

    Attributes:
        summary: what a list says of it; its `ending` tells who caught whom where.
        network: the map, or the tiles as they lay.
        layout: how the tiles lay, or "".
        owners: which player (from 1) moved which pawn.
        fugitives: Mister X's pawns.
        options: those that differ from the box's own.
        routes: each of these pawns -> its stations, the start first.
        log: his log, every station open.
        shown: the windows at which everyone saw him.
        windows: how many windows the log has.
        marked: the windows marked in the log: where he shows himself, or, if he is in sight, where he vanishes.
        in_sight: whether he is in the open but for single moves.
        chips: "mr_x" and "detectives" -> success chips won, and needed to win; or empty.
        steps: the start, then one for each action.
    """

    summary: Summary
    network: Network = field(repr=False)
    layout: str
    owners: Mapping[str, int]
    fugitives: tuple[str, ...]
    options: Mapping[str, bool | int | str]
    routes: Mapping[str, tuple[int, ...]]
    log: tuple[LogEntry, ...]
    shown: frozenset[int]
    windows: int
    marked: frozenset[int]
    in_sight: bool
    chips: Mapping[str, tuple[int, int]]
    steps: Sequence[Step]

    @property
    def route(self) -> tuple[int, ...]:
        """Mister X's own."""
        return self.routes[MR_X]


def listed(summary: Summary) -> dict[str, Any]:
    """A summary as plain JSON values."""
    outcome = summary.outcome
    return {
        "number": summary.number,
        "rules": summary.rules,
        "title": summary.title,
        "map": summary.map,
        "began": _time(summary.began),
        "ended": _time(summary.ended),
        "players": summary.players,
        "pawns": list(summary.pawns),
        "outcome": None if outcome is None else {"winner": outcome.winner, "reason": outcome.reason},
        "ending": list(summary.ending),
        "moves": summary.moves,
        "trouble": summary.trouble,
    }


def told(chronicle: Chronicle) -> dict[str, Any]:
    """A chronicle as plain JSON values; `docs/scripting.md` explains each."""
    return {
        "yardboard": "game",
        "version": VERSION,
        **listed(chronicle.summary),
        "layout": chronicle.layout,
        "owners": dict(chronicle.owners),
        "fugitives": list(chronicle.fugitives),
        "options": dict(chronicle.options),
        "routes": {pawn: list(route) for pawn, route in chronicle.routes.items()},
        "log": [_window(entry, chronicle.shown) for entry in chronicle.log],
        "windows": chronicle.windows,
        "marked": sorted(chronicle.marked),
        "in_sight": chronicle.in_sight,
        "chips": {side: needed for side, (_, needed) in chronicle.chips.items()},
        "steps": [_step(step) for step in chronicle.steps],
    }


def _window(entry: LogEntry, shown: frozenset[int]) -> dict[str, Any]:
    return {
        "window": entry.window,
        "ticket": entry.ticket,
        "station": entry.station,
        "double": entry.double,
        "shown": entry.window in shown,
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "after": round(step.after, 1),
        "round": step.round,
        "who": step.who,
        "words": list(step.words),
        "pawns": dict(step.pawns),
        "seen": step.seen,
        "walked": step.walked,
        "filled": step.filled,
        "tickets": {owner: dict(hand) for owner, hand in step.tickets.items()},
        "dice": {"open": list(step.dice[0]), "used": list(step.dice[1])},
        "tokens": step.tokens,
        "chips": dict(step.chips),
    }


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
