"""What happens at a table, told step by step: each story yields the table wherever something is to be read on it."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.loader import parse
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, START, Commit, Double, MrXMove, PawnMove, RollAgain
from firmware_host.rules.secret import Secret
from firmware_host.simulator import SimulatedTable
from tests.docs.evenings import dice, hand_over, junior, mind_mr_x, pick, press, roll, walk


def sitting(mr_x: int, rules: str = "classic", **start: int) -> SimulatedTable:
    """A table at which the pawns stand and Mister X is to move."""
    table = SimulatedTable()
    table.new_game(rules, detectives=len(start), start={MR_X: mr_x, **start})
    table.set_up()
    return table


# ---- the classic game ------------------------------------------------------------------------------------------------


def set_up_by_light() -> Iterator[SimulatedTable]:
    table = SimulatedTable()
    table.new_game(start={MR_X: 45, "red": 74, "yellow": 117, "green": 138, "blue": 26})
    table.advance(100)
    yield table
    table.set_up()
    yield table


def an_ordinary_round() -> Iterator[SimulatedTable]:
    table = sitting(45, red=74, yellow=117, green=138)
    yield table
    table.choose(Double())
    yield table
    for _ in range(2):
        table.choose(MrXMove(Secret(32 if table.private.at.value == 45 else 45), "taxi"))
    yield table
    hand_over(table, 74, 58, "red")
    yield table
    press(table, "table.bus")
    hand_over(table, 117, 1, "yellow", ms=1500)
    yield table
    table.advance(4000)
    yield table
    hand_over(table, 1, 116, "yellow")
    table.table.fault("switch:100", "stuck_closed")
    table.advance(5000)
    yield table
    press(table, "table.confirm", ms=1000)
    yield table
    table.table.fault("switch:58", "stuck_open")
    table.advance(5000)
    press(table, "table.confirm", ms=1000)
    yield table


def seen_on_46() -> SimulatedTable:
    """A table at which Mister X was seen on 46, where his pawn still stands, and has moved on; Red on 74 is to move."""
    table = sitting(45, red=58, yellow=13, green=26)
    for to, steps in ((46, (74, 23, 15)), (45, (58, 13, 26)), (46, (74, 23, 15))):
        table.choose(MrXMove(Secret(to), "taxi"))
        mind_mr_x(table)
        for pawn, step in zip(table.public.order, steps, strict=True):
            walk(table, PawnMove(pawn, step, "taxi"))
    table.choose(MrXMove(Secret(45), "taxi"))
    return table


def his_pawn_to_be_taken_off() -> Iterator[SimulatedTable]:
    table = seen_on_46()
    table.advance(100)
    yield table
    table.table.fault("switch:46", "stuck_closed")
    mind_mr_x(table)
    table.advance(5000)
    yield table


def his_pawn_in_the_way() -> Iterator[SimulatedTable]:
    table = seen_on_46()
    table.table.lift(46, MR_X)
    table.table.put(75, MR_X)
    table.advance(1500)
    yield table
    press(table, "table.back")  # nobody has gone there
    table.table.lift(74, "red")
    table.advance(1000)
    for _ in range(3):
        yield table
        press(table, "table.back")


def a_capture_beside_his_pawn() -> Iterator[SimulatedTable]:
    table = sitting(45, red=74, yellow=13, green=26)
    for to, steps in ((46, (75, 23, 15)), (45, (74, 13, 26)), (46, ())):
        table.choose(MrXMove(Secret(to), "taxi"))
        for pawn, step in zip(table.public.order, steps, strict=False):
            walk(table, PawnMove(pawn, step, "taxi"))
    table.advance(100)
    yield table
    mind_mr_x(table)
    hand_over(table, 74, 46, "red")
    yield table
    press(table, "table.confirm")
    yield table


def trouble() -> Iterator[SimulatedTable]:
    table = sitting(45, red=74, yellow=13, green=26)
    for device in ("switches", "handset", "keys"):
        table.table.fault(device, "unplug")
        table.advance(2000)
        yield table
        table.table.fault(device, "replug")
        table.advance(1500)
    table.choose(MrXMove(Secret(58), "taxi"))
    table.table.fault("switch:75", "stuck_open")
    hand_over(table, 74, 75, "red")
    yield table
    table.advance(5000)
    yield table
    press(table, "table.back")
    yield table
    press(table, "table.confirm")
    yield table
    for _ in range(20):
        press(table, "table.back")
        yield table
        if [move.to for move in table.daemon.scene().asked[:1]] == [75]:
            break
    press(table, "table.confirm")
    table.table.lift(75, "red")
    table.restart()
    table.advance(100)
    yield table


def a_switch_left_behind() -> Iterator[SimulatedTable]:
    table = sitting(45, red=74, yellow=13, green=26)
    table.choose(MrXMove(Secret(58), "taxi"))
    table.table.fault("switch:74", "stuck_closed")
    hand_over(table, 74, 75, "red", ms=2000)
    yield table


def a_move_that_nobody_made() -> Iterator[SimulatedTable]:
    table = sitting(45, red=74, yellow=13, green=26)
    table.choose(MrXMove(Secret(58), "taxi"))
    hand_over(table, 74, 75, "red", ms=2000)
    press(table, "table.back", ms=500)
    yield table


def passed_over() -> Iterator[SimulatedTable]:
    table = sitting(45, red=11, yellow=9, green=138, blue=2)
    table.choose(MrXMove(Secret(46), "taxi"))
    for pawn, step in (("red", 10), ("yellow", 20), ("green", 150)):
        walk(table, PawnMove(pawn, step, "taxi"))
    yield table


def a_covered_screen() -> Iterator[SimulatedTable]:
    table = SimulatedTable(parse('[handset]\nprivacy = "hold"\n', "docs"))
    table.new_game()
    table.advance(100)
    yield table


# ---- several pawns at once -------------------------------------------------------------------------------------------


def pawns_in_free_order() -> Iterator[SimulatedTable]:
    table = sitting(82, "beginners", red=46, yellow=124, green=41)
    table.table.put(82, MR_X)
    table.advance(1000)
    yield table
    hand_over(table, 82, 65, MR_X)  # in the open
    yield table
    table.table.lift(46, "red")
    table.table.lift(41, "green")
    table.advance(400)
    yield table
    table.table.put(15, "green")
    table.advance(900)
    yield table
    hand_over(table, None, 58, "red")
    yield table


def which_of_two() -> Iterator[SimulatedTable]:
    table = sitting(82, "beginners", red=46, yellow=124, green=74)
    table.choose(MrXMove(Secret(65), "free"))
    table.table.lift(46, "red")
    table.table.lift(74, "green")
    table.advance(400)
    hand_over(table, None, 58, "green")
    yield table
    press(table, "table.back")
    yield table


# ---- the beginners' game ---------------------------------------------------------------------------------------------


def in_sight_and_hidden() -> Iterator[SimulatedTable]:
    table = SimulatedTable()
    table.new_game("beginners", players=4, start={"red": 46, "yellow": 124, "green": 41})
    table.advance(100)
    yield table
    table.set_up()
    mind_mr_x(table)
    for to, steps in ((65, (34, 111, 52)), (66, (46, 124, 41)), (49, ())):
        yield table
        table.choose(MrXMove(Secret(to), "free"))
        if to != 49:
            mind_mr_x(table)
        for pawn, step in zip(table.public.order, steps, strict=False):
            walk(table, PawnMove(pawn, step, "free"))
    table.advance(100)
    yield table
    mind_mr_x(table)
    for pawn, step in zip(table.public.order, (34, 111, 52), strict=True):
        walk(table, PawnMove(pawn, step, "free"))
    yield table


# ---- the dice game ---------------------------------------------------------------------------------------------------


def tiles_and_starts() -> Iterator[SimulatedTable]:
    table = SimulatedTable()
    table.new_game("dice", players=4, options={"layout": "BCG HIF AED"})
    table.advance(100)
    yield table
    press(table, "table.confirm", ms=600)
    yield table
    for pawn, place in (("red", 23), ("yellow", 12), ("green", 13)):
        walk(table, PawnMove(pawn, place, START))
    yield table
    table.choose(MrXMove(Secret(22), START))
    table.advance(100)
    yield table
    press(table, "table.confirm")
    yield table


def light_sides() -> Iterator[SimulatedTable]:
    table = SimulatedTable()
    table.new_game("dice", players=2, options={"layout": "BCG aFd", "experts": True})
    table.advance(100)
    yield table


def dice_by_hand() -> Iterator[SimulatedTable]:
    table = dice(till="roll x underground")
    yield table
    press(table, "table.taxi", "table.bus")
    yield table
    press(table, "table.confirm", "table.underground")
    yield table
    press(table, "table.confirm")
    yield table


def no_die_fits() -> Iterator[SimulatedTable]:
    table = dice(till="mr_x 7")
    yield table
    table.choose(MrXMove(Secret(7), "helicopter"))
    roll(table, "x x x x")
    yield table
    press(table, "table.back")
    assert RollAgain() in table.daemon.game.actions
    yield table


# ---- the junior game -------------------------------------------------------------------------------------------------


def a_junior_round() -> Iterator[SimulatedTable]:
    table = SimulatedTable()
    table.new_game("junior", players=4)
    table.advance(100)
    yield table
    table.set_up()
    mind_mr_x(table)
    yield table
    table.choose(Commit(MR_X, Secret("taxi")))
    yield table
    table.choose(Commit(MR_X_JUNIOR, Secret("boat")))
    yield table
    hand_over(table, 1, 2, "white")
    yield table
    press(table, "table.confirm")
    yield table
    press(table, "table.confirm")
    yield table


def a_shared_station() -> Iterator[SimulatedTable]:
    table = junior()
    pick(table, "taxi", "taxi")
    hand_over(table, 7, 11, "yellow")
    hand_over(table, 10, 11, "white")
    yield table
    press(table, "table.confirm")
    yield table


# ---- a new game ------------------------------------------------------------------------------------------------------


def giving_up() -> Iterator[SimulatedTable]:
    table = sitting(45, red=74, yellow=117, green=138)
    press(table, "handset.up", "handset.select")
    yield table
    press(table, "handset.down", "handset.select")
    yield table
    press(table, "handset.down", "handset.select")
    yield table
    press(table, "handset.down", "handset.select")
    yield table
    press(table, "handset.select")
    yield table


def tiles_of_ones_own() -> Iterator[SimulatedTable]:
    table = SimulatedTable()
    table.new_game("dice")
    press(table, "handset.up", "handset.select", *["handset.down", "handset.select"] * 2)
    yield table
    press(table, "handset.select")
    yield table
    press(table, "handset.up", "handset.select")
    yield table


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
)
