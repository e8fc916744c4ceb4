"""Over all that a small table can get into: no move that nobody made, and no question that leads nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from firmware_host.config.shipped_files import load_edition
from firmware_host.rules.actions import MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, owners_of
from tests.amount import amount
from tests.rules.boards import CLASSIC, small
from tests.table.every_state import TableMoment, Walk, begin, walk
from tests.table.every_state_claims import (
    blamed,
    nameless,
    stuck_for_good,
    unaccepted,
    unanswered,
    undeniable,
    unforeseen,
    unmade,
)

SIX = small("taxi 1-2 2-3 3-4 4-5 5-6 1-4, bus 1-2 4-6")
LANE = small("taxi 1-2 2-3 3-4")
ONE_OF_A_KIND = amount((1, 2, 3, 5), ())
"""The stations whose switch sticks: red's, one where it may go, yellow's, and one where red may not go."""


@dataclass(frozen=True)
class Limits:
    """How far a walk goes: how many switches stick at the most, how many keys lie, how many moves are played.

    `among` are the switches that may stick; none: all.
    """

    faults: int = 0
    lies: int = 0
    moves: int = 1
    among: tuple[int, ...] = ()


def classic() -> TableMoment:
    """Red is on turn; yellow is the other detective, and Mister X is hidden."""
    edition = replace(CLASSIC, seats={3: (("red",), ("yellow",))})
    stand = {"red": 1, "yellow": 3}
    setup = Setup(edition, SIX.network, owners_of(edition, players=3), stand, Secret(6), {})
    return begin(setup, MrXMove(Secret(5), "taxi"))


def beginners() -> TableMoment:
    """Mister X is on turn in the open, with his own pawn on the board; red and yellow may move in any order."""
    edition = replace(load_edition("beginners"), seats={3: (("red",), ("yellow",))})
    stand = {"red": 1, "yellow": 3}
    return begin(Setup(edition, SIX.network, owners_of(edition, players=3), stand, Secret(5), {}))


def pursuer() -> TableMoment:
    """Mister X is on turn in the open; red alone is after him."""
    edition = replace(load_edition("beginners"), seats={2: (("red",),)})
    return begin(Setup(edition, LANE.network, owners_of(edition, players=2), {"red": 1}, Secret(4), {}))


WALKS: dict[str, tuple[Callable[[], TableMoment], Limits]] = {
    "a switch": (classic, Limits(faults=1, among=ONE_OF_A_KIND)),
    "a wrong key": (classic, Limits(lies=1)),
    "a switch, in the open": (beginners, Limits(faults=1)),
    "two switches where red stands and may go": (classic, Limits(faults=2, among=(1, 2))),
    "a move in the open, and the move after": (beginners, Limits(moves=2)),
    "a switch, a move in the open, and the move after": (pursuer, Limits(faults=1, moves=2, among=(1, 3, 4))),
}
"""Where a walk begins, and how far it goes; the first two are short."""

WALKS |= amount(
    {},
    {
        "a switch and a wrong key": (classic, Limits(faults=1, lies=1)),
        "two switches": (classic, Limits(faults=2)),
        "a switch, and the move after": (classic, Limits(faults=1, moves=2)),
        "two switches where Mister X stands and may go": (beginners, Limits(faults=2, among=(4, 5))),
        "his switch, and the move after": (beginners, Limits(faults=1, moves=2, among=(5,))),
    },
)


@pytest.fixture(
    scope="module",
    params=[pytest.param(each, marks=[pytest.mark.long] if n >= 2 else []) for n, each in enumerate(WALKS)],
)
def found(request: pytest.FixtureRequest) -> Walk:
    """All states from there on."""
    start, to = WALKS[request.param]
    return walk(start(), faults=to.faults, lies=to.lies, moves=to.moves, among=to.among)


def test_no_move_counts_that_nobody_made(found: Walk) -> None:
    assert next(unmade(found), "") == ""


def test_every_answer_changes_what_is_said(found: Walk) -> None:
    assert next(unanswered(found), "") == ""


def test_every_sentence_that_waits_for_a_key_names_it(found: Walk) -> None:
    assert next(nameless(found), "") == ""


def test_no_offered_keys_of_players_who_answer_truly_lead_to_a_sound_switch_being_ignored(found: Walk) -> None:
    assert next(blamed(found), "") == ""


def test_of_every_row_of_the_table_comes_what_it_says(found: Walk) -> None:
    assert next(unforeseen(found), "") == ""


def test_who_answers_truly_gets_on_from_everywhere(found: Walk) -> None:
    assert next(stuck_for_good(found), "") == ""


def test_pb_04_a_move_that_nobody_made_is_denied_by_keys_as_long_as_nobody_has_moved_since(found: Walk) -> None:
    assert next(undeniable(found), "") == ""


def test_pb_01_a_pawn_that_has_gone_where_it_may_need_not_be_moved_again_to_be_believed(found: Walk) -> None:
    assert next(unaccepted(found), "") == ""
