"""The next game, after the end of one: chosen on the handset, begun by the table's confirm key, or after a restart."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from firmware_host.config.loader import parse
from firmware_host.journal.store_port import UnplayableGame
from firmware_host.referee.scene import Phase
from firmware_host.rules.actions import MR_X
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.table.commands import GiveUpGame
from tests.table.any_table import CLASSIC, empty, handset, played
from tests.table.played_table import begun, carry, config, confirm, go, hunted, press, put, text


def over(p: SimulatedTable | None = None) -> SimulatedTable:
    """A game that has just ended: red has caught Mister X."""
    p = p or begun(45, red=75, yellow=13, green=26)
    go(p, 58)
    carry(p, "red", 58)
    assert p.public.outcome is not None
    return p


def test_after_the_end_the_last_item_of_the_home_page_begins_another_game() -> None:
    p = over()
    p.advance(5000)
    handset(p, "b" + "u" + "s")
    assert p.handset_lines()[2:] == CLASSIC
    assert p.public.outcome is not None
    handset(p, "sss")
    assert played(p) == ("classic", 5)
    assert p.table.scene().phase is Phase.SET_UP


def test_confirm_on_the_table_begins_the_configured_game_where_none_was_chosen_on_the_handset() -> None:
    p = empty(config(game={"rules": "current", "players": 4}))
    handset(p, "s")
    assert p.handset_lines()[2] == "> Today's box"
    handset(p, "b")
    confirm(p)
    assert played(p) == ("current", 4)
    q = over(begun(45, config(game={"rules": "classic", "players": 4}), red=75, yellow=13, green=26))
    confirm(q)
    assert q.public.outcome is not None  # a last look
    q.advance(3500)
    confirm(q)
    assert played(q) == ("classic", 4)


def test_confirm_after_the_end_begins_a_game_like_the_one_chosen_last_on_the_handset() -> None:
    p = empty()
    handset(p, "ss" + "dd" + "s" + "ddds" + "uuu" + "s")  # classic, four players, the fares counted
    assert p.table.game is not None
    first = p.table.game.setup
    assert (played(p), first.options["x_fares"]) == (("classic", 4), "counted")
    p.do(GiveUpGame())
    p.advance(200)
    assert text(p) == "The game was given up. Press CONFIRM for a new game"
    confirm(p)
    assert p.table.game.setup.options == first.options
    assert played(p) == ("classic", 4)
    assert p.table.game.setup != first  # dealt anew
    p.set_up()
    _caught(p)
    p.advance(3500)
    confirm(p)
    assert p.public.outcome is None
    assert played(p) == ("classic", 4)
    assert p.table.game.setup.options == first.options


def test_confirm_begins_a_game_with_the_same_computers_and_names_as_the_one_before() -> None:
    p = SimulatedTable(config(), seed=3)
    p.new_game("us", players=4, seats={MR_X: "easy", "2": "medium"}, names={"1": "Ada"}, options={"cut_off": True})
    begun_with = p.scene.seats, p.scene.names, p.setup.options
    p.do(GiveUpGame())
    p.advance(200)
    confirm(p)
    assert played(p) == ("us", 4)
    assert (p.scene.seats, p.scene.names, p.setup.options) == begun_with
    assert p.scene.seats == {MR_X: "easy", "2": "medium"}


def _caught(p: SimulatedTable) -> None:
    """Somehow the game is played to its end."""
    players = SimulatedPeople(p, random.Random(1))
    while p.public.outcome is None:
        players.play()


def test_confirm_begins_a_game_of_the_box_chosen_on_the_handset_until_the_table_starts_again(tmp_path: Path) -> None:
    p = empty(journal=tmp_path / "journal.sqlite")
    handset(p, "s" + "dd" + "sss")
    assert p.public.rules == "current"
    p.do(GiveUpGame())
    p.advance(200)
    confirm(p)
    assert p.public.rules == "current"
    p.do(GiveUpGame())
    p.restart()
    p.advance(500)
    assert text(p) == "Press CONFIRM for a new game"
    confirm(p)
    assert played(p) == ("classic", 5)
    p.close()


def test_what_has_happened_at_the_end_of_a_game_is_told_until_the_next_begins() -> None:
    p = begun(45, red=75, yellow=13, green=26)
    p.do(GiveUpGame())
    p.advance(60_000)
    assert text(p) == "The game was given up. Press CONFIRM for a new game"
    confirm(p)
    assert "given up" not in text(p)
    p.set_up()
    assert text(p) == "Mister X moves"


def test_confirm_on_the_table_closes_the_choice_on_the_handset() -> None:
    p = empty()
    handset(p, "ss")
    confirm(p)
    assert played(p) == ("classic", 5)
    assert p.handset_lines()[0].startswith("You are at ")
    handset(p, "s")
    assert p.public.log == ()


# ---- a table that is started again after the end ----


def test_the_end_of_a_game_on_another_map_does_not_keep_the_table_from_starting(tmp_path: Path) -> None:
    path = tmp_path / "yard" / "journal.sqlite"
    p = SimulatedTable(seed=7, journal=path)
    p.new_game(detectives=3)
    players = SimulatedPeople(p, random.Random(7))
    players.set_up()
    while p.public.outcome is None:
        players.play()
    p.close()
    other = SimulatedTable(parse('[map]\nadd = ["taxi 13-14"]', "other.toml"), journal=path)
    assert other.table.scene().phase is Phase.NO_GAME
    other.new_game(detectives=3)
    other.close()
    with pytest.raises(UnplayableGame, match="or begin another game"):
        SimulatedTable(journal=path)


def test_pb_05_what_is_felt_after_a_restart_may_be_mister_xs_own_pawn_and_is_asked_for() -> None:
    p = hunted((74, 75), (51, 67), seen=True)
    put(p, 67, MR_X, 1000)
    move = next(m for m in p.public.moves if m.to not in {67, *p.public.pawns.values()} and m.ticket == "taxi")
    before = p.public.pawns[move.pawn]
    p.cut_power()
    p.hardware.lift(before, move.pawn)
    p.hardware.put(move.to, move.pawn)
    p.restart()
    p.advance(10_000)
    assert p.public.pawns[move.pawn] == before
    asked = p.table.scene().asked
    assert {(m.pawn, m.to) for m in asked} == {(move.pawn, move.to)}
    if len(asked) > 1:
        press(p, f"table.{move.ticket}", 500)
    else:
        assert "CONFIRM. No: BACK" in text(p)
        confirm(p)
    assert p.public.pawns[move.pawn] == move.to
