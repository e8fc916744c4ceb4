"""How a game ended, as a title with its round, its station and who caught him."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.views import Outcome
from firmware_host.ui.games.game_registry import game_ui
from tests.ui.handmade_views import junior, public

PAWNS = {"red": 1, "green": 140, MR_X: 140}


def headline(winner: str, reason: str, **told: Any) -> str:
    view = public(turn=(), round=11, order=("red", "green"), **{"route": (26, 15, 140), "pawns": PAWNS, **told})
    return game_ui(view).headline(Outcome(winner, reason), view)


@pytest.mark.parametrize(
    ("winner", "reason", "sentence"),
    [
        ("detectives", "captured", "Caught in round 11 by Green at 140"),
        ("detectives", "walked_in", "Ran into Green in round 11 at 140"),
        ("detectives", "trapped", "Trapped in round 11 at 140"),
        *(
            (MR_X, reason, "Mister X got away, round 11, at 140")
            for reason in ("log_full", "rounds_over", "immobilised", "stalled", "escaped", "chips")
        ),
    ],
)
def test_it_is_a_sentence_for_every_way_in_which_a_game_ends(winner: str, reason: str, sentence: str) -> None:
    assert headline(winner, reason) == sentence


def test_it_names_no_station_while_the_route_is_secret_and_nobody_who_is_not_there() -> None:
    assert headline("detectives", "captured", route=()) == "Detectives win"
    assert headline("detectives", "captured", pawns={"red": 1}) == "Caught in round 11 at 140"


def test_where_x_junior_is_caught_it_names_the_station_of_x_junior() -> None:
    pawns = {"white": 4, "yellow": 9, MR_X: 14, "mr_x_junior": 4}
    view = junior(two=True, pawns=pawns, route=(13, 14)).public
    for winner, told in (("detectives", ("white", 4)), (MR_X, ("", 14))):
        assert game_ui(view).catch(Outcome(winner, "chips"), view) == told
