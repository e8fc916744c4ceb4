"""Simulated players: what they mean is what the table accepts, and a fault is found and named."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from firmware_host.config import shipped_files
from firmware_host.config.loader import simulator, with_rules
from firmware_host.rules.actions import MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.fault_injection import CABLES, FaultInjection
from firmware_host.simulator.actors.simulated_people import SimulatedPeople, Stuck, WrongMove
from tests.amount import amount
from tools.soak import ALL, Task, command, play, soak, soak_and_report, tasks


@pytest.mark.parametrize("seed", range(200, amount(202, 206)))
@pytest.mark.long_but_first
def test_rough_hands_play_whole_games_without_a_wrong_or_a_stuck_move(seed: int) -> None:
    game = play(Task(seed, rough=True))
    assert game.fault == ""
    assert game.reason in {"captured", "immobilised", "stalled", "log_full", "trapped"}
    assert game.moves > 0


TINY = """
title = "Five places"
aspect = 1.0
start_cards = [1, 2, 3, 4, 5]

[stations]
1 = { at = [0.1, 0.1], taxi = [2, 4], bus = [3] }
2 = { at = [0.9, 0.1], taxi = [1, 5], underground = [3] }
3 = { at = [0.1, 0.9], taxi = [4], bus = [1], underground = [2] }
4 = { at = [0.5, 0.5], taxi = [1, 3, 5] }
5 = { at = [0.9, 0.9], taxi = [2, 4] }
"""


def test_a_game_that_is_over_at_its_start_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "tiny.map.toml").write_text(TINY, encoding="utf-8")
    table = tmp_path / "table.toml"
    table.write_text('[game]\nplayers = 4\n[map]\nname = "tiny.map.toml"\n', encoding="utf-8")
    said: list[str] = []
    assert soak_and_report(tasks(range(1, 9), rules="", path=str(table)), 1, said.append) == 0
    assert any(line.startswith(f"how {table} ended") and "trapped" in line for line in said)


ENDS = {
    "classic": {"captured", "immobilised", "stalled", "log_full", "trapped"},
    "current": {"captured", "immobilised", "stalled", "rounds_over", "trapped"},
    "us": {"captured", "immobilised", "stalled", "log_full", "trapped"},
    "beginners": {"captured", "rounds_over", "trapped"},
    "dice": {"captured", "walked_in", "escaped"},
    "junior": {"chips"},
}
OPTIONS: dict[str, dict[str, bool | str]] = {
    "us": {"voluntary_surfacing": True, "cut_off": True},
    "dice": {"dice": "entered", "experts": True},
}
SEATS = [
    (rules, players)
    for rules in ENDS
    for seats in [sorted(shipped_files.load_edition(rules).seats)]
    for players in amount({seats[0], seats[-1]}, seats)
]


@pytest.mark.parametrize("rules", ENDS)
@pytest.mark.long
def test_rough_games_of_every_system_go_as_the_hands_mean(rules: str) -> None:
    game = play(Task(11, rules, rough=True))
    assert game.fault == ""
    assert game.reason in ENDS[rules]
    assert game.moves > 5
    assert set(ENDS) == set(shipped_files.edition_names())


@pytest.mark.parametrize(("rules", "players"), SEATS)
@pytest.mark.long_but_first
def test_with_any_number_of_players_and_any_options_whole_games_go_as_the_hands_mean(rules: str, players: int) -> None:
    """Rough hands where the number is even, careful ones where it is odd; options where they are rough."""
    rough = players % 2 == 0
    chance = random.Random(players)
    simulated = SimulatedTable(with_rules(simulator(), rules), seed=players, rough=rough)
    simulated.new_game(players=players, options=OPTIONS.get(rules, {}) if rough else {})
    hands = SimulatedPeople(simulated, chance, rough=rough)
    hands.set_up()
    while simulated.public.outcome is None:
        hands.play()
    assert simulated.table.game is not None
    assert simulated.table.game.actions == hands.meant
    assert simulated.public.outcome.reason in ENDS[rules]
    assert len(set(simulated.public.owners.values())) == players - len(simulated.public.fugitives)
    assert hands.gestures["handset"] > 0
    assert not rough or len(hands.gestures) > 5
    simulated.close()


def at_the_table(seed: int) -> SimulatedPeople:
    simulated = SimulatedTable(seed=seed)
    simulated.new_game(detectives=4, start={"mr_x": 45, "red": 74, "yellow": 117, "green": 138, "blue": 26})
    players = SimulatedPeople(simulated, random.Random(seed))
    players.set_up()
    players.play(MrXMove(Secret(46), "taxi"))
    return players


def test_hands_that_do_something_else_than_they_mean_are_found_out() -> None:
    players = at_the_table(1)
    meant = next(m for m in players.simulated.public.moves if m.to == 75)
    right = players._hands.move
    players._hands.move = lambda pawn, start, _to: right(pawn, start, 73)  # type: ignore[method-assign]
    with pytest.raises(WrongMove, match=r"intended PawnMove\(pawn='red', to=75"):
        players.play(meant)


def test_a_pawn_that_never_arrives_is_told_as_stuck() -> None:
    players = at_the_table(1)
    meant = next(m for m in players.simulated.public.moves if isinstance(m, PawnMove))
    players._hands.move = lambda _pawn, _start, _to: None  # type: ignore[method-assign]
    with pytest.raises(Stuck, match=r"red from 74 to"):
        players.play(meant)


def test_a_failing_seed_is_named_with_the_command_that_plays_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.simulator.actors.simulated_people.PATIENCE", 0.0)
    told: list[str] = []
    assert soak_and_report([Task(7, rough=True)], jobs=1, say=told.append) == 1
    assert told[0].startswith("seed 7: Stuck")
    assert told[1].strip() == "again: python -m tools.soak --rules classic --games 1 --seed 7 --rough"


FOUND = {
    "classic": (50149,),
    "beginners": (1200030, 3054, 700914, 900216),
    "current": (1,),
    "dice": (50601, 300303, 500499, 600591, 1100487, 1102755, 1104057, 3200139, 2500053),
    "junior": (70504, 70564, 80428, 400432, 400888, 600196, 700702, 800578, 801016, 900142, 900682),
    "us": (70415, 400715, 801017, 1106993),
}
"""Seeds of games, most of which have found something once."""


@pytest.mark.parametrize(
    ("rules", "seed"), [(rules, seed) for rules, seeds in FOUND.items() for seed in seeds[: amount(1, None)]]
)
@pytest.mark.long
def test_games_in_which_devices_fail_go_as_the_hands_mean(rules: str, seed: int) -> None:
    game = play(Task(seed, rules, rough=True, faults=True))
    assert game.fault == ""
    assert game.reason in ENDS[rules]
    assert sum(game.mishaps.values()) >= 3


def test_every_kind_of_mishap_befalls_a_table_and_goes_by() -> None:
    simulated = SimulatedTable(seed=1, pace=lambda _: mishaps.pass_time())
    simulated.new_game(seed=1)
    mishaps: FaultInjection = FaultInjection(simulated, random.Random(3))
    for befall in (mishaps._pull, mishaps._flap, mishaps._noise, mishaps._contact, mishaps._cut):
        for _ in range(3):
            befall()
            simulated.advance(5000)
    simulated.advance(30_000)
    assert not mishaps.dark
    assert sum(mishaps.happened.values()) >= 12
    assert not set(CABLES) & set(simulated.hardware.broken())
    assert simulated.table.health()["switches"]["state"] != "lost"


@pytest.mark.parametrize("rules", ENDS)
@pytest.mark.long_but_first
def test_games_with_computers_on_some_seats_go_as_hands_and_computers_mean(rules: str) -> None:
    for seed in amount([31], range(31, 61)):
        game = play(Task(seed, rules, rough=True, computer=True))
        assert game.fault == ""
        assert game.reason in ENDS[rules]


def test_a_hand_that_changes_its_mind_after_a_computer_has_moved_leaves_the_pawn_where_it_was() -> None:
    game = play(Task(6_200_211, "beginners", rough=True, faults=True, computer=True))
    assert game.fault == ""
    assert game.gestures["mind changed too late"] > 0


@pytest.mark.long
def test_games_go_on_though_players_and_devices_fail() -> None:
    games = tasks(range(40, amount(42, 100)), rules=ALL, rough=True, faults=True, computer=True)
    assert [(game.task.again, game.fault) for game in soak(games) if game.fault] == []


def test_the_command_reports_how_the_games_of_a_configuration_went(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text('[game]\nrules = "junior"\nplayers = 2\n')
    done = CliRunner().invoke(command, ["--config", str(table), "--games", "1", "--jobs", "1"])
    assert done.exit_code == 0
    assert done.output.startswith(f"1 games of {table}: ")
    assert "faults: 0" in done.output
