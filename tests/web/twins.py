"""Two games that differ only in hidden facts, side by side at tables behind their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from firmware_host.referee.events import TakeBack
from tests.table.alike import Alike, drawn
from tests.table.cases import Case, shipped
from tests.web.at_once import AtOnce, Steady


class Play(Protocol):
    """A function that plays one of two games to the end of its script."""

    def __call__(self, pair: Alike, side: int, room: AtOnce) -> None: ...


def at_once(pair: Alike, _: int) -> AtOnce:
    """Return the usual table of a game."""
    return AtOnce(shipped(pair.case.rules), seed=pair.seed)


def by(people: Callable[[AtOnce, bool], Steady]) -> Play:
    """Return a play by people, created from a room and from whether they try forbidden things; one of two does."""

    def play(pair: Alike, side: int, room: AtOnce) -> None:
        room.simulated.new_game(players=pair.case.players, options=dict(pair.case.options), start=pair.start[side])
        players = people(room, side == 1)
        players.set_up()
        for steps in pair.script:
            players.take_back() if isinstance(steps[side], TakeBack) else players.do(steps[side])
            room.wait(500)

    return play


@contextmanager
def twins(
    case: Case,
    play: Play,
    *,
    seed: int = 11,
    windows: int = 6,
    lay: Callable[[Alike, int], AtOnce] = at_once,
) -> Iterator[tuple[AtOnce, AtOnce]]:
    """Yield both tables after their games, and check that all pages received the same at the same times."""
    pair = drawn(shipped(case.rules), case, seed, windows=windows)
    assert pair.apart >= 2
    with lay(pair, 0) as one, lay(pair, 1) as two:
        play(pair, 0, one)
        play(pair, 1, two)
        for a, b in zip(one.public.heard, two.public.heard, strict=True):
            assert a == b
        yield one, two
