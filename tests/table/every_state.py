"""Explore every state of a small table, breadth first: hands, keys, and switches that stick.

One step is an event and a quiet while after it. States differ in the referee's state or in the true places of the
pawns.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from firmware_host.referee.events import (
    Begin,
    CancelMove,
    Entry,
    Play,
    Pressed,
    Request,
    SwitchesChanged,
    TakeBack,
    Tick,
)
from firmware_host.referee.readings import EMPTY, MR_X_PAWN, RETURN, Ambiguous, Mismatch, Moved, Returned
from firmware_host.referee.referee import Referee
from firmware_host.referee.scene import BACK, CONFIRM, Announcement, Ask, Kind, Phase, Scene
from firmware_host.referee.switch_register import Trial
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import PublicView
from firmware_host.ui.prompt_wording import prompt

QUIET, LONG, HELD, READ = 1.5, 5.0, 0.5, 0.3
"""Seconds: of quiet after a step; of a player's wait for more; to carry a pawn; to read a question."""

Stuck = tuple[tuple[int, bool], ...]
"""The switches that stick, in the order in which they began: station, and whether it is closed."""


Said = tuple[Ask, object, Announcement | None]
"""What the table asks, about which moves, and the last event."""


def said(scene: Scene) -> Said:
    """Return what the table says in a scene."""
    return scene.ask, getattr(scene.reading, "silent", ()), scene.announcement


@dataclass(frozen=True)
class Truth:
    """The true state of the board, which the table cannot see.

    Attributes:
        stand: where each pawn on the board truly stands, None in a hand; Mister X's own, too, if he is in sight.
        stuck: the switches that stick.
        feigned: those of them that began to stick closed while a pawn that may go there was not felt: no board of
            reeds can tell that from the pawn's arrival.
        lied: how many keys were pressed that say what is not so.
    """

    stand: tuple[tuple[str, int | None], ...]
    stuck: Stuck = ()
    feigned: frozenset[int] = frozenset()
    lied: int = 0

    def at(self, pawn: str) -> int | None:
        """Return the true place of a pawn."""
        return dict(self.stand)[pawn]

    def moved(self, pawn: str, to: int | None) -> Truth:
        """Return the state after a pawn was picked up or set down."""
        return replace(self, stand=tuple((one, to if one == pawn else at) for one, at in self.stand))

    @property
    def occupied(self) -> frozenset[int]:
        """Return the stations whose switch is closed."""
        closed = {at for _, at in self.stand if at is not None}
        closed.difference_update(station for station, _ in self.stuck)
        return frozenset(closed.union(station for station, held in self.stuck if held))


@dataclass
class TableMoment:
    """A moment of the table."""

    referee: Referee
    truth: Truth
    now: float

    @property
    def scene(self) -> Scene:
        """Return what everyone sees."""
        return self.referee.scene(self.now)

    @property
    def played(self) -> int:
        """Return how many actions the game has."""
        return len(self._game.actions)

    @property
    def late(self) -> bool:
        """Return whether the board has been unchanged for the longest wait of the table."""
        state = self.referee.state
        return state.quiet_for(self.now, state.patience.insist)

    def branch(self) -> TableMoment:
        """Return a copy of this moment, to continue from it in another way."""
        referee, game = copy(self.referee), copy(self._game)
        game.actions, game._states = list(game.actions), list(game._states)
        referee.game = game
        return TableMoment(referee, self.truth, self.now)

    def key(self) -> Any:
        """Return all that can matter from here on. Times count as ages, up to the longest wait."""
        state = self.referee.state
        register, insist = state.board.register, state.patience.insist

        def aged(since: float | None) -> float | None:
            return None if since is None else float(self.now - since >= insist)

        trials = {
            n: Trial(t.closed, 0.0, None if t.since is None else 0.0, t.denied) for n, t in register.trials.items()
        }
        times = {switch: min(register.times[switch], 2) for switch in trials}
        return self.truth, replace(
            state,
            since=0.0,
            quiet_since=aged(state.quiet_since),
            wrong_since=aged(state.wrong_since),
            same_since=aged(state.same_since),
            asking=replace(state.asking, asked_at=0.0, withdrawn=()),
            blamed=state.blamed & register.stations,
            blamed_at=0.0,
            board=replace(state.board, confirmed=frozenset(), register=replace(register, trials=trials, times=times)),
        )

    @property
    def _game(self) -> Game:
        assert self.referee.game is not None
        return self.referee.game


@dataclass(frozen=True)
class Done:
    """One step that was taken.

    Attributes:
        what: what happened, in words that tell it from the others.
        to: the state that it led to.
        entries: what the table has accepted, each with what was true then, and whether a key did it.
        asked: what the table said right after it, before time has gone by.
    """

    what: str
    to: int
    entries: tuple[tuple[Entry, Truth, bool], ...]
    asked: Said


