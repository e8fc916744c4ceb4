"""The coach of a table: off unless asked for, heard at its own beat, and told what everyone knows alone."""

from __future__ import annotations

import random

import pytest

from firmware_host.players.coach.coach_port import KNOWS, Coach, Insight
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, PublicHistory
from firmware_host.referee.scene import CoachMode
from firmware_host.rules.actions import MrXMove, PawnMove
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup, Wish
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.table.ask_coach import FAILED, TableCoach
from firmware_host.ui.drawing.public_display import display_lines
from firmware_host.ui.lamp_plan import Rhythm, plan
from tests.table.cases import shipped
from tests.table.computers import Makers
from tests.table.played_table import carry

START = {"mr_x": 197, "red": 74, "yellow": 13, "green": 26}
BY_TAXI = MrXMove(Secret(184), "taxi")


class Heard:
    """Says what it is told to, and keeps what it was asked. Implements `Coach`."""

    def __init__(self, *, fails: bool = False) -> None:
        self.fails, self.late = fails, False
        self.told: list[NewGame] = []
        self.asked: list[PublicHistory] = []
        self.closed = False

    def begin(self, game: NewGame) -> None:
        self.told.append(game)

    def ask(self, history: PublicHistory, *, advice: bool) -> None:  # noqa: ARG002 - says the same either way
        if self.fails:
            raise PlayerFailed("it has died")
        self.asked.append(history)

    def insight(self) -> Insight | None:
        return None if self.late else Insight({184: 0.75, 198: 0.25})

    def close(self) -> None:
        self.closed = True


class Coached(Makers):
    """Makes one coach, as a test says."""

    def __init__(self, coach: Heard) -> None:
        super().__init__()
        self._coach = coach

    def coach(self) -> Coach:
        return self._coach


def shipped_setup(rules: str) -> Setup:
    config = shipped(rules)
    return system(config.edition).deal(config.ground, Wish(), random.Random(1))


def table(tells: CoachMode = CoachMode.ADVICE, coach: Heard | None = None, rules: str | None = None) -> SimulatedTable:
    p = SimulatedTable(players=None if coach is None else Coached(coach), patient=False)
    if tells != CoachMode.OFF:
        p.coach(tells)
    if rules is None:
        p.new_game(detectives=3, start=START)
    else:
        p.new_game(rules)
    p.set_up()
    return p


def test_the_coach_is_off_unless_asked_for_and_then_no_coach_is_made() -> None:
    coach = Heard()
    p = table(CoachMode.OFF, coach)
    p.choose(BY_TAXI)
    p.advance(3000)
    assert p.scene.coach.tells == CoachMode.OFF
    assert not coach.told
    assert not p.scene.coach.stations


def test_the_coach_tells_the_stations_that_the_log_allows() -> None:
    p = table(CoachMode.STATIONS)
    p.choose(BY_TAXI)
    p.advance(1500)
    told = p.scene.coach
    network = p.public.network
    cards = set(p.config.boxes[0].mr_x_starts(network)) - {74, 13, 26}
    after = {to for at in cards for to, ways in network.around(at).items() if "taxi" in ways} - {74, 13, 26}
    assert set(told.stations) == after
    assert sum(told.stations.values()) == pytest.approx(1, abs=0.01)
    assert told.advice is None
    assert f"X on {len(after)} stations" in display_lines(p.scene)


def test_what_it_says_is_shown_a_second_after_the_position_came_about_and_not_before() -> None:
    coach = Heard()
    p = table(CoachMode.STATIONS, coach)
    p.choose(BY_TAXI)
    shown: list[bool] = []
    asked = len(coach.asked)
    for _ in range(15):
        p.advance(100)
        shown.append(bool(p.scene.coach.stations))
    assert asked == len(coach.asked)
    assert not any(shown[:8])
    assert all(shown[10:])


def test_a_coach_that_is_not_done_at_the_beat_is_heard_at_a_later_one() -> None:
    coach = Heard()
    coach.late = True
    p = table(CoachMode.STATIONS, coach)
    p.advance(5300)
    assert not p.scene.coach.stations
    coach.late = False
    p.advance(1000)
    assert p.scene.coach.stations


