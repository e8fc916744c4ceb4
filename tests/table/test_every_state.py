"""Over all that a small table can get into: no move that nobody made, and no question that leads nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.rules.actions import MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, owners_of
from tests.amount import amount
from tests.rules.boards import CLASSIC, small
from tests.table.every_state import Walk, begin, walk
from tests.table.every_state_claims import nameless, stuck_for_good, unanswered, unforeseen, unmade

TWO = replace(CLASSIC, seats={3: (("red",), ("yellow",))})
SIX = small("taxi 1-2 2-3 3-4 4-5 5-6 1-4, bus 1-2 4-6")

WALKS: dict[str, tuple[int, int, int, tuple[int, ...]]] = {
    "a switch": (1, 0, 1, ()),
    "a wrong key": (0, 1, 1, ()),
    "two switches where red stands and may go": (2, 0, 1, (1, 2)),
}
"""How many switches stick, how many keys lie, how many moves are played, and which switches may stick if not all."""

WALKS |= amount(
    {},
    {
        "a switch and a wrong key": (1, 1, 1, ()),
        "two switches": (2, 0, 1, ()),
        "a switch, and the move after": (1, 0, 2, ()),
    },
)


@pytest.fixture(scope="module", params=WALKS)
def found(request: pytest.FixtureRequest) -> Walk:
    """All states from red's first turn on."""
    faults, lies, moves, among = WALKS[request.param]
    stand = {"red": 1, "yellow": 3}
    setup = Setup(TWO, SIX.network, owners_of(TWO, players=3), stand, Secret(6), {})
    return walk(begin(setup, MrXMove(Secret(5), "taxi")), faults=faults, lies=lies, moves=moves, among=among)


def test_no_move_counts_that_nobody_made(found: Walk) -> None:
    assert next(unmade(found), "") == ""


def test_every_answer_changes_what_is_said(found: Walk) -> None:
    assert next(unanswered(found), "") == ""


def test_every_sentence_that_waits_for_a_key_names_it(found: Walk) -> None:
    assert next(nameless(found), "") == ""


def test_of_every_row_of_the_table_comes_what_it_says(found: Walk) -> None:
    assert next(unforeseen(found), "") == ""


def test_who_answers_truly_gets_on_from_everywhere(found: Walk) -> None:
    assert next(stuck_for_good(found), "") == ""