@dataclass
class Walk:
    """All states that were reached, identified by what is seen and what is true, and the steps between them."""

    moments: list[TableMoment] = field(default_factory=list)
    scenes: list[Scene] = field(default_factory=list)
    truths: list[Truth] = field(default_factory=list)
    late: list[bool] = field(default_factory=list)
    ways: list[dict[str, Done]] = field(default_factory=list)
    came: list[tuple[int, str]] = field(default_factory=list)

    def path(self, number: int) -> str:
        """Return how a state was reached."""
        steps: list[str] = []
        while number:
            steps.insert(0, f"{self.came[number][1]:24}| {prompt(self.scenes[number]).text}")
            number = self.came[number][0]
        return "\n".join(["", *steps])


def begin(setup: Setup, *played: Action) -> TableMoment:
    """Return a table with all pawns in place, after some actions."""
    referee = Referee()
    state = TableMoment(referee, Truth(()), 0.0)
    referee.handle(SwitchesChanged(frozenset()), 0.0)
    referee.accept(Begin(setup), 0.0)
    assert referee.public is not None
    state.truth = Truth(tuple((pawn, referee.public.pawns[pawn]) for pawn in on_board(referee.public)))
    for action in (None, *played):
        if action is not None:
            referee.accept(Play(action), state.now)
        _feel(state)
        _pass(state, LONG)
    assert referee.state.phase is Phase.PLAY
    return state


def walk(
    start: TableMoment,
    *,
    faults: int = 2,
    lies: int = 0,
    moves: int = 1,
    among: Collection[int] = (),
    most: int = 10**6,
) -> Walk:
    """Return every state that can be reached from `start`.

    Args:
        start: where it begins.
        faults: how many switches stick at the most.
        lies: how many keys are pressed at the most that say what is not so.
        moves: how many moves are played at the most; what comes then is not looked at.
        among: the stations whose switch may stick; none: all of them.
        most: how many states there may be.

    Raises:
        AssertionError: there are more.
    """
    found, known = Walk(), {start.key(): 0}
    _note(found, start, (0, ""))
    edge, last = deque([(0, start)]), start.played + moves
    while edge:
        number, state = edge.popleft()
        for what in steps(state, faults, lies, among) if state.played < last else ():
            after, entries, asked = take(state, what)
            key = after.key()
            if key not in known:
                known[key] = len(known)
                assert len(known) <= most, f"more than {most} states"
                _note(found, after, (number, what))
                edge.append((known[key], after))
            found.ways[number][what] = Done(what, known[key], entries, asked)
    return found


def _note(found: Walk, state: TableMoment, came: tuple[int, str]) -> None:
    found.moments.append(state)
    found.scenes.append(state.scene)
    found.truths.append(state.truth)
    found.late.append(state.late)
    found.ways.append({})
    found.came.append(came)


# ---- what may happen ----


def steps(state: TableMoment, faults: int, lies: int, among: Collection[int]) -> Iterator[str]:
    """Yield all possible next events, with at most this many faults and lies."""
    scene, truth, view = state.scene, state.truth, state.referee.public
    assert view is not None
    yield "wait"
    for key in dict.fromkeys((*scene.ask.keys, CONFIRM, BACK)):
        if truth.lied < lies or says(scene, truth, key) is not False:
            yield key
    if view.outcome is not None:
        return
    if state.referee.state.shown_moves:
        yield "undo"
    held = [pawn for pawn, at in truth.stand if at is None]
    before = state.referee.state.before
    for pawn, at in truth.stand:
        if held and pawn not in held:
            continue
        ways = {move.to for move in may_be_made(view) if move.pawn == pawn} | {view.pawns[pawn]}
        if before is not None:
            ways.add(before.pawns[pawn])
        if pawn in view.turn and at == view.pawns[pawn]:
            yield f"lift {pawn}"
        others = {one for other, one in truth.stand if other != pawn}
        yield from (f"put {pawn} {way}" for way in sorted(ways - others - {at}))
    if len(truth.stuck) < faults and not held:
        broken = {station for station, _ in truth.stuck}
        for station in sorted(set(among or view.network.stations) - broken):
            yield f"stick {station} closed"
            yield f"stick {station} open"


