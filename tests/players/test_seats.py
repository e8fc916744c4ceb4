"""Who sits where: a wish is read strictly, and comes out in one form."""

from __future__ import annotations

import pytest

from firmware_host.players.seats import BadSeats, PlayerName, read_seats, to_record
from firmware_host.rules.errors import BadSetup

OWNERS = {"purple": 1, "blue": 2, "red": 3, "yellow": 1}


def test_persons_sit_where_nothing_is_said() -> None:
    assert read_seats({}, OWNERS) == {}
    assert read_seats({"mr_x": "person", "2": "person"}, OWNERS) == {}


def test_all_detectives_are_each_of_them_but_for_who_is_named_besides() -> None:
    seated = read_seats({"2": "person", "detectives": "easy", "3": "expert", "mr_x": "hard"}, OWNERS)
    assert to_record(seated) == {"mr_x": "hard", "1": "easy", "3": "expert"}
    assert list(seated) == ["mr_x", "1", "3"]


def test_what_is_written_down_is_read_again_as_it_was() -> None:
    seated = read_seats({"detectives": "deep/strong", "mr_x": "deep"}, OWNERS, ["deep"])
    assert seated["mr_x"] == PlayerName("deep", "")
    assert seated["1"] == PlayerName("deep", "strong")
    assert read_seats(to_record(seated), OWNERS, ["deep"]) == seated


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"4": "easy"}, r"seats: '4' is not a seat of this game; seats are mr_x, detectives, 1, 2, 3"),
        ({"red": "easy"}, r"seats: 'red' is not a seat of this game"),
        (
            {"mr_x": "godlike"},
            r"seats: mr_x: 'godlike' is not a player; players are person, easy, medium, skilled, hard, expert",
        ),
        (
            {"mr_x": "deep/strong"},
            r'there is no program "deep"; add a section \[players.deep\] with its command, or choose person, easy, med',
        ),
        ({"mr_x": "hard/"}, """'hard/' is not a player; write "hard" alone"""),
        ({"mr_x": "expart"}, """'expart' is not a player; did you mean "expert"\\?"""),
        ({"mr_x": 3}, r"3 is not a text; write a player in quotes"),
        ({"mr_x": "x" * 100}, r"mr_x: that is not a player"),
    ],
)
def test_what_is_no_seat_or_no_player_is_refused_with_what_would_be_right(wish: dict[str, object], why: str) -> None:
    with pytest.raises(BadSeats, match=why) as refused:
        read_seats(wish, OWNERS)
    assert isinstance(refused.value, BadSetup)


@pytest.mark.parametrize(
    ("player", "what"),
    [("deep", "'deep' is not a player"), ("deep/strong", 'there is no program "deep"')],
)
def test_a_misspelt_program_is_guessed_with_a_level_and_without(player: str, what: str) -> None:
    with pytest.raises(BadSeats) as refused:
        read_seats({"mr_x": player}, OWNERS, ["deeper"])
    assert str(refused.value) == f'seats: mr_x: {what}; did you mean "deeper"?'


@pytest.mark.parametrize("player", ["deep/", "deep/../x", "deep/a b", "other/strong"])
def test_a_program_has_a_name_and_a_level_that_look_like_names(player: str) -> None:
    with pytest.raises(BadSeats):
        read_seats({"mr_x": player}, OWNERS, ["deep"])
