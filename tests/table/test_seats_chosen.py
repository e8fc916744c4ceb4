"""Who sits where: shown and told, chosen with a game, refused where it makes no sense."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from firmware_host.config.toml_file import ConfigError
from firmware_host.players.seats import BadSeats
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.drawing.public_display import display_lines
from firmware_host.ui.lamp_plan import Rhythm, plan
from firmware_host.ui.lamp_rhythms import paint
from tests.table.computers import RED_TO_46, Makers, Scripted, done_by_computer, red_played, seated
from tests.table.played_table import config


def test_seats_are_shown_and_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    p = seated({"mr_x": "hard", "2": "easy"})
    assert p.table.scene().seats == {"mr_x": "hard", "2": "easy"}
    assert [record.getMessage() for record in caplog.records][:2] == [
        "Mister X: played by a computer (hard).",
        "Yellow: played by a computer (easy).",
    ]


def test_while_a_computer_thinks_its_lamp_swells_at_a_beat_of_its_own() -> None:
    p, _ = red_played(RED_TO_46)
    p.advance(500)
    glow = plan(p.scene).stations[74]
    assert glow.rhythm is Rhythm.THINK
    assert [paint(glow, now) for now in (2.0, 3.0, 4.0)] == [paint(glow, 0.0)] * 3
    assert paint(glow, 1.0) == paint(glow, 5.0) != paint(glow, 3.0)


def test_while_a_computer_mister_x_thinks_the_next_window_swells_wherever_he_is() -> None:
    glows = [plan(seated({MR_X: "hard"}, mr_x=mr_x).scene) for mr_x in (197, 51)]
    assert glows[0] == glows[1]
    assert glows[0].log[1].rhythm is Rhythm.THINK


def test_the_display_says_who_plays_where_while_the_pawns_are_set_up() -> None:
    p = SimulatedTable(players=Makers(), patient=False)
    p.new_game(detectives=3, seats={MR_X: "hard", "2": "easy"})
    p.advance(500)
    assert display_lines(p.scene)[-1] == "X hard · 2 easy"
    p.set_up()
    assert "X hard · 2 easy" not in display_lines(p.scene)


def test_seats_that_make_no_sense_change_nothing() -> None:
    p = seated({})
    before = p.table.game
    with pytest.raises(BadSeats, match="is not a seat of this game"):
        p.new_game(detectives=3, seats={"9": "easy"})
    assert p.table.game is before


def test_another_game_is_played_by_those_who_sit_there_then() -> None:
    first = Scripted()
    p = seated({"1": "hard"}, Makers({"hard": lambda: first}))
    p.new_game(detectives=3)
    assert first.closed
    assert p.table.scene().seats == {}


# ---- without a handset, and chosen on it ----


def test_a_board_without_a_handset_is_played_against_a_computer() -> None:
    p = SimulatedTable(config(handset={"driver": "none"}), players=Makers(), patient=False)
    p.new_game(detectives=3)
    p.set_up()
    assert p.table.scene().seats == {"mr_x": "medium"}
    assert isinstance(done_by_computer(p), MrXMove)
    with pytest.raises(BadSeats, match="there is no handset, so Mister X must be a computer, such as 'medium'"):
        p.new_game(detectives=3, seats={"mr_x": "person"})


def test_a_computer_goes_on_for_mister_x_when_his_handset_was_removed_from_the_board(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    journal = tmp_path / "journal.sqlite"
    p = SimulatedTable(config(), journal=journal)
    p.new_game(detectives=3, names={"mr_x": "Ada", "1": "Bo"})
    p.close()
    p = SimulatedTable(config(handset={"driver": "none"}), journal=journal, players=Makers(), patient=False)
    p.set_up()
    assert (p.table.scene().seats, p.table.scene().names) == ({"mr_x": "medium"}, {"1": "Bo"})
    assert isinstance(done_by_computer(p), MrXMove)
    assert "mr_x: there is no handset any more; medium plays instead" in caplog.text
    p.close()
    p = SimulatedTable(config(), journal=journal)
    assert (p.table.scene().seats, p.table.scene().names) == ({}, {"mr_x": "Ada", "1": "Bo"})
    p.close()


def test_a_configuration_that_wants_a_person_without_a_handset_is_refused() -> None:
    with pytest.raises(ConfigError, match=r'seats: mr_x: "person" needs a handset, and \[handset\] driver = "none"'):
        config('[game.seats]\nmr_x = "person"', handset={"driver": "none"})


def test_the_seats_of_the_configuration_are_taken_unless_others_are_wished_for() -> None:
    conf = config('[game.seats]\nmr_x = "hard"\n"4" = "easy"')
    p = SimulatedTable(conf, players=Makers(), patient=False)
    p.new_game(players=5)
    assert p.table.scene().seats == {"mr_x": "hard", "4": "easy"}
    p.new_game(players=4)
    assert p.table.scene().seats == {"mr_x": "hard"}
    p.new_game(players=4, seats={"detectives": "expert"})
    assert p.table.scene().seats == {"1": "expert", "2": "expert", "3": "expert"}


def test_a_level_that_does_not_play_a_game_is_refused_and_the_configuration_s_wish_is_for_the_best_that_does() -> None:
    p = SimulatedTable(config('[game.seats]\nmr_x = "expert"'), players=Makers(), patient=False)
    with pytest.raises(BadSeats, match="'expert' is for pursuit games; dice can be played at easy, medium, hard"):
        p.new_game("dice", seats={"detectives": "expert"})
    assert p.table.game is None
    p.new_game("dice")
    assert p.table.scene().seats == {"mr_x": "hard"}
    p.new_game("classic")
    assert p.table.scene().seats == {"mr_x": "expert"}


def test_who_sits_where_is_chosen_on_the_handset() -> None:
    p = SimulatedTable(players=Makers(), patient=False)
    p.advance(200)
    for _ in range(3):  # opens the menu; classic; five players
        p.hardware.press("handset.select")
        p.advance(100)
    assert p.handset_lines()[1:3] == ["  Mister X: person", "  Detectives: person"]
    for key in ("down", "select", "down", "select", "select", "up", "up", "select"):
        p.hardware.press(f"handset.{key}")
        p.advance(100)
    assert p.table.game is not None
    seats = p.table.scene().seats
    assert seats == {"mr_x": "easy", **dict.fromkeys("1234", "medium")}