def take(start: TableMoment, what: str) -> tuple[TableMoment, tuple[tuple[Entry, Truth, bool], ...], Said]:
    """Return the state after an event, what the table has accepted meanwhile, and what it said at once."""
    state = start.branch()
    entries: list[tuple[Entry, Truth, bool]] = []
    word, *rest = what.split()
    asked = said(state.scene)
    if word.startswith("table."):
        _pass(state, max(0.0, state.referee.state.asking.asked_at + READ - state.now), entries)
        if says(state.scene, state.truth, word) is False:
            state.truth = replace(state.truth, lied=state.truth.lied + 1)
        _done(state, state.referee.handle(Pressed(word), state.now), entries, by_key=True)
        asked = said(state.scene)
    elif word == "undo":
        _done(state, state.referee.handle(CancelMove(), state.now), entries, by_key=True)
        asked = said(state.scene)
    elif word == "stick":
        station, closed = int(rest[0]), rest[1] == "closed"
        gone = _gone(state)
        state.truth = replace(state.truth, stuck=(*state.truth.stuck, (station, closed)))
        if closed and gone:
            state.truth = replace(state.truth, feigned=state.truth.feigned | {station})
        _feel(state)
    elif word in ("put", "lift"):
        state.truth = state.truth.moved(rest[0], None)
        _feel(state)
        if word == "put":
            _pass(state, HELD, entries)
            state.truth = state.truth.moved(rest[0], int(rest[1]))
            _feel(state)
    _pass(state, LONG if word == "wait" else QUIET, entries)
    return state, tuple(entries), asked


def _gone(state: TableMoment) -> bool:
    """Return whether a pawn is not sensed at its place, so that a closing switch may be that pawn."""
    view = state.referee.public
    assert view is not None
    home = {view.pawns[pawn] for pawn in on_board(view)}
    return bool(home - state.truth.occupied - state.scene.ignored)


def _feel(state: TableMoment) -> None:
    state.referee.handle(SwitchesChanged(state.truth.occupied), state.now)


def _pass(state: TableMoment, seconds: float, entries: list[tuple[Entry, Truth, bool]] | None = None) -> None:
    """Let time pass, with every tick that the referee wants."""
    until = state.now + seconds
    while (due := state.referee.state.next_due(state.now)) <= until:
        state.now = due
        _done(state, state.referee.handle(Tick(), due), [] if entries is None else entries)
    state.now = until


def _done(
    state: TableMoment, entry: Request | None, entries: list[tuple[Entry, Truth, bool]], *, by_key: bool = False
) -> None:
    if isinstance(entry, Play | TakeBack):
        if isinstance(entry, TakeBack):
            before, view = state.referee.state.before, state.referee.public
            assert before is not None
            assert view is not None
            back = moved_last(before, view)
            entries.append((Play(PawnMove(back, before.pawns[back], RETURN)), state.truth, by_key))
        else:
            entries.append((entry, state.truth, by_key))
        state.referee.accept(entry, state.now)
        _done(state, state.referee.handle(Tick(), state.now), entries)


# ---- what is true ----


def on_board(view: PublicView) -> tuple[str, ...]:
    """Return the pawns on the board: the detectives', and Mister X's if he is in sight."""
    return (*view.order, *(pawn for pawn in view.fugitives if view.in_sight and pawn in view.pawns))


def may_be_made(view: PublicView) -> tuple[PawnMove, ...]:
    """Return the moves that a pawn on the board may make."""
    return (*view.moves, *view.open_moves)


def moved_last(before: PublicView, view: PublicView) -> str:
    """Return the pawn of the last move."""
    return next(pawn for pawn in on_board(view) if before.pawns.get(pawn) != view.pawns.get(pawn))


def made(entry: Entry) -> PawnMove:
    """Return the pawn's move in an entry."""
    assert isinstance(entry, Play)
    action = entry.action
    if isinstance(action, MrXMove):
        return PawnMove(MR_X, action.to.value, action.ticket)
    assert isinstance(action, PawnMove)
    return action


def says(scene: Scene, truth: Truth, key: str) -> bool | None:
    """Return whether the statement of a key is true now; None if the key states nothing about places.

    The back key past a question says nothing: it may only mean that somebody does not know.
    """
    reading, view = scene.reading, scene.view
    assert view is not None
    if isinstance(reading, Returned) and reading.ambiguous:
        to = {CONFIRM: reading.to, BACK: view.pawns[reading.pawn]}.get(key, 0)
        return None if to == 0 else truth.at(reading.pawn) == to
    if scene.asked:
        return None if key == BACK or key not in scene.ask.keys else answer(scene.asked[0], truth)
    if scene.ask.kind is Kind.CANCELLED:
        return is_elsewhere(scene, truth) if key in scene.ask.keys else None
    if key == CONFIRM and isinstance(reading, Mismatch) and scene.ask.kind is Kind.SWITCH:
        station = reading.suspect_station
        if station in reading.extra:
            return station not in dict(truth.stand).values()
        return any(at == station and truth.at(pawn) == station for pawn, at in reading.missing.items())
    return None


def is_elsewhere(scene: Scene, truth: Truth) -> bool:
    """Return whether none of the moves that the switches show was made."""
    moves = scene.reading.moves if isinstance(scene.reading, Moved | Ambiguous) else ()
    return all(truth.at(move.pawn) != move.to for move in moves)


def answer(asked: PawnMove, truth: Truth) -> bool:
    """Return the true answer to a question."""
    if asked.ticket == EMPTY:
        return asked.to not in dict(truth.stand).values()
    return asked.ticket != MR_X_PAWN and truth.at(asked.pawn) == asked.to
