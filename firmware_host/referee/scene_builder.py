"""Build the public scene from the referee's state. Nothing in it is secret."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from firmware_host.referee.announcements import SwitchesIgnored
from firmware_host.referee.computer_pawns import Seats, computer_pawns
from firmware_host.referee.guide_pawns import guide_mr_x_pawns
from firmware_host.referee.next_ask import next_ask
from firmware_host.referee.scene import CoachHints, Phase, Scene
from firmware_host.referee.state import State
from firmware_host.rules.views import LastMove, PublicView


def build_scene(
    state: State,
    now: float,
    place: Callable[[int], str] = str,
    hints: CoachHints | None = None,
    names: Mapping[str, str] | None = None,
    last_moves: tuple[LastMove, ...] = (),
) -> Scene:
    """Return what the table shows at this moment.

    Args:
        state: what the referee keeps in mind.
        now: clock seconds.
        place: where a human finds the switch under a station.
        hints: what the coach tells everyone, if there is one.
        names: what the people are called who play.
        last_moves: the last move of each pawn that everyone saw move.
    """
    board, questions = state.board, state.asking.questions
    masked = board.unheard
    set_down: Mapping[str, int] = {}
    take_off = frozenset[int]()
    if board.view is not None and state.phase is not Phase.OVER:
        set_down, take_off = guide_mr_x_pawns(board, state.reading, begins=state.begins)
    todo = state.to_carry_out if state.phase is Phase.CARRY_OUT else None
    if todo is not None:  # what stands there is the computer's pawn, which leaves
        take_off -= {todo.origin}
    blamed = tuple(sorted(state.blamed & board.register.stations))
    hints = _to_people(hints or CoachHints(), board.view, board.seats)
    scene = Scene(
        phase=state.phase,
        view=board.view,
        reading=state.reading,
        wrong=state.wrong(now),
        asked=questions.asked,
        set_down=set_down,
        take_off=take_off,
        masked=masked,
        places={station: place(station) for station in sorted(masked)},
        ailing=state.ailing,
        since=state.since,
        entered=state.entered,
        announcement=state.announcement or (SwitchesIgnored(blamed) if blamed else None),
        paused=state.paused,
        seats=board.seats,
        names=names or {},
        to_carry_out=todo,
        coach=hints if state.phase is Phase.PLAY else CoachHints(hints.tells),
        last_moves=last_moves,
        helped=state.sure,
    )
    ask = next_ask(
        scene,
        more=questions.more,
        late=state.late(now),
        lay=state.to_lay,
        astray=board.astray(state.reading),
        unfelt=state.all_unfelt(now),
        cancelled=state.shown if state.asking.cancelled else (),
        sure=state.sure,
    )
    return replace(scene, ask=ask)


def _to_people(hints: CoachHints, view: PublicView | None, seats: Seats) -> CoachHints:
    """Return what the coach tells without advice for a pawn that a computer moves."""
    advised = hints.advice is not None and hints.advice.pawn in computer_pawns(view, seats)
    return replace(hints, advice=None) if advised else hints
