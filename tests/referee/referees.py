"""Referees without a table, for tests: they take events with times, and return entries and scenes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.referee.events import Begin, Play, Pressed, Request, SwitchesChanged, Tick
from firmware_host.referee.known_board import KnownBoard, MrXPawns, Occupancy, Trace
from firmware_host.referee.questions import Asking, Questions
from firmware_host.referee.readings import Patience
from firmware_host.referee.referee import Referee
from firmware_host.referee.scene import Phase, Scene
from firmware_host.referee.state import State
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.actions import PawnMove
from firmware_host.rules.views import PublicView
from tests.rules.boards import london, setup_of
from tests.rules.pursuit.notation import actions

SETTLE, SLIDE, WRONG, INSIST = 0.3, 0.6, 1.0, 4.0
EPS = 0.001
CONFIRM = Pressed("table.confirm")
ALL = ("taxi", "bus", "underground", "confirm", "back")
MAYBE = (PawnMove("red", 1, "taxi"),)
NOW = 100.0
X_AT, HOME = 197, (26, 58, 34)


def begun(mr_x: int = X_AT, *start: int, played: str = "", more: tuple[int, ...] = (), **said: Any) -> Referee:
    """Return a referee whose pawns have been in place since time 0, after some actions; the time is 10.

    Args:
        mr_x: Mister X's station.
        start: the stations of the detectives' pawns.
        played: the actions, in the notation of `actions`.
        more: stations whose switch is closed besides.
        said: further arguments of the referee.
    """
    referee = Referee(Patience(SETTLE, SLIDE, WRONG, INSIST), **said)
    referee.handle(SwitchesChanged(frozenset()), 0.0)
    referee.accept(Begin(setup_of(london(), mr_x, *(start or HOME))), 0.0)
    stand(referee, 0.0, more=more)
    assert referee.handle(Tick(), SETTLE) is None
    assert referee.state.phase is Phase.PLAY
    for action in actions(played):
        referee.accept(Play(action), 1.0)
        stand(referee, 1.0, more=more)
    assert referee.handle(Tick(), 9.0) is None
    return referee


def home(referee: Referee) -> frozenset[int]:
    view = referee.public
    assert view is not None
    return frozenset(view.pawns[pawn] for pawn in view.order)


def stand(referee: Referee, now: float, *less: int, more: tuple[int, ...] = ()) -> Request | None:
    """Report the correct board, less some stations and with some more."""
    return referee.handle(SwitchesChanged(home(referee) - set(less) | set(more)), now)


def reading(referee: Referee) -> object:
    return referee.scene(100.0).reading


def state_of(
    shown: Scene,
    *,
    late: bool = False,
    more: bool = False,
    cancelled: bool = False,
    occupied: frozenset[int] = frozenset(),
) -> State:
    """Return the referee's state at second 100 for a scene made for the test.

    Args:
        shown: the scene.
        late: whether the board has not changed for a while.
        more: whether the back key shows a station that may be meant.
        cancelled: whether a player has cancelled the move that the switches show.
        occupied: the stations whose switch is closed.
    """
    board = KnownBoard(occupied=occupied, register=SwitchRegister.of(dict.fromkeys(shown.ignored, False)))
    asked = Questions((shown.asked,) * bool(shown.asked))
    return State(
        phase=shown.phase,
        board=board if shown.view is None else board.follow(shown.view),
        reading=shown.reading,
        asking=Asking(Questions((MAYBE,), -1) if more else asked, cancelled=cancelled),
        entered=shown.entered,
        quiet_since=0.0 if late else NOW,
        wrong_since=0.0 if shown.wrong else None,
        same_since=0.0 if shown.wrong > 1 else NOW,
        paused=shown.paused,
    )


def occupancy(
    view: PublicView,
    occupied: frozenset[int],
    ignored: frozenset[int] = frozenset(),
    ambiguous: frozenset[int] = frozenset(),
    near: Mapping[int, frozenset[int]] | None = None,
    left: frozenset[int] = frozenset(),
    touching: Mapping[int, frozenset[int]] | None = None,
    his: frozenset[int] = frozenset(),
) -> Occupancy:
    """Return a board with these closed switches, compared with a view of the game."""
    pawns = MrXPawns(dict.fromkeys(left, Trace.DOWN))
    board = KnownBoard(
        view,
        occupied,
        chattering=ignored,
        mr_x_confirmed=his,
        mr_x_pawns=pawns,
        near=near or {},
        touching=touching or {},
    )
    return Occupancy(board, view, ambiguous=ambiguous)
