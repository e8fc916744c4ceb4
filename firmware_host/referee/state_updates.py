"""Update the referee's state from an event, without deciding anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from firmware_host.referee.announcements import GameGivenUp
from firmware_host.referee.board_reading import read, unproved
from firmware_host.referee.events import Ailing, Began, Board, Changed, ComputerMoved, GivenUp, Laid, News, Resumed
from firmware_host.referee.known_board import KnownBoard
from firmware_host.referee.mr_x_pawns import MrXPawns
from firmware_host.referee.occupancy import Occupancy, mr_x_stations
from firmware_host.referee.open_questions import Asking
from firmware_host.referee.scene import InHand, Mismatch, Phase, Reading, Settled, ToCarryOut
from firmware_host.referee.state import State
from firmware_host.rules.actions import MR_X
from firmware_host.rules.views import PublicView

PHASES: Mapping[type[News], Phase] = {
    Began: Phase.SET_UP,
    Resumed: Phase.RESUME,
    ComputerMoved: Phase.CARRY_OUT,
    GivenUp: Phase.NO_GAME,
}
"""The phase that begins where the referee is told so. Where a game is told that has an end, it is over."""


def observe(state: State, event: News, now: float) -> State:
    """Return the state once something is known that the referee has not decided itself."""
    match event:
        case Board():
            return _feel(state, event, now)
        case Ailing(devices, paused):
            quiet_since = state.quiet_since if paused == state.paused else now  # what is felt from now on has to last
            return replace(state, ailing=devices, paused=paused, quiet_since=quiet_since)
        case Began() | Resumed():
            return _take_up(state, event, now)
        case Changed():
            return _follow(state, event, now)
        case ComputerMoved():
            return _have_carried_out(state, event, now)
        case GivenUp():
            return _give_up(state, now)
        case Laid(register, near, touching):
            board = replace(state.board, register=register, heard=False, near=near, touching=touching)
            return replace(state, board=board)


def look(state: State, now: float) -> State:
    """Return the state after the board was read afresh."""
    return _look(state, state.board, state.asking, state.quiet_since, now)


def _look(state: State, board: KnownBoard, asking: Asking, quiet_since: float, now: float) -> State:
    """Return the state after the board was read, of which something new may be known."""
    board = board.heal(now)
    if state.to_carry_out is not None:
        state = replace(state, to_carry_out=_can_tell(state.to_carry_out, board))
    reading = _read(state, board)
    if board.view is not None and (back := board.pawns.put_back(board.here, reading)):
        board = replace(board, pawns=board.pawns.stands_on(*back))
        reading = _read(state, board)
    if board.leapt or board.doubts(reading):
        reading = unproved(reading)
    reading = board.likeliest_first(reading, state.reading)
    wrong_since, same_since = state.wrong_since, state.same_since
    if reading != state.reading:
        (board, asking), same_since = state.withdrawn(board, asking, now), now
    if not isinstance(reading, Mismatch):
        wrong_since = None
    elif wrong_since is None:
        wrong_since = same_since = now
    return replace(
        state, board=board, reading=reading, asking=asking,
        quiet_since=quiet_since, wrong_since=wrong_since, same_since=same_since,
    )  # fmt: skip


def look_anew(state: State, now: float) -> State:
    """Return the state after somebody has said what is felt: what is read now has to last, too."""
    return look(replace(state, quiet_since=now, same_since=now), now)


def _feel(state: State, event: Board, now: float) -> State:
    """Return the state after the switches have said something new."""
    board, asking, quiet_since = state.board, state.asking, state.quiet_since
    if (event.occupied ^ board.occupied) - board.register.stations or event.unwell != board.unwell:
        (board, asking), quiet_since = state.withdrawn(board, asking, now), now
    if event.unsettled:  # something goes on there: nothing has lasted
        state, quiet_since = replace(state, same_since=now), now
    board = board.feel(event, state.reading, shown=state.wrong(now) > 0)
    return _look(state, board, asking, quiet_since, now)


def _take_up(state: State, event: Began | Resumed, now: float) -> State:
    """Return the state after a game was begun, or taken up again."""
    view, phase = event.views.public, PHASES[type(event)]
    leapt = state.board.leapt
    if phase is Phase.RESUME:
        leapt = bool(mr_x_stations(view))  # what is felt may be his pawn, which has moved meanwhile
    board = replace(state.board, view=None, seats=event.seats, pawns=MrXPawns(), attested=frozenset(), leapt=leapt)
    home = isinstance(event, Resumed) and event.home
    state = replace(state, phase=phase, board=board, wrong_since=None, to_carry_out=None, home=home)
    return replace(
        _follow(state, Changed(event.views), now),
        to_lay=phase is Phase.SET_UP and bool(view.layout),
    )


def _follow(state: State, event: Changed, now: float) -> State:
    """Return the state after the game has gone on, or back."""
    views, old = event.views, state.board.view
    view = views.public
    anew = old is None or len(old.log) != len(view.log) or view.outcome != old.outcome
    state = look(
        replace(
            state,
            phase=state.phase if view.outcome is None else Phase.OVER,
            since=now if anew else state.since,
            before=views.before,
            undo=views.undo,
            unplayed=views.unplayed,
            announcement=None if old is None else view.happened_since(old),
            board=state.board.follow(view),
            asking=state.asking.forget(),
            entered=(),
            blamed=frozenset() if state.blamed_at < now else state.blamed,
        ),
        now,
    )
    if isinstance(state.reading, Settled) and now - state.quiet_since >= state.patience.settle:
        return state.knowing(state.board.watch(), state.asking)
    return state


def _have_carried_out(state: State, event: ComputerMoved, now: float) -> State:
    """Return the state after a computer has moved a pawn, which hands have yet to move."""
    move, view, board = event.move, state.board.view, state.board
    origin = None if view is None else view.pawns.get(move.pawn)
    todo = ToCarryOut(move, origin, unfelt=True)
    board = replace(board, attested=board.attested - {move.to})
    state = replace(state, phase=PHASES[type(event)], to_carry_out=todo, board=board)
    return _follow(state, Changed(event.views), now)


def _can_tell(todo: ToCarryOut, board: KnownBoard) -> ToCarryOut:
    """Return what hands have yet to do: a switch that has opened can tell that a pawn comes, or somebody has told."""
    station = todo.move.to
    told = station in board.attested or station not in board.occupied | board.unheard
    return replace(todo, unfelt=False) if todo.unfelt and told else todo


def _give_up(state: State, now: float) -> State:
    """Return the state after the game was given up."""
    return replace(
        state,
        phase=PHASES[GivenUp],
        since=now,
        before=None,
        undo=None,
        to_lay=False,
        announcement=GameGivenUp(),
        board=replace(state.board, view=None),
        reading=Settled(),
        asking=state.asking.forget(),
        wrong_since=None,
    )


def _read(state: State, board: KnownBoard) -> Reading:
    """Return what the switches say of the game in this phase."""
    if board.view is None or state.phase is Phase.OVER:
        return Settled()
    here = board.here
    if state.phase is Phase.CARRY_OUT and state.to_carry_out is not None:
        return _carried_out(state.to_carry_out, here)
    unseen = board.unattested if state.begins or state.home else frozenset[int]()
    # A pawn is never taken to stand where no switch is listened to.
    if unseen or state.phase is Phase.SET_UP or state.home:
        return read(replace(here, view=_still(here.view), occupied=here.occupied - unseen, masked=here.masked - unseen))
    reading = read(here, _before(state, board))
    cleared = isinstance(reading, InHand) and len(reading.pawns) > 1  # nobody holds so many: all are to be set up
    if (cleared or isinstance(reading, Mismatch)) and state.phase is not Phase.PLAY:  # every pawn is guided home
        return read(here.seen_as(_still(here.view)))
    return reading


def _before(state: State, board: KnownBoard) -> PublicView | None:
    """Return the game before the last move, if a pawn that stands there again takes that move back.

    Mister X's pawn cannot have come back from where it was never felt.
    """
    before, his = state.before, board.here.view.pawns.get(MR_X, 0)
    if before is None or state.phase is not Phase.PLAY:
        return None
    unseen = before.his_turn and not board.pawns.seen(his) and his not in board.unheard
    return None if unseen else before


def _carried_out(todo: ToCarryOut, here: Occupancy) -> Reading:
    """Return what stands otherwise than after a computer's move: nothing else counts until its pawn has come."""
    still, move = _still(here.view), todo.move
    if not todo.unfelt:
        return read(here.seen_as(still))
    reading = read(replace(here, view=still, occupied=here.occupied - {move.to}, masked=here.masked - {move.to}))
    if not isinstance(reading, Mismatch):
        return reading
    missing = {pawn: at for pawn, at in reading.missing.items() if at != move.to or pawn == move.pawn}
    return replace(reading, missing=missing)


def _still(view: PublicView) -> PublicView:
    """Return the view of a game in which nobody may move."""
    return replace(view, turn=(), moves=(), open_moves=())
