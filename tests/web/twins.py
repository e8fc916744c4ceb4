"""Two games that differ in nothing but what is hidden, side by side at tables behind their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from firmware_host.referee.events import TakeBack
from tests.table.alike import Alike, drawn
from tests.table.cases import Case, shipped
from tests.web.at_once import AtOnce, Steady


class Play(Protocol):
    """Plays one of two games to the end of its script."""

    def __call__(self, pair: Alike, side: int, room: AtOnce) -> None: ...


def at_once(pair: Alike, _: int) -> AtOnce:
    """The usual table of a game."""
    return AtOnce(shipped(pair.case.rules), seed=pair.seed)


def by(people: Callable[[AtOnce, bool], Steady]) -> Play:
    """Play as people do who are made of a room, and of whether they try what they may not do; one of two does."""

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
    """Both tables once their games are played; everyone's pages were sent the same at the same times."""
    pair = drawn(shipped(case.rules), case, seed, windows=windows)
    assert pair.apart >= 2
    with lay(pair, 0) as one, lay(pair, 1) as two:
        play(pair, 0, one)
        play(pair, 1, two)
        for a, b in zip(one.public.heard, two.public.heard, strict=True):
            assert a == b
        yield one, two
