"""Who won how often: by name, by computer and by game, from what the list of finished games says."""

from __future__ import annotations

from firmware_host.past_games.game_analysis import Summary
from firmware_host.past_games.game_statistics import Length, count_games
from firmware_host.rules.views import Outcome

HIS, THEIRS = "mr_x", "detectives"


def game(
    number: int, winner: str | None, moves: int = 10, rules: str = "classic", names: str = "", seats: str = ""
) -> Summary:
    """A finished game; names and seats are written like "mr_x=Ada 1=Ben"."""
    outcome = None if winner is None else Outcome(winner, "captured")
    named, seated = (dict(one.split("=") for one in said.split()) for said in (names, seats))
    everybody = {"mr_x": "person", "1": "person", "2": "person", **seated}
    return Summary(number, rules, rules.title(), "", 0, 0, 3, ("red",), outcome, moves, "", everybody, named)


def test_nothing_comes_of_no_games() -> None:
    counted = count_games([game(1, None)])
    assert (counted.games, counted.people, counted.computers, counted.boxes) == (0, [], [], {})


def test_a_name_is_one_person_however_it_is_written() -> None:
    counted = count_games(
        [
            game(1, HIS, 8, names="mr_x=ADA 1=Ben 2=Ben"),
            game(2, THEIRS, 12, names="mr_x=ada 1=ben"),
            game(3, THEIRS, 8, names="1=Ada"),
        ]
    )
    ada, ben = counted.people
    assert (ada.label, ada.games) == ("Ada", 3)
    assert (ada.played, ada.won) == ({HIS: 2, THEIRS: 1}, {HIS: 1, THEIRS: 1})
    assert (ada.shortest, ada.longest) == (Length(8, 1), Length(12, 2))
    assert (ben.label, ben.games, ben.played, ben.won) == ("ben", 2, {HIS: 0, THEIRS: 2}, {HIS: 0, THEIRS: 1})


def test_who_plays_both_sides_has_played_one_game() -> None:
    (ada,) = count_games([game(1, HIS, names="mr_x=Ada 1=Ada 2=ada")]).people
    assert (ada.games, ada.played, ada.won) == (1, {HIS: 1, THEIRS: 1}, {HIS: 1, THEIRS: 0})


def test_computers_are_counted_by_level_and_people_without_a_name_not_at_all() -> None:
    counted = count_games([game(1, HIS, seats="mr_x=hard 1=easy 2=easy"), game(2, THEIRS, seats="mr_x=hard")])
    assert counted.people == []
    hard, easy = counted.computers
    assert (hard.label, hard.games, hard.won[HIS]) == ("hard", 2, 1)
    assert (easy.label, easy.games, easy.played) == ("easy", 1, {HIS: 0, THEIRS: 1})


def test_games_are_counted_by_box_those_played_most_first() -> None:
    counted = count_games([game(1, HIS, rules="dice"), game(2, HIS), game(3, THEIRS), game(4, None)])
    assert counted.games == 3
    assert [(rules, one.label, one.games) for rules, one in counted.boxes.items()] == [
        ("classic", "Classic", 2),
        ("dice", "Dice", 1),
    ]
    assert counted.boxes["classic"].won == {HIS: 1, THEIRS: 1}
