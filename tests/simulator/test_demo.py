"""The demo: whole games of every system with players worth watching, and a commentary that tells no secrets."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from firmware_host.config.loader import simulator, with_rules
from firmware_host.players.heuristic import game_heuristic, heuristic
from firmware_host.rules.actions import BLACK, MR_X, STAY, Commit, Double, MrXMove, PawnMove, RollAgain
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import PublicView
from firmware_host.simulator import SimulatedTable, demo
from firmware_host.simulator.snapshot import save
from firmware_host.ui.vocabulary import rules_name
from tests.ui import handmade_views

RULES = ("classic", "current", "us", "beginners", "dice", "junior")
SEED = 3


@dataclass(frozen=True)
class CommentLine:
    """A line of the commentary, what everyone knew when it was told and before, and where Mister X was."""

    line: str
    now: PublicView
    before: PublicView
    at: int


@cache
def told(rules: str) -> tuple[SimulatedTable, list[CommentLine]]:
    """A whole demo, and all that was told of it."""
    simulated = SimulatedTable(with_rules(simulator(), rules), seed=SEED)
    lines: list[CommentLine] = []
    known: list[PublicView] = []

    def say(line: str) -> None:
        now = simulated.public
        if not known or known[-1] is not now:
            known.append(now)
        lines.append(CommentLine(line, now, known[-2] if len(known) > 1 else now, simulated.private.at.value))

    demo.perform(simulated, random.Random(SEED), rough=False, say=say)
    return simulated, lines


def stations(line: str) -> set[int]:
    """The numbers in a line that can only be stations."""
    for other in (
        r"^\[\d+:\d+\]",
        r"Round \d+",
        r", move \d+",
        r"window \d+",
        r"tokens left: \d+",
        r"\d+ of \d+",
        r"and \d+ more",
    ):
        line = re.sub(other, "", line)
    return {int(number) for number in re.findall(r"\b\d+\b", line)}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_every_demo_is_a_whole_game_told_to_its_end(rules: str) -> None:
    simulated, lines = told(rules)
    outcome = simulated.public.outcome
    assert outcome is not None
    assert f"A new game: {rules_name(rules)}, on " in lines[0].line
    assert re.match(r"\[\d\d:\d\d\] (Detectives win|Mister X wins)\.", lines[-2].line)
    assert lines[-1].line.endswith(f"His route: {' '.join(map(str, simulated.public.route))}.")
    times = [line.line[1:6] for line in lines if line.line.startswith("[")]
    assert times == sorted(times)
    assert times[-1] > "00:20"


@pytest.mark.parametrize("rules", RULES)
def test_pb_07_no_line_names_a_station_that_is_not_open_to_all(rules: str) -> None:
    _, lines = told(rules)
    checked = hidden = 0
    for moment in lines:
        if moment.now.outcome is not None or "] switches: " in moment.line:  # how a device is, is no news of a game
            continue
        open_to_all = {*moment.now.pawns.values(), *moment.before.pawns.values()}
        assert stations(moment.line) <= open_to_all, moment.line
        checked += bool(stations(moment.line))
        hidden += bool(moment.at) and moment.at not in open_to_all
    assert checked > 10
    assert hidden > 10 or moment.now.in_sight  # else it could not have been told


@pytest.mark.parametrize("rules", RULES)
def test_every_move_on_the_board_is_told(rules: str) -> None:
    simulated, lines = told(rules)
    assert simulated.table.game is not None
    moves = [a for a in simulated.table.game.actions if isinstance(a, PawnMove) and a.pawn != MR_X and a.ticket != STAY]
    said = [line.line for line in lines if re.search(r"\] \w+(: \d+ to \d+| starts on \d+)", line.line)]
    assert [int(re.findall(r"\d+", line)[-1]) for line in said] == [move.to for move in moves]
    assert all(move.pawn in line.lower() for move, line in zip(moves, said, strict=True))


def test_ju_04_while_he_has_picked_his_ticket_in_secret_nothing_is_told_but_the_detectives_moves() -> None:
    _, lines = told("junior")
    between = [moment.line[8:] for moment in lines[2:] if moment.now.happened_since(moment.before) is None]
    between = [line for line in between if not line.startswith("switches: ")]
    assert len(between) >= 3
    assert all(re.fullmatch(r"(White|Yellow)(: \d+ to \d+ by \w+| stays on \d+)\.", line) for line in between), between


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.long_but_first
def test_a_picture_of_the_end_can_be_drawn_of_every_box(rules: str, tmp_path: Path) -> None:
    simulated, _ = told(rules)
    save(simulated, tmp_path / "end.png")
    with Image.open(tmp_path / "end.png") as picture:
        assert picture.width == 1600
    save(simulated, tmp_path / "end.svg")
    drawn = (tmp_path / "end.svg").read_text()
    words = {"beginners": "Mister X vanishes", "junior": "Detectives 3 of 3|Mister X 9 of 9"}
    assert re.search(words.get(rules, "Mister X surfaces"), drawn)
    assert all(f'id="pawn-{pawn}"' in drawn for pawn in (*simulated.public.order, *simulated.public.fugitives))


@pytest.mark.parametrize("name", ["board.svg", "board.png"])
def test_a_picture_in_a_folder_that_is_missing_is_refused_in_words(name: str, tmp_path: Path) -> None:
    simulated = SimulatedTable(seed=1)
    simulated.new_game("classic", seed=1)
    folder = tmp_path / "none"
    with pytest.raises(FileNotFoundError) as refused:
        save(simulated, folder / name)
    assert str(refused.value) == f"{folder}/{name}: there is no folder {folder}; create it, or name another file"


# ---- their wits ----


def games(rules: str) -> Game:
    simulated, _ = told(rules)
    assert simulated.table.game is not None
    return simulated.table.game


def test_ju_04_in_the_junior_game_they_think_of_where_he_can_go() -> None:
    view = handmade_views.junior(9, two=True).public  # Mister X on 9, X Junior on 5
    assert heuristic.possible_stations(view) == {9, 12, 14, 10, 5, 1}


def test_di_19_a_black_ticket_may_have_led_against_a_one_way_street() -> None:
    game = games("dice")
    tiles = game.setup.network
    free = handmade_views.dice_game(1, log=handmade_views.log("T?", {1: 1})).public
    assert heuristic.possible_stations(free) == {2}  # on a row of taxis: there and, with whatever he has, nowhere else
    assert heuristic.possible_stations(replace(free, log=handmade_views.log("TP", {1: 1}))) == {1}
    corner = next(iter(tiles.stations))
    flown = replace(free, network=tiles, log=handmade_views.log("TH", {1: corner}), pawns={})
    assert heuristic.possible_stations(flown) == set(tiles.opposite(corner))  # type: ignore[attr-defined]


def test_who_sees_him_within_reach_catches_him() -> None:
    moves = tuple(PawnMove("red", to, "taxi") for to in (17, 25, 36, 24))
    view = handmade_views.public(turn=("red",), moves=moves, pawns={"red": 26, "yellow": 34, MR_X: 36})
    assert {heuristic.pursue(view, random.Random(seed)) for seed in range(30)} == {moves[2]}


def test_detectives_close_in_on_him() -> None:
    """Of all moves they made, seen together, by far the most lead nearer to where he may be."""
    nearer = farther = 0
    for rules in ("classic", "current", "us"):
        game = Game(games(rules).setup)
        for action in games(rules).actions:
            view = game.public
            there = heuristic.possible_stations(view)
            if isinstance(action, PawnMove) and there:
                before, after = (
                    min(game_heuristic.distances(view.network, at)[to] for to in there)
                    for at in (view.pawns[action.pawn], action.to)
                )
                nearer, farther = nearer + (after < before), farther + (after > before)
            game.play(action)
    assert nearer > 4 * farther
    assert nearer > 20


def test_di_15_they_roll_again_if_no_die_helps_them_and_keep_the_tokens_if_one_does() -> None:
    lying = replace(handmade_views.DICE, tile="", used=())
    start = {"red": 1, "yellow": 12, "green": 31}

    def what(*moves: PawnMove) -> object:
        view = handmade_views.dice_game(
            log=handmade_views.log("TTT", {3: 6}), turn=("red",), pawns=start, moves=moves, dice=lying,
            extras={"table.back": RollAgain()},
        ).public  # fmt: skip
        return heuristic.pursue(view, random.Random(1))

    assert what(PawnMove("red", 1, STAY)) == RollAgain()
    assert what(PawnMove("red", 2, "taxi")) == PawnMove("red", 2, "taxi")


def test_without_a_token_who_can_use_no_die_stays() -> None:
    stay = PawnMove("red", 1, STAY)
    view = handmade_views.dice_game(log=handmade_views.log("TTT", {3: 6}), turn=("red",), moves=(stay,)).public
    assert heuristic.pursue(view, random.Random(1)) == stay


def fled(choose: Callable[[int], object]) -> list[object]:
    return [choose(seed) for seed in range(40)]


def test_he_flees_from_who_stands_next_to_him() -> None:
    view = handmade_views.mr_x(67, pawns={"red": 66, "yellow": 34, "green": 141, "blue": 103})
    found = fled(lambda seed: heuristic.flee(view, random.Random(seed)))
    away = game_heuristic.distances(handmade_views.LONDON, 66)
    assert all(isinstance(action, Double) or away[action.to.value] >= 2 for action in found)  # type: ignore[attr-defined]
    assert Double() in found


def test_he_keeps_his_black_tickets_while_nobody_is_near_and_nobody_has_seen_him() -> None:
    near = handmade_views.mr_x(67, pawns={"red": 66, "yellow": 34, "green": 141, "blue": 103})
    far = handmade_views.mr_x(67, pawns={"red": 1, "yellow": 7, "green": 176, "blue": 190})
    seen = handmade_views.mr_x(67, pawns=far.public.pawns, log=handmade_views.log("TTT", {3: 67}))

    def black(view: object) -> bool:
        found = fled(lambda seed: heuristic.flee(view, random.Random(seed)))  # type: ignore[arg-type]
        return any(isinstance(action, MrXMove) and action.ticket == BLACK for action in found)

    assert black(near)
    assert black(seen)
    assert not black(far)


def test_ju_04_he_picks_tickets_that_lead_away_from_the_detectives_more_often_than_not() -> None:
    """White can come to 12 and 9; from 9 he can go to 12, 14 or 10, or stay."""
    view = handmade_views.junior(9, ("taxi", "bus", "underground", STAY), pawns={"white": 12, "yellow": 1, MR_X: 9})
    found = fled(lambda seed: heuristic.flee(view, random.Random(seed)))
    safe = [Commit(MR_X, Secret(ticket)) for ticket in ("bus", "underground")]  # to 14 and 10: nobody comes there
    assert sum(found.count(commit) for commit in safe) >= 28
    assert any(commit not in safe for commit in found)  # never quite foreseeable
