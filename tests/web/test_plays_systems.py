"""A game of every other system at the pages, up to what is special about it; no page is told what is hidden.

They are played on boards with numbers that are found wherever they turn up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from firmware_host.rules.actions import MR_X, Action, Commit, Double, MrXMove, Roll, Surface, Take
from tests.table.cases import BEGINNERS, CURRENT, ENTERED, JUNIORS, ROLLED, US, Case, canaries
from tests.web.chromium import Visit, Visitor
from tests.web.english_left import LOCALES, english_left
from tests.web.hidden_stations import Watch
from tests.web.open_table import Lay, OpenTable, Seated, seated
from tests.web.played_evening import Evening, actions
from tests.web.scripts import (
    Done,
    by_black,
    in_the_open,
    kind,
    script,
    shows_himself,
    takes_a_die,
    vanishes,
    wins_a_chip,
)

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Party:
    """A game at its pages."""

    table: OpenTable
    board: Visitor
    spectator: Visitor
    handset: Visitor
    people: Evening
    steps: tuple[Action, ...]
    watch: Watch


Begin = Callable[..., Party]


@pytest.fixture(params=LOCALES)
def party(lay: Lay, visit: Visit, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Begin]:
    """Begins a game in which what is wanted happens; in the end nothing at its pages is in a wrong language."""
    pages: list[Visitor] = []

    def begin(case: Case, *wanted: Callable[[Done], object], most: int) -> Party:
        config = canaries(case.rules, tmp_path)
        game = script(case, *wanted, most=most, config=config)
        table, board, handset, _ = seated(game, lay, visit, config, played=0, locale=request.param)
        spectator = visit(table.url, "spectate", locale=request.param)
        pages.extend((board, spectator, handset))
        watch = Watch(table.look, handset, board, spectator)
        people = Evening(Seated(table, board, handset), watch)
        return Party(table, board, spectator, handset, people, game.steps, watch)

    yield begin
    for page in pages:
        assert english_left(page) == set()


def test_us_mister_x_shows_himself_of_his_own_will_and_takes_a_ticket_from_everyone(party: Begin) -> None:
    game = party(US, kind(Surface), shows_himself, kind(Take), most=25)
    game.people.do_all(game.steps)
    at = game.table.look(lambda p: p.public.pawns[MR_X])
    for page in (game.board, game.spectator):
        page.see(f'[data-lamp="{at}"][data-colour^="#"]')
        page.wait("at => document.querySelector('#log').textContent.includes(at)", str(at))
    game.watch.assert_kept()


def test_current_mister_x_moves_twice_hides_his_ticket_and_shows_himself(party: Begin) -> None:
    game = party(CURRENT, kind(Double), by_black, shows_himself, most=25)
    game.people.do_all(game.steps)
    windows = [entry.window for entry in game.table.look(lambda p: p.public.log) if entry.double]
    assert windows
    for page in (game.board, game.spectator):
        page.see('#log [data-ticket="black"]')
        for window in windows:
            page.see(f'[data-log-lamp="{window}"][data-colour^="#"]')
    game.watch.assert_kept()


def test_beginners_his_pawn_moves_in_the_open_and_hides_and_comes_back(party: Begin) -> None:
    game = party(BEGINNERS, in_the_open, vanishes, shows_himself, most=30)
    people, stands = game.people, f'[data-pawn="{MR_X}"]:not([data-at=""])'
    people.mind_mr_x()
    game.board.see(stands)
    moved, hidden = 0, 0
    for step in game.steps:
        people.mind_mr_x()
        if isinstance(step, MrXMove) and people.stands_in_the_open(step):
            people.do_in_the_open(step)
            game.board.see(f'[data-pawn="{MR_X}"][data-at="{step.to.value}"]')
            moved += 1
        else:
            people.do(step)
            hidden += isinstance(step, MrXMove)
    assert moved
    assert hidden
    people.mind_mr_x()
    for page in (game.board, game.spectator):
        page.see(stands)
    game.watch.assert_kept(least=3)  # he hides but for a moment


def test_dice_are_rolled_and_used_and_mister_x_takes_one(party: Begin) -> None:
    game = party(ROLLED, kind(Roll), takes_a_die, most=20)
    game.people.do_all(game.steps)
    assert game.table.look(lambda p: p.public.dice.taken)  # type: ignore[attr-defined]
    game.watch.assert_kept()


def test_dice_that_were_rolled_by_hand_are_entered_by_key(party: Begin) -> None:
    game = party(ENTERED, kind(Roll), most=20)
    game.people.do_all(game.steps)
    rolled = game.steps[-1]
    assert isinstance(rolled, Roll)
    assert game.table.look(actions)[-1] == rolled


def test_junior_tickets_are_picked_in_secret_and_a_chip_is_won(party: Begin) -> None:
    game = party(JUNIORS, kind(Commit), wins_a_chip, most=20)
    game.people.do_all(game.steps)
    view = game.table.look(lambda p: p.public)
    assert sum(won for won, _ in view.chips.values()) == 1
    for page in (game.board, game.spectator):
        for pawn in view.order:
            page.see(f'[data-pawn="{pawn}"][data-at="{view.pawns[pawn]}"]')
