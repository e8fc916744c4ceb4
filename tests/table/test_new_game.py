"""A new game at the table: chosen on the handset by keys alone, through the table, and by the table's confirm key."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.simulator import SimulatedTable
from tests.table.any_table import CLASSIC, carried, done, empty, handset, kinds, pick, played
from tests.table.cases import shipped
from tests.table.played_table import config, confirm, hold, press, release, text

# ---- where there is none ----


def test_without_a_game_any_key_of_the_handset_opens_the_choice() -> None:
    for key in "udsb":
        p = empty()
        assert p.handset_lines() == ["No game", "Press CONFIRM on the table or SELECT here"]
        handset(p, key)
        assert p.handset_lines()[2:] == CLASSIC
        assert p.table.game is None
        handset(p, "b")
        assert p.handset_lines() == ["No game", "Press CONFIRM on the table or SELECT here"]


def test_select_alone_begins_the_configured_game() -> None:
    p = empty()
    handset(p, "sss")
    assert p.table.game is None
    handset(p, "s")
    assert played(p) == ("classic", 5)
    assert p.table.scene().phase is Phase.SET_UP
    assert text(p).startswith("Set up: Put Red on ")
    assert p.handset_lines()[0].startswith("You are at ")
    p.set_up()
    assert p.public.turn == (MR_X,)


def test_number_of_players_and_options_are_chosen_key_by_key() -> None:
    p = empty()
    handset(p, "ss" + "dd" + "s")  # classic, four players
    assert p.handset_lines()[0] == "Classic, 4 players"
    handset(p, "ddd" + "s" + "d" + "s")  # round past who sits where to the fares, counted; a last chance
    assert p.handset_lines()[3:5] == ["  Fares: counted", "> Last chance: yes"]
    handset(p, "uuuu" + "s")
    assert played(p) == ("classic", 4)
    assert p.table.game is not None
    assert p.table.game.setup.options == {"x_fares": "counted", "last_chance": True}


def test_the_junior_game_is_begun_with_two_mister_xs_for_four_players() -> None:
    p = empty(shipped("junior"))
    handset(p, "s")
    assert p.handset_lines() == ["Junior", "> 4 players", "  2 players", "  3 players"]
    handset(p, "ss")
    assert p.public.fugitives == ("mr_x", "mr_x_junior")
    p.set_up()
    pick(p, "stay")
    assert p.public.turn == ("mr_x_junior",)


# ---- tiles ----


def test_di_01_tiles_chosen_letter_by_letter_are_those_of_the_game() -> None:
    p = empty(shipped("dice"))
    handset(p, "s" + "s" + "uuu" + "s")  # four players; three rows up from "Start": tiles
    assert p.handset_lines()[0] == "Row 1, tile 1"
    handset(p, "ds" + "s" * 7)  # B first, and then what is left in order: A C D E F G H
    assert p.handset_lines()[0] == "Row 3, tile 3"
    handset(p, "s")
    assert p.table.game is None
    handset(p, "s")
    assert p.table.game is not None
    assert p.table.game.setup.layout == p.public.layout == "BAC DEF GHI"
    assert p.table.layout.stations[0] == 5
    p.advance(500)
    assert text(p) == "Lay the tiles: B A C / D E F / G H I. CONFIRM when they lie"


def test_di_02_tiles_that_cannot_lie_together_are_refused_with_a_notice_and_nothing_changes(tmp_path: Path) -> None:
    p = empty(shipped("dice"), tmp_path / "journal.sqlite")
    handset(p, "s" + "ds" + "uuu" + "s")  # two players, six tiles
    for letter in "BDFICA":  # only two of them have an underground place
        _to_letter(p, letter)
    handset(p, "s")
    lines = p.handset_lines()
    assert lines[0] == "No game"
    assert "three must have an underground place" in " ".join(lines)
    assert p.table.game is None
    assert kinds(tmp_path / "journal.sqlite") == []
    handset(p, "s")  # the notice is put away
    assert p.handset_lines()[0] == "Dice, 2 players"
    handset(p, "uuu" + "s")  # drawn, after all
    assert "Tiles: drawn" in " ".join(p.handset_lines())
    handset(p, "ddd" + "s")
    assert played(p) == ("dice", 2)
    assert kinds(tmp_path / "journal.sqlite") == ["begin"]
    p.close()


def _to_letter(p: SimulatedTable, letter: str) -> None:
    """The cursor goes to a tile, and it is laid."""
    letters = [line.strip("> ") for line in p.handset_lines()[2:]]
    handset(p, "d" * letters.index(letter) + "s")


def test_a_game_that_could_not_be_begun_on_the_handset_is_not_the_one_that_confirm_begins() -> None:
    p = empty(shipped("dice"))
    handset(p, "s" + "ds" + "uuu" + "s")  # two players, six tiles that cannot lie together
    for letter in "BDFICA":
        _to_letter(p, letter)
    handset(p, "s")
    assert p.table.game is None
    confirm(p)
    assert played(p) == ("dice", 4)


# ---- privacy ----


def test_behind_the_cover_nothing_can_be_chosen_without_peek() -> None:
    p = empty(config(handset={"privacy": "hold"}))
    cover = p.handset_lines()
    handset(p, "ssssss" + "dsdsds")
    assert p.table.game is None
    assert p.handset_lines() == cover
    hold(p, "handset.peek")
    handset(p, "sss")
    assert p.table.game is None
    release(p, "handset.peek")
    handset(p, "s")
    assert p.table.game is None
    hold(p, "handset.peek")
    handset(p, "s")
    assert played(p) == ("classic", 5)


# ---- started again ----


@pytest.mark.parametrize(("configured", "rules"), [("classic", "current"), ("current", "beginners")])
def test_the_journal_goes_on_with_a_game_of_another_box_than_the_configured_one(
    tmp_path: Path, configured: str, rules: str
) -> None:
    p = empty(shipped(configured), tmp_path / "journal.sqlite")
    handset(p, "s")
    names = [line.strip("> ") for line in p.handset_lines()[2:]]
    handset(p, "d" * names.index({"current": "Today's box"}.get(rules, rules.capitalize())) + "sss")
    p.set_up()
    p.choose(next(c for c in p.private.choices.value if isinstance(c, MrXMove)))
    before = p.public, p.private
    assert p.public.rules == rules != p.config.edition.name
    p.restart()
    p.advance(2000)
    assert (p.public, p.private) == before
    assert p.table.scene().phase is Phase.PLAY
    move = p.public.moves[0]
    carried(p, move.pawn, move.to)
    if not done(p)[1:]:
        press(p, f"table.{move.ticket}" if len(p.table.scene().asked) > 1 else "table.confirm", 500)
    assert done(p)[1:] == [move]
    p.close()


# ---- a seed ----


def _first_moves(p: SimulatedTable) -> tuple[object, ...]:
    """A game of computers by a seed: where everyone starts, and what the first of them do."""
    p.new_game(detectives=3, seats={"mr_x": "easy", "detectives": "easy"}, seed=1)
    p.set_up()
    assert p.table.game is not None
    while len(p.table.game.actions) < 1:
        p.advance(1000)
    return p.table.game.setup, p.table.game.actions[0]


def test_the_same_seed_begins_the_same_game_whatever_was_played_before() -> None:
    fresh, used = SimulatedTable(), SimulatedTable()
    for seed in range(5):
        used.new_game(detectives=4, seats={"mr_x": "easy"}, seed=seed)
    assert _first_moves(used) == _first_moves(fresh)
    assert _first_moves(used) == _first_moves(fresh)
