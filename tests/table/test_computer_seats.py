"""Computers on seats: asked once, answered for at a beat, their pawns moved after by hands, replaced when they fail."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from firmware_host.config.loader import simulator
from firmware_host.players.heuristic.heuristic import HeuristicPlayer
from firmware_host.players.levels import levels
from firmware_host.players.protocol.player_process import PlayerProcess
from firmware_host.players.seats import PlayerName
from firmware_host.referee.readings import Mismatch
from firmware_host.referee.referee import NotNow
from firmware_host.referee.scene import CONFIRM, Kind, Phase
from firmware_host.rules.actions import MR_X, Action, Double, MrXMove, PawnMove, Roll
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.simulated_table import NoGame
from firmware_host.table.commands import Choose
from firmware_host.table.player_maker import PACES, ProcessMaker
from firmware_host.ui.lamp_plan import plan
from tests.table.computers import RED_TO_46, THINKS, Makers, Scripted, carry_out, done_by_computer, red_played, seated
from tests.table.played_table import ask_kind, carry, confirm, fault, go, press, put, text, walk

# ---- when it is asked, and when it answers ----


def test_a_computer_is_asked_once_and_its_move_is_taken_at_the_beat_and_not_before() -> None:
    p, red = red_played(RED_TO_46)
    p.advance(400)
    assert len(red.asked) == 1
    assert text(p) == "Red (computer) thinks"
    p.advance(1000 * THINKS - 600)
    assert p.actions[1:] == []
    p.advance(500)
    assert p.actions[1:] == [RED_TO_46]
    assert len(red.asked) == 1


def test_what_it_is_told_is_public_and_whole() -> None:
    p, red = red_played(RED_TO_46)
    p.advance(500)
    (game,), (position,) = red.told, red.asked
    assert (game.role, game.pawns, game.level, game.owners) == ("detectives", ("red",), "hard", p.public.owners)
    assert position.private is None
    assert position.history.now == p.public
    assert list(position.history.events) == list(p.public.log)


def test_mister_xs_player_alone_is_given_his_view() -> None:
    him = Scripted([[MrXMove(Secret(184), "taxi")]])
    p = seated({"mr_x": "hard"}, Makers({"hard": lambda: him}))
    done_by_computer(p)
    assert him.told[0].role == MR_X
    assert him.asked[0].private is not None
    assert him.asked[0].private.at.value == 197
    assert p.actions == [MrXMove(Secret(184), "taxi")]


def test_a_double_move_is_made_one_half_after_the_other() -> None:
    answer = [Double(), MrXMove(Secret(184), "taxi"), MrXMove(Secret(197), "black")]
    him = Scripted([answer])
    p = seated({"mr_x": "hard"}, Makers({"hard": lambda: him}))
    times = []
    for _ in answer:
        done_by_computer(p)
        times.append(p.hardware.clock.now())
    assert p.actions == answer
    assert len(him.asked) == 1
    assert all(0.9 < later - earlier < 1.2 for earlier, later in pairwise(times))


def test_a_table_without_real_time_waits_until_a_thinking_player_has_answered() -> None:
    class Thinking(HeuristicPlayer):
        looks = 0

        def answer(self) -> tuple[Action, ...] | None:
            self.looks += 1
            return super().answer() if self.looks == 3 else None

    makers = Makers({"hard": Thinking})
    p = SimulatedTable(players=makers)
    p.new_game(detectives=3, start={"mr_x": 197, "red": 74, "yellow": 13, "green": 26}, seats={"mr_x": "hard"})
    p.set_up()
    assert isinstance(done_by_computer(p), MrXMove)
    assert [level for level, _ in makers.made] == ["hard"]


def test_it_waits_until_the_board_is_right() -> None:
    p, red = red_played(RED_TO_46)
    p.hardware.pick_up("yellow")
    p.advance(1000 * THINKS + 2000)
    assert p.actions[1:] == []
    put(p, 13, "yellow", 200)
    assert p.actions[1:] == []
    done_by_computer(p)
    assert len(red.asked) == 1


def test_it_waits_while_the_game_is_paused() -> None:
    p, _ = red_played(RED_TO_46)
    p.advance(600)
    fault(p, "switches", "unplug", 1000 * THINKS + 2000)
    assert p.actions[1:] == []
    fault(p, "switches", "replug", 1500)
    assert p.actions[1:] == [RED_TO_46]


def test_a_built_in_player_is_a_process_and_takes_the_time_of_its_level() -> None:
    maker = ProcessMaker(simulator())
    for level in PACES:
        assert maker.pace(PlayerName("", level)) == PACES[level]
        player = maker.make(PlayerName("", level))
        assert isinstance(player, PlayerProcess)
        player.close()


# ---- its pawn on the board ----


def test_its_pawn_is_guided_to_where_it_goes() -> None:
    p, _ = red_played(RED_TO_46)
    done_by_computer(p)
    scene = p.table.scene()
    assert scene.phase is Phase.CARRY_OUT
    assert text(p) == "Red (computer) goes to 46 by underground: move it"
    assert scene.reading == Mismatch({"red": 46}, frozenset({74}))
    assert {46, 74} <= plan(scene).stations.keys()
    p.hardware.pick_up("red")
    p.advance(300)
    assert text(p) == "Red (computer) goes to 46 by underground: move it"
    put(p, 46, "red", 900)
    assert p.table.scene().phase is Phase.PLAY
    assert text(p) == "Yellow moves"


def test_nobody_else_moves_before_it_stands_there() -> None:
    p, _ = red_played(RED_TO_46)
    done_by_computer(p)
    carry(p, "yellow", 23, 3000)
    assert p.actions[1:] == [RED_TO_46]
    carry(p, "red", 46)
    assert p.table.scene().phase is Phase.CARRY_OUT
    assert text(p) == "Put Yellow on 13. Clear 23"
    carry(p, "yellow", 13)
    assert text(p) == "Yellow moves"
    walk(p, "yellow", 23)
    assert p.actions[1:] == [RED_TO_46, PawnMove("yellow", 23, "taxi")]


def test_a_pawn_of_its_that_hands_move_on_their_own_is_put_back() -> None:
    p, _ = red_played(RED_TO_46)
    carry(p, "red", 46, 3000)
    assert p.actions[1:] == []
    assert text(p) == "Put Red on 74. Clear 46"
    carry(p, "red", 74)
    assert p.actions[1:] == [RED_TO_46]


def test_its_move_is_not_taken_back_by_hand() -> None:
    p, _ = red_played(RED_TO_46)
    done_by_computer(p)
    carry_out(p)
    carry(p, "red", 74, 3000)
    assert p.actions[1:] == [RED_TO_46]
    assert text(p) == "Put Red on 46. Clear 74"


def test_a_persons_move_is_taken_back_as_long_as_no_computer_has_moved() -> None:
    p = seated({"2": "hard"})
    go(p, 184)
    walk(p, "red", 46)
    carry(p, "red", 74, 1200)
    assert p.actions[1:] == []
    assert text(p) == "Red moves"


def test_a_switch_that_is_dead_where_it_goes_is_ignored_by_key() -> None:
    p, _ = red_played(RED_TO_46)
    p.hardware.fault("switch:46", "stuck_open")
    done_by_computer(p)
    carry(p, "red", 46, 5000)
    assert text(p) == "Put Red on 46. Does Red stand on 46? CONFIRM: its switch is broken"
    confirm(p)
    p.advance(900)
    assert text(p) == "The switch of 46 is broken: input 45. Yellow moves"


def test_where_its_switch_is_ignored_already_a_key_tells_that_it_has_come() -> None:
    p, _ = red_played(RED_TO_46)
    p.hardware.fault("switch:46", "stuck_closed")
    p.advance(5500)
    confirm(p)
    assert 46 in p.table.scene().ignored
    if len(p.actions) == 1:
        done_by_computer(p, 6000)
    p.hardware.pick_up("red")
    p.advance(500)
    assert text(p) == "Red (computer) goes to 46 by underground: move it. Done? CONFIRM"
    press(p, CONFIRM, 900)
    assert p.table.scene().phase is Phase.PLAY


def test_a_level_that_searches_goes_on_as_the_next_below_where_the_extra_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    makers = Makers({"hard": Scripted, "skilled": Scripted})
    p = seated({"1": "hard"}, makers, journal=str(tmp_path / "journal.sqlite"))
    monkeypatch.setattr(levels, "can_search", lambda: False)
    p.restart()
    p.advance(300)
    assert p.table.scene().seats == {"1": "skilled"}
    assert [level for level, _ in makers.made] == ["hard", "skilled"]


def test_a_power_cut_while_its_pawn_is_to_be_moved(tmp_path: Path) -> None:
    red = Scripted([[RED_TO_46]])
    p = seated({"1": "hard"}, Makers({"hard": lambda: red}), journal=str(tmp_path / "journal.sqlite"))
    go(p, 184)
    done_by_computer(p)
    p.restart()
    p.advance(300)
    assert text(p) == "Going on: Put Red on 46. Clear 74"
    assert p.table.scene().seats == {"1": "hard"}
    carry(p, "red", 46)
    assert text(p) == "Yellow moves"


def test_a_power_cut_while_it_thinks_has_it_think_again_about_the_same(tmp_path: Path) -> None:
    players = [Scripted(), Scripted([[RED_TO_46]])]
    waiting = list(players)
    p = seated({"1": "hard"}, Makers({"hard": lambda: waiting.pop(0)}), journal=str(tmp_path / "journal.sqlite"))
    go(p, 184)
    p.advance(1000)
    p.restart()
    assert done_by_computer(p, 6000) == RED_TO_46
    assert players[0].asked[0].history.events == players[1].asked[0].history.events


# ---- Mister X is a computer ----


def test_nobody_sees_what_a_computer_mister_x_sees() -> None:
    p = seated({"mr_x": "hard"})
    p.advance(500)
    assert p.table.referee.private is None
    with pytest.raises(NoGame, match="a computer plays Mister X"):
        _ = p.private
    with pytest.raises(NotNow, match="played by a computer"):
        p.do(Choose(MrXMove(Secret(184), "taxi")))
    p.hardware.press("handset.up")
    p.advance(100)
    assert p.handset_lines()[:2] == ["New game", "Give up this game?"]
    p.hardware.press("handset.back")
    p.advance(100)
    assert p.handset_lines() == ["Mister X", "A computer plays him"]


def test_a_lost_handset_does_not_pause_a_game_against_a_computer() -> None:
    p = seated({"mr_x": "hard"})
    fault(p, "handset", "unplug", 0)
    fault(p, "keys", "unplug", 100)
    assert isinstance(done_by_computer(p, 6000), MrXMove)


def test_at_the_end_all_is_open_to_all() -> None:
    him = Scripted([[MrXMove(Secret(184), "taxi")]])
    p = seated({"mr_x": "hard"}, Makers({"hard": lambda: him}), red=185, yellow=13, green=26)
    done_by_computer(p)
    walk(p, "red", 184)
    assert p.public.outcome is not None
    assert p.private.at.value == 184
    assert him.ended == [("detectives", "captured")]


# ---- chance, and free order ----


def test_the_table_rolls_for_a_computer() -> None:
    p = SimulatedTable(players=Makers(), patient=False)
    p.new_game("dice", players=2, seats={"detectives": "hard", "mr_x": "hard"}, seed=5)
    p.set_up()
    for _ in range(8):
        done_by_computer(p, 8000)
        if p.table.scene().phase is Phase.CARRY_OUT:
            carry_out(p)
        if any(isinstance(action, Roll) for action in p.actions):
            break
    assert any(isinstance(action, Roll) for action in p.actions)


def test_dice_that_are_rolled_by_hand_are_entered_for_a_computer_too() -> None:
    p = SimulatedTable(players=Makers(), patient=False)
    p.new_game("dice", players=2, seats={"detectives": "hard", "mr_x": "hard"}, options={"dice": "entered"}, seed=5)
    p.set_up()
    while p.public.to_roll is None:
        done_by_computer(p, 8000)
        if p.table.scene().phase is Phase.CARRY_OUT:
            carry_out(p)
    p.advance(8000)
    assert ask_kind(p) is Kind.ENTER
    assert p.public.to_roll is not None
    for _ in range(p.public.to_roll.count):
        press(p, "table.taxi")
    confirm(p)
    assert isinstance(p.actions[-1], Roll)


def test_be_02_where_people_may_move_as_well_they_go_first() -> None:
    p = SimulatedTable(players=Makers(), patient=False)
    p.new_game("beginners", players=4, seats={"1": "hard"}, start={"red": 46, "yellow": 124, "green": 41})
    p.set_up()
    go(p, 67, "free")
    p.advance(6000)
    assert len(p.actions) == 1
    assert text(p).startswith("Yellow or Green moves")
    carry(p, "red", 34, 2000)
    assert text(p).startswith("Put Red on 46")
