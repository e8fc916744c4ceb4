"""Claims about every state that a small table can reach; each claim yields what contradicts it."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.referee import transition_steps
from firmware_host.referee.events import Entry, Pressed, Request, Tick
from firmware_host.referee.readings import RETURN, InHand, Mismatch, Returned
from firmware_host.referee.scene import BACK, CONFIRM, Kind, Scene
from firmware_host.referee.state import State
from firmware_host.referee.transitions import Result, To, event_of, row_for
from tests.table.every_state import (
    Truth,
    Walk,
    answer,
    is_elsewhere,
    made,
    may_be_made,
    moved_last,
    on_board,
    said,
    says,
)
from tests.table.played_table import unnamed


def wanted(scene: Scene, truth: Truth, *, late: bool, hands: bool = True) -> str:  # noqa: C901 - one thing after another
    """Return what a truthful player does now: what the table asks for, and then the move.

    Args:
        scene: what he sees.
        truth: what he knows.
        late: whether he has waited for the table to say more.
        hands: whether he may put pawns elsewhere; else he has nothing but keys.
    """
    view, reading, keys = scene.view, scene.reading, scene.ask.keys
    assert view is not None
    held = [pawn for pawn, at in truth.stand if at is None]
    besides = scene.ask.besides
    if besides is not None and besides.station in [at for pawn, at in truth.stand if pawn in view.turn]:
        return BACK
    strayed = held or [pawn for pawn, at in truth.stand if at != view.pawns[pawn]]
    goes = {(move.pawn, move.to) for move in may_be_made(view)}
    if isinstance(reading, Returned) and reading.ambiguous:
        so = [key for key in (CONFIRM, BACK) if says(scene, truth, key)]
        pawn = (*held, reading.pawn)[0]
        return so[0] if so else f"put {pawn} {view.pawns[pawn]}" if hands else ""
    if scene.asked:
        if answer(scene.asked[0], truth):
            return keys[0]
        return BACK if BACK in keys else "wait"
    if keys == (BACK,):
        return BACK
    if scene.ask.kind is Kind.CANCELLED:
        if is_elsewhere(scene, truth):
            return CONFIRM if keys else "wait"
        pawn = next((pawn for pawn in scene.ask.pawns if pawn in strayed), strayed[0])
        return f"put {pawn} {view.pawns[pawn]}" if hands else ""
    done = scene.ask.kind is Kind.ALL_RIGHT
    if says(scene, truth, CONFIRM) or (done and not (hands and strayed)):
        return CONFIRM
    for pawn in sorted(
        strayed, key=lambda pawn: pawn not in view.turn
    ):  # where it may not have gone, or was not meant to
        free = view.pawns[pawn] not in dict(truth.stand).values()
        if hands and free and ((pawn, truth.at(pawn)) not in goes or (isinstance(reading, Mismatch) and late)):
            return f"put {pawn} {view.pawns[pawn]}"
    if isinstance(reading, Mismatch) or (strayed and not late):
        return CONFIRM if done and late else "wait"
    if strayed:
        return CONFIRM
    if not hands:
        return "wait"
    return f"put {view.turn[0]} {min(to for pawn, to in goes if pawn == view.turn[0])}" if goes else ""


def unmade(found: Walk) -> Iterator[str]:
    """Yield moves, and moves taken back, that nobody made and that no wrong key explains."""
    for number, ways in enumerate(found.ways):
        for done in ways.values():
            for entry, truth, by_key in done.entries:
                move = made(entry)
                feigned = not by_key and move.to in truth.feigned
                if not truth.lied and truth.at(move.pawn) != move.to and not feigned:
                    yield f"{found.path(number)}\n{done.what}: {move}, but {truth}"


def unanswered(found: Walk) -> Iterator[str]:
    """Yield questions that an answer does not change: the table says the same after it, or at least after BACK."""
    for number, ways in enumerate(found.ways):
        scene = found.scenes[number]
        for key in scene.ask.keys:
            done = ways.get(key)
            if done is None or done.entries:
                continue
            after = [said(found.scenes[done.to]), *([done.asked] if key == BACK else [])]
            if all(asked == said(scene) for asked in after):
                yield f"{found.path(number)}\n{key} changes nothing"


def unforeseen(found: Walk) -> Iterator[str]:
    """Yield rows of the referee's table whose result is not the stated one."""
    for number, moment in enumerate(found.moments):
        state = moment.referee.state
        for event in (Tick(), Pressed(CONFIRM), Pressed(BACK), Pressed("table.taxi")):
            at = transition_steps.Moment(state, event, moment.now)
            row = row_for(at, event_of(event))
            if row is not None and (came := _came(state, *row.then(at))) not in row.to:
                yield f"{found.path(number)}\n{row} gives {came}"


def _came(state: State, after: State, entry: Request | None) -> Result:
    """Return the result of a step."""
    if entry is not None:
        return type(entry)
    if after.phase != state.phase:
        return after.phase
    if after.asking.cancelled and after.asking != state.asking:  # what it asks for is the pawn
        return To.QUESTION
    if after.quiet_since != state.quiet_since:
        return To.READING
    return To.QUESTION if after.asking.questions and after.asking != state.asking else To.NOTHING


