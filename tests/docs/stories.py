"""Stories of events at a table: each yields the table wherever its prompt is to be read."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.loader import parse
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, START, Commit, Double, MrXMove, PawnMove, RollAgain
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from tests.docs.evenings import dice, hand_over, junior, mind_mr_x, pick, press, roll, walk
from tests.table.computers import Makers, Scripted, done_by_computer


def sitting(mr_x: int, rules: str = "classic", **start: int) -> SimulatedTable:
    """Return a table with its pawns set up, at which Mister X has to move."""
    simulated = SimulatedTable()
    simulated.new_game(rules, detectives=len(start), start={MR_X: mr_x, **start})
    simulated.set_up()
    return simulated


# ---- the classic game ------------------------------------------------------------------------------------------------


def set_up_by_light() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable()
    simulated.new_game(start={MR_X: 45, "red": 74, "yellow": 117, "green": 138, "blue": 26})
    simulated.advance(100)
    yield simulated
    simulated.set_up()
    yield simulated


def an_ordinary_round() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=74, yellow=117, green=138)
    yield simulated
    simulated.choose(Double())
    yield simulated
    for _ in range(2):
        simulated.choose(MrXMove(Secret(32 if simulated.private.at.value == 45 else 45), "taxi"))
    yield simulated
    hand_over(simulated, 74, 58, "red")
    yield simulated
    press(simulated, "table.back")
    yield simulated
    simulated.advance(4000)
    yield simulated
    hand_over(simulated, 58, 58, "red")
    press(simulated, "table.bus")
    hand_over(simulated, 117, 1, "yellow", ms=1500)
    yield simulated
    simulated.advance(4000)
    yield simulated
    hand_over(simulated, 1, 116, "yellow")
    simulated.hardware.fault("switch:100", "stuck_closed")
    simulated.advance(5000)
    yield simulated
    press(simulated, "table.confirm", ms=1000)
    yield simulated
    simulated.hardware.fault("switch:58", "stuck_open")
    simulated.advance(5000)
    press(simulated, "table.confirm", ms=1000)
    yield simulated


def seen_on_46() -> SimulatedTable:
    """Return a table where Mister X was seen on 46, his pawn is still there, and he has moved on; Red on 74 moves."""
    simulated = sitting(45, red=58, yellow=13, green=26)
    for to, steps in ((46, (74, 23, 15)), (45, (58, 13, 26)), (46, (74, 23, 15))):
        simulated.choose(MrXMove(Secret(to), "taxi"))
        mind_mr_x(simulated)
        for pawn, step in zip(simulated.public.order, steps, strict=True):
            walk(simulated, PawnMove(pawn, step, "taxi"))
    simulated.choose(MrXMove(Secret(45), "taxi"))
    return simulated


def his_pawn_to_be_taken_off() -> Iterator[SimulatedTable]:
    simulated = seen_on_46()
    simulated.advance(100)
    yield simulated
    simulated.hardware.fault("switch:46", "stuck_closed")
    mind_mr_x(simulated)
    simulated.advance(5000)
    yield simulated


def his_pawn_in_the_way() -> Iterator[SimulatedTable]:
    simulated = seen_on_46()
    simulated.hardware.lift(46, MR_X)
    simulated.hardware.put(75, MR_X)
    simulated.advance(1500)
    yield simulated
    press(simulated, "table.back")  # nobody has gone there
    simulated.hardware.lift(74, "red")
    simulated.advance(1000)
    while simulated.table.scene().asked:
        yield simulated
        press(simulated, "table.back")
    simulated.advance(4000)
    press(simulated, "table.confirm")
    yield simulated


def a_capture_beside_his_pawn() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=74, yellow=13, green=26)
    for to, steps in ((46, (75, 23, 15)), (45, (74, 13, 26)), (46, ())):
        simulated.choose(MrXMove(Secret(to), "taxi"))
        for pawn, step in zip(simulated.public.order, steps, strict=False):
            walk(simulated, PawnMove(pawn, step, "taxi"))
    simulated.advance(100)
    yield simulated
    mind_mr_x(simulated)
    hand_over(simulated, 74, 46, "red")
    yield simulated
    press(simulated, "table.confirm")
    yield simulated


def trouble() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=74, yellow=13, green=26)
    for device in ("switches", "handset", "keys"):
        simulated.hardware.fault(device, "unplug")
        simulated.advance(2000)
        yield simulated
        simulated.hardware.fault(device, "replug")
        simulated.advance(1500)
    simulated.choose(MrXMove(Secret(58), "taxi"))
    simulated.hardware.fault("switch:75", "stuck_open")
    hand_over(simulated, 74, 75, "red")
    yield simulated
    simulated.advance(5000)
    yield simulated
    press(simulated, "table.back")
    yield simulated
    press(simulated, "table.confirm")
    yield simulated
    for _ in range(20):
        press(simulated, "table.back")
        yield simulated
        if [move.to for move in simulated.table.scene().asked[:1]] == [75]:
            break
    press(simulated, "table.confirm")
    simulated.hardware.lift(75, "red")
    simulated.restart()
    simulated.advance(100)
    yield simulated


def a_switch_left_behind() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=74, yellow=13, green=26)
    simulated.choose(MrXMove(Secret(58), "taxi"))
    simulated.hardware.fault("switch:74", "stuck_closed")
    hand_over(simulated, 74, 75, "red", ms=2000)
    yield simulated


def a_move_that_nobody_made() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=74, yellow=13, green=26)
    simulated.choose(MrXMove(Secret(58), "taxi"))
    hand_over(simulated, 74, 75, "red", ms=2000)
    press(simulated, "table.back", ms=500)
    yield simulated


def passed_over() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=11, yellow=9, green=138, blue=2)
    simulated.choose(MrXMove(Secret(46), "taxi"))
    for pawn, step in (("red", 10), ("yellow", 20), ("green", 150)):
        walk(simulated, PawnMove(pawn, step, "taxi"))
    yield simulated


def a_covered_screen() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable(parse('[handset]\nprivacy = "hold"\n', "docs"))
    simulated.new_game()
    simulated.advance(100)
    yield simulated


# ---- several pawns at once -------------------------------------------------------------------------------------------


def pawns_in_free_order() -> Iterator[SimulatedTable]:
    simulated = sitting(82, "beginners", red=46, yellow=124, green=41)
    simulated.hardware.put(82, MR_X)
    simulated.advance(1000)
    yield simulated
    hand_over(simulated, 82, 65, MR_X)  # in the open
    yield simulated
    simulated.hardware.lift(46, "red")
    simulated.hardware.lift(41, "green")
    simulated.advance(400)
    yield simulated
    simulated.hardware.put(15, "green")
    simulated.advance(900)
    yield simulated
    hand_over(simulated, None, 58, "red")
    yield simulated


def which_of_two() -> Iterator[SimulatedTable]:
    simulated = sitting(82, "beginners", red=46, yellow=124, green=74)
    simulated.choose(MrXMove(Secret(65), "free"))
    simulated.hardware.lift(46, "red")
    simulated.hardware.lift(74, "green")
    simulated.advance(400)
    hand_over(simulated, None, 58, "green")
    yield simulated
    press(simulated, "table.back")
    yield simulated


# ---- the beginners' game ---------------------------------------------------------------------------------------------


def in_sight_and_hidden() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable()
    simulated.new_game("beginners", players=4, start={"red": 46, "yellow": 124, "green": 41})
    simulated.advance(100)
    yield simulated
    simulated.set_up()
    mind_mr_x(simulated)
    for to, steps in ((65, (34, 111, 52)), (66, (46, 124, 41)), (49, ())):
        yield simulated
        simulated.choose(MrXMove(Secret(to), "free"))
        if to != 49:
            mind_mr_x(simulated)
        for pawn, step in zip(simulated.public.order, steps, strict=False):
            walk(simulated, PawnMove(pawn, step, "free"))
    simulated.advance(100)
    yield simulated
    mind_mr_x(simulated)
    for pawn, step in zip(simulated.public.order, (34, 111, 52), strict=True):
        walk(simulated, PawnMove(pawn, step, "free"))
    yield simulated


# ---- the dice game ---------------------------------------------------------------------------------------------------


def tiles_and_starts() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable()
    simulated.new_game("dice", players=4, options={"layout": "BCG HIF AED"})
    simulated.advance(500)
    yield simulated
    press(simulated, "table.confirm", ms=600)
    yield simulated
    for pawn, place in (("red", 23), ("yellow", 12), ("green", 13)):
        walk(simulated, PawnMove(pawn, place, START))
    yield simulated
    simulated.choose(MrXMove(Secret(22), START))
    simulated.advance(100)
    yield simulated
    press(simulated, "table.confirm")
    yield simulated


def light_sides() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable()
    simulated.new_game("dice", players=2, options={"layout": "BCG aFd", "experts": True})
    simulated.advance(100)
    yield simulated


def dice_by_hand() -> Iterator[SimulatedTable]:
    simulated = dice(till="roll x underground")
    yield simulated
    press(simulated, "table.taxi", "table.bus")
    yield simulated
    press(simulated, "table.confirm", "table.underground")
    yield simulated
    press(simulated, "table.confirm")
    yield simulated


def no_die_fits() -> Iterator[SimulatedTable]:
    simulated = dice(till="mr_x 7")
    yield simulated
    simulated.choose(MrXMove(Secret(7), "helicopter"))
    roll(simulated, "x x x x")
    yield simulated
    press(simulated, "table.back")
    assert RollAgain() in simulated.table.game.actions
    yield simulated


# ---- the junior game -------------------------------------------------------------------------------------------------


def a_junior_round() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable()
    simulated.new_game("junior", players=4)
    simulated.advance(100)
    yield simulated
    simulated.set_up()
    mind_mr_x(simulated)
    yield simulated
    simulated.choose(Commit(MR_X, Secret("taxi")))
    yield simulated
    simulated.choose(Commit(MR_X_JUNIOR, Secret("boat")))
    yield simulated
    hand_over(simulated, 1, 2, "white")
    yield simulated
    press(simulated, "table.confirm")
    yield simulated
    press(simulated, "table.confirm")
    yield simulated


def a_shared_station() -> Iterator[SimulatedTable]:
    simulated = junior()
    pick(simulated, "taxi", "taxi")
    hand_over(simulated, 7, 11, "yellow")
    hand_over(simulated, 10, 11, "white")
    yield simulated
    press(simulated, "table.confirm")
    yield simulated


# ---- a new game ------------------------------------------------------------------------------------------------------


def giving_up() -> Iterator[SimulatedTable]:
    simulated = sitting(45, red=74, yellow=117, green=138)
    press(simulated, "handset.up", "handset.select")
    yield simulated
    press(simulated, "handset.down", "handset.select")
    yield simulated
    press(simulated, "handset.down", "handset.select")
    yield simulated
    press(simulated, "handset.down", "handset.select")
    yield simulated
    press(simulated, "handset.select")
    yield simulated


def tiles_of_ones_own() -> Iterator[SimulatedTable]:
    simulated = SimulatedTable()
    simulated.new_game("dice")
    press(simulated, "handset.up", "handset.select", *["handset.down", "handset.select"] * 2)
    yield simulated
    press(simulated, "handset.select")
    yield simulated
    press(simulated, "handset.up", "handset.select")
    yield simulated


def against_computers() -> Iterator[SimulatedTable]:
    red = Scripted([[PawnMove("red", 67, "bus")]])
    simulated = SimulatedTable(players=Makers({"hard": lambda: red}), patient=False)
    start = {MR_X: 45, "red": 82, "yellow": 117, "green": 138}
    simulated.new_game(detectives=3, start=start, seats={"mr_x": "easy", "1": "hard"})
    simulated.set_up()
    yield simulated
    done_by_computer(simulated)
    simulated.advance(500)
    yield simulated
    done_by_computer(simulated)
    yield simulated


STORIES = (
    set_up_by_light,
    an_ordinary_round,
    his_pawn_to_be_taken_off,
    his_pawn_in_the_way,
    a_capture_beside_his_pawn,
    trouble,
    a_switch_left_behind,
    a_move_that_nobody_made,
    passed_over,
    a_covered_screen,
    pawns_in_free_order,
    which_of_two,
    in_sight_and_hidden,
    tiles_and_starts,
    light_sides,
    dice_by_hand,
    no_die_fits,
    a_junior_round,
    a_shared_station,
    giving_up,
    tiles_of_ones_own,
    against_computers,
)
