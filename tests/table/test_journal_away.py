"""What a table does by itself as soon as its journal can be written again."""

from __future__ import annotations

import json

import pytest

from firmware_host.journal.entries import FINISH
from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.table.commands import StartGame
from tests.table.played_table import Watched, begun, carry, go, state


@pytest.fixture
def won() -> Watched:
    """A table at which the detectives have just won, and that could not be noted."""
    p: Watched = begun(45, seen=True, red=75, yellow=13, green=26)
    p.store.refused = frozenset({FINISH})
    go(p, 58)
    carry(p, "red", 58)
    assert p.public.outcome is not None
    assert p.table.journal.in_play
    return p


def test_a_journal_that_was_refused_is_well_again_though_nobody_does_anything() -> None:
    p: Watched = begun(197, seen=True, red=74, yellow=13, green=26)
    p.store.broken = True
    with pytest.raises(NotNow):
        p.choose(MrXMove(Secret(184), "taxi"))
    p.advance(60_000)
    assert state(p, "journal") == "lost"
    p.store.broken = False
    p.advance(1100)
    assert state(p, "journal") == "ok"
    assert p.private.at == Secret(197)


def test_an_end_that_could_not_be_noted_is_noted_as_soon_as_it_can(won: Watched) -> None:
    assert state(won, "journal") == "lost"
    won.store.refused = frozenset()
    won.advance(1100)
    assert (won.table.journal.in_play, won.table.journal.newest_finished) == (False, 1)
    assert state(won, "journal") == "ok"


def test_a_game_that_is_over_is_not_given_up_by_the_next_one_though_its_end_was_never_noted(won: Watched) -> None:
    outcome = won.public.outcome
    won.do(StartGame())
    (over,) = won.table.journal.finished()
    _, kind, told = over.entries[-1]
    assert outcome is not None
    assert (kind, json.loads(told)) == ("finish", {"winner": outcome.winner, "reason": outcome.reason})
    assert outcome.winner != MR_X