def blamed(found: Walk) -> Iterator[str]:
    """Yield states in which a switch is ignored although none sticks, and no key made a false statement."""
    for number, moment in enumerate(found.moments):
        truth, ignored = found.truths[number], moment.referee.state.board.ignored
        if ignored and not truth.stuck and not truth.lied:
            yield f"{found.path(number)}\nignores {sorted(ignored)}"


def nameless(found: Walk) -> Iterator[str]:
    """Yield sentences that wait for a key but do not name it."""
    for number, scene in enumerate(found.scenes):
        if keys := unnamed(scene):
            yield f"{found.path(number)}\n{keys} are not named"


def stuck_for_good(found: Walk) -> Iterator[str]:
    """Yield states from which a truthful, obedient player never reaches an accepted move."""
    good: dict[int, bool] = {}
    for first in range(len(found.scenes)):
        path: list[int] = []
        here = first
        while here not in good:
            good[here] = False  # to come back here is to be stuck
            path.append(here)
            what = wanted(found.scenes[here], found.truths[here], late=found.late[here])
            done = found.ways[here].get(what)
            if not (what and found.ways[here]) or (done is not None and any(_counts(*entry) for entry in done.entries)):
                good[here] = True
            elif done is not None:
                here = done.to
        if good[here]:
            good.update(dict.fromkeys(path, True))
        else:
            yield f"{found.path(first)}\nleads to\n{found.path(here)}\nwanted {what}"


def unaccepted(found: Walk) -> Iterator[str]:
    """Yield states in which a pawn has made a legal move, but true answers by key do not get it accepted.

    A player who has denied that it stands there, or goes there, has to put it there again.
    """
    for number, truth in enumerate(found.truths):
        view, state = found.scenes[number].view, found.moments[number].referee.state
        if view is None or truth.lied or not found.ways[number] or state.asking.declined or state.asking.cancelled:
            continue
        strayed = [(pawn, at) for pawn, at in truth.stand if at != view.pawns[pawn]]
        goes = {(move.pawn, move.to) for move in may_be_made(view)}
        asked = state.asking.questions
        denied = {(move.pawn, move.to) for each in asked.each[: max(asked.at, 0)] for move in each}
        if len(strayed) == 1 and strayed[0] in goes - denied and not _accepted(found, number):
            yield f"{found.path(number)}\n{strayed[0]} is not taken for a move"


def _accepted(found: Walk, here: int) -> bool:
    """Return whether true answers get a true move accepted."""
    been: set[int] = set()
    while here not in been:
        been.add(here)
        what = wanted(found.scenes[here], found.truths[here], late=found.late[here], hands=False)
        done = found.ways[here].get(what)
        if done is None:
            return False
        if done.entries:
            return any(_counts(*entry) for entry in done.entries)
        here = done.to
    return False


def undeniable(found: Walk) -> Iterator[str]:
    """Yield states in which the last move was never made, or was put back, but no key can say so.

    All other pawns stand where they must, in no hand; whoever answers truly, waits where something is not felt, and
    presses BACK where nothing is asked, has the move taken back.
    """
    for number, moment in enumerate(found.moments):
        before, view, truth = moment.referee.state.before, found.scenes[number].view, found.truths[number]
        denied = moment.referee.state.asking.declined  # that it went back: then somebody has to put it there again
        if before is None or view is None or not found.ways[number] or denied:
            continue
        if all(truth.at(pawn) == before.pawns[pawn] for pawn in on_board(before)) and not _denied(found, number):
            yield f"{found.path(number)}\n{moved_last(before, view)} has not moved, and nobody can say so"


def _denied(found: Walk, here: int) -> bool:
    """Return whether true answers, and BACK without a question, take the last move back."""
    been: set[int] = set()
    while here not in been:
        been.add(here)
        scene, truth = found.scenes[here], found.truths[here]
        done = found.ways[here].get(_denies(scene, truth, late=found.late[here]))
        if done is None:
            return False
        if done.entries:
            return any(made(entry).ticket == RETURN for entry, *_ in done.entries)
        here = done.to
    return False


def _denies(scene: Scene, truth: Truth, *, late: bool) -> str:
    """Return the key that says that the last move was not made, or the wait for a question."""
    if scene.asked:
        return scene.ask.keys[0] if answer(scene.asked[0], truth) else BACK
    if scene.ask.kind is Kind.CANCELLED:
        return CONFIRM if scene.ask.keys else "wait"
    if isinstance(scene.reading, InHand | Mismatch) and scene.ask.keys != (BACK,):
        return CONFIRM if late else "wait"
    return CONFIRM if says(scene, truth, CONFIRM) else BACK


def _counts(entry: Entry, truth: Truth, _: bool) -> bool:
    """Return whether an entry is a move that was truly made."""
    move = made(entry)
    return move.ticket != RETURN and truth.at(move.pawn) == move.to