def test_what_it_is_told_begins_and_goes_on_with_public_views_alone() -> None:
    coach = Heard()
    p = table(CoachMode.STATIONS, coach)
    p.choose(BY_TAXI)
    p.advance(200)
    assert coach.told[0].setup.mr_x.value == 0
    assert coach.asked[-1].now == p.public
    assert coach.asked[-1].done == (None,)


def test_a_move_and_a_move_taken_back_make_it_look_again() -> None:
    p = table(CoachMode.ADVICE)
    p.choose(BY_TAXI)
    p.advance(1500)
    before = p.scene.coach
    carry(p, "red", 73)
    p.advance(1500)
    assert p.actions[-1] == PawnMove("red", 73, "taxi")
    after = p.scene.coach
    assert after.advice is not None
    assert after.advice.pawn == "yellow"
    carry(p, "red", 74)
    p.advance(1500)
    assert p.scene.coach == before


def test_it_advises_people_and_no_computer() -> None:
    p = SimulatedTable(patient=False)
    p.coach(CoachMode.ADVICE)
    p.new_game(players=4, start=START, seats={"detectives": "easy"})
    p.set_up()
    p.choose(BY_TAXI)
    thought = []
    for _ in range(40):
        p.advance(100)
        if p.scene.thinking:
            thought.append(p.scene.coach)
    assert any(hints.stations for hints in thought)
    assert not any(hints.advice for hints in thought)


def test_advice_flashes_on_its_destination_and_hunches_shine_where_nothing_else_does() -> None:
    p = table(CoachMode.ADVICE)
    p.choose(BY_TAXI)
    p.advance(1500)
    lamps, advice = plan(p.scene).stations, p.scene.coach.advice
    assert advice is not None
    assert lamps[advice.to].rhythm is Rhythm.ADVICE
    free = set(p.scene.coach.stations) - {move.to for move in p.public.moves} - {*p.public.pawns.values()}
    assert free
    assert all(lamps[station].rhythm is Rhythm.HUNCH for station in free)
    moves = {move.to for move in p.public.moves} - {advice.to}
    assert all(lamps[station].rhythm in (Rhythm.STEADY, Rhythm.ALTERNATE) for station in moves)


def test_a_coach_that_fails_says_so_and_another_comes_when_it_is_asked_for() -> None:
    coach = Heard(fails=True)
    p = table(CoachMode.STATIONS, coach)
    p.advance(1500)
    assert p.scene.coach.trouble == FAILED
    assert coach.closed
    coach.fails = False
    p.coach(CoachMode.STATIONS)
    p.advance(1500)
    assert p.scene.coach.stations


@pytest.mark.parametrize("rules", ["dice", "junior"])
def test_in_a_game_that_it_does_not_know_it_says_so(rules: str) -> None:
    p = table(CoachMode.ADVICE, rules=rules)
    p.advance(1500)
    assert not p.scene.coach.stations
    if p.scene.phase.value == "play":
        assert p.scene.coach.trouble == KNOWS


def test_a_coach_is_let_go_when_a_game_begins_that_it_does_not_know() -> None:
    coach = Heard()
    asked = TableCoach(lambda: coach)
    asked.choose(CoachMode.STATIONS, Game(shipped_setup("classic")))
    assert not coach.closed
    asked.begin(Game(shipped_setup("junior")))
    assert coach.closed
    assert asked.hints.trouble == KNOWS


@pytest.mark.parametrize("rules", ["current", "us", "beginners"])
def test_it_knows_the_other_pursuit_games(rules: str) -> None:
    p = table(CoachMode.ADVICE, rules=rules)
    p.advance(1500)
    assert not p.scene.coach.trouble
    assert p.scene.coach.stations


def test_it_outlasts_a_restart_and_can_be_switched_off() -> None:
    p = table(CoachMode.STATIONS)
    p.restart()
    p.advance(2000)
    assert p.scene.coach.stations
    p.coach(CoachMode.OFF)
    p.advance(2000)
    assert not p.scene.coach.stations
