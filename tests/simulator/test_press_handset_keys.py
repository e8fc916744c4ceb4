"""Mister X's choices are made by the keys of the handset, whatever becomes of the table meanwhile."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from firmware_host.referee.referee import NotNow
from firmware_host.rules.actions import Action, Commit, MrXMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.simulated_table import NoAction


@pytest.mark.parametrize(
    ("action", "told"),
    [
        (MrXMove(99, "taxi"), "choose: MrXMove.to must be Secret(99), not 99"),  # type: ignore[arg-type]
        (Commit("mr_x", "bus"), "choose: Commit.ticket must be Secret('bus'), not 'bus'"),  # type: ignore[arg-type]
        ("taxi 46", 'choose: "taxi 46" is not an action; pass one of simulated.private.choices.value'),
        (None, "choose: None is not an action; pass one of simulated.private.choices.value"),
        ({}, "choose: {} is not an action; pass one of simulated.private.choices.value"),
    ],
)
def test_what_is_no_action_is_refused_before_any_key_is_pressed(action: Action, told: str) -> None:
    p = SimulatedTable(seed=1)
    p.new_game("classic", seed=1)
    p.set_up()
    now = p.hardware.clock.now()
    with pytest.raises(NoAction) as refused:
        p.choose(action)
    assert str(refused.value) == told
    assert p.hardware.clock.now() == now
    assert p.actions == []


def test_every_move_that_he_cannot_make_is_refused_alike_with_the_place_of_his_choices() -> None:
    p = SimulatedTable(seed=1)
    p.new_game("classic", seed=1)
    p.set_up()
    told = "choose: Mister X cannot make this move now; simulated.private.choices.value lists his choices"
    for to in (0, 1, 199, 999, p.private.at.value):
        with pytest.raises(IllegalAction) as refused:
            p.choose(MrXMove(Secret(to), "tram"))
        assert str(refused.value) == told


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"detectives": "3"}, "detectives: '3' is not a whole number; pass a number such as 3"),
        ({"players": True}, "players: True is not a whole number; pass a number such as 3"),
        ({"owners": 3}, "owners: 3 is not a list; pass a player for each pawn, such as [1, 1, 2]"),
        ({"start": {"red": "74"}}, "start: red: must be a whole number such as 74, not '74'"),
        ({"start": {"mr_x": "74"}}, "start: mr_x: its station must be a whole number"),
        ({"start": [74, 45]}, 'start: a list is not a dict; pass one such as {"red": 74}'),
        ({"seats": "hard"}, 'seats: a str is not a dict; pass one such as {"mr_x": "hard"}'),
    ],
)
def test_a_game_of_values_of_wrong_types_is_refused_in_words(wishes: dict[str, Any], told: str) -> None:
    p = SimulatedTable(seed=1)
    with pytest.raises(BadSetup) as refused:
        p.new_game("classic", **wishes)
    assert str(refused.value) == told
    assert p.table.game is None


class PowerCut:
    """Cuts the power once, some seconds after it was armed, and brings it back at once; a table's `pace`."""

    def __init__(self) -> None:
        self.simulated: SimulatedTable | None = None
        self.left = 0.0

    def __call__(self, seconds: float) -> None:
        self.left -= seconds
        if self.simulated is not None and self.left <= 0:
            simulated, self.simulated = self.simulated, None
            simulated.cut_power()
            simulated.restart()


@pytest.mark.parametrize("after", [0.05, 0.1, 0.3])
@pytest.mark.long_but_first
def test_keys_are_pressed_for_the_table_that_comes_back_after_a_power_cut_not_for_the_one_before(after: float) -> None:
    cut = PowerCut()
    p = SimulatedTable(seed=1, pace=cut)
    p.new_game("classic", seed=1)
    p.set_up()
    p.advance(120_000)  # its screen sleeps
    before, chosen = p.table, next(one for one in p.private.choices.value if isinstance(one, MrXMove))
    cut.simulated, cut.left = p, after
    began = p.hardware.clock.now()
    with suppress(NotNow):  # the cut may come before any key counts
        p.choose(chosen)
    assert p.table is not before
    assert p.hardware.clock.now() - began < 1.5  # twenty keys that nothing answers take more than two seconds
    if not p.actions:
        p.set_up()
        p.choose(chosen)
    assert p.actions == [chosen]
