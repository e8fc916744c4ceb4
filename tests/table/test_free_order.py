"""Free order: several pawns may move, one after another or at once (PB-02, US-01, BE-02, JU-05)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware_host.referee.readings import Ambiguous, InHand, Moved, Settled
from firmware_host.referee.scene import Kind, Phase
from firmware_host.rules.actions import MR_X, Action, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from firmware_host.table.commands import Choose
from firmware_host.ui.lamp_plan import PALETTES, Colour, plan
from tests.amount import amount
from tests.table.any_table import answer, carried, done, key, lift, table
from tests.table.played_table import asks, confirm, put, text

B_START = {"red": 46, "yellow": 124, "green": 41}
US_START = {"purple": 26, "yellow": 29, "red": 34, "green": 50, "blue": 53}
TAXI, FREE = "taxi", "free"


def beginners(to: int = 81, journal: Path | str = IN_MEMORY, **start: int) -> SimulatedTable:
    """A beginners' table, Mister X's pawn left out: he has moved to a station and all detectives may move."""
    p = table("beginners", players=4, start={MR_X: 82, **(start or B_START)}, journal=journal)
    p.set_up()
    p.do(Choose(MrXMove(Secret(to), FREE)))
    p.advance(100)
    return p


def us(players: int = 4, **start: int) -> SimulatedTable:
    """A table of the American edition: Mister X, far off and hidden, has moved."""
    p = table("us", players=players, start={MR_X: 197, **(start or US_START)})
    p.set_up()
    p.do(Choose(MrXMove(Secret(184), TAXI)))
    p.advance(100)
    return p


def at_once(p: SimulatedTable, *moves: PawnMove, ms: float = 1500) -> None:
    """Pawns are taken into hands together, and then set down one after the other."""
    lift(p, *(move.pawn for move in moves))
    p.advance(500)
    for move in moves:
        put(p, move.to, move.pawn, 150)
    p.advance(ms)


def free(pawn: str, to: int) -> PawnMove:
    return PawnMove(pawn, to, FREE)


def shades(p: SimulatedTable, station: int) -> set[Colour]:
    """The colours between which a station's lamp changes."""
    return set(plan(p.table.scene()).stations[station].colours)


def pawn_moves(p: SimulatedTable) -> list[Action]:
    return [action for action in done(p) if isinstance(action, PawnMove)]


# ---- any pawn that has not moved ----


@pytest.mark.parametrize("order", [("red", "yellow", "green"), ("green", "red", "yellow"), ("yellow", "green", "red")])
def test_pb_02_be_02_the_detectives_move_in_any_order(order: Sequence[str]) -> None:
    p = beginners()
    goals = {"red": 34, "yellow": 111, "green": 54}
    for n, pawn in enumerate(order):
        assert set(p.public.turn) == set(order[n:])
        carried(p, pawn, goals[pawn])
    assert pawn_moves(p) == [free(pawn, goals[pawn]) for pawn in order]
    assert p.public.turn == (MR_X,)


def test_pb_02_be_02_a_pawn_that_has_moved_is_not_taken_for_another_that_could_have_come_there() -> None:
    p = beginners(red=46, yellow=61, green=142)
    carried(p, "red", 78)
    carried(p, "green", 143)
    lift(p, "red")
    p.advance(400)
    put(p, 79, "red", 10_000)  # yellow could go there, but stands where it did
    assert p.public.pawns["yellow"] == 61
    assert len(pawn_moves(p)) == 2
    assert text(p).startswith("Put Red on 78. Clear 79")


def test_us_01_players_follow_each_other_but_the_pawns_of_one_go_in_any_order() -> None:
    p = us(3)
    assert p.public.turn == ("purple", "yellow", "blue")
    carried(p, "red", 48, 2000)
    assert pawn_moves(p) == []
    carried(p, "red", 34)
    carried(p, "blue", 69)
    assert pawn_moves(p) == [PawnMove("blue", 69, TAXI)]


# ---- two at once ----


def test_two_pawns_at_once_which_two_ways_explain_are_asked_for_by_colour_and_key() -> None:
    p = beginners(red=8, yellow=9, green=142)
    at_once(p, free("red", 1), free("yellow", 19), ms=5000)
    assert pawn_moves(p) == []
    assert isinstance(p.table.scene().reading, Ambiguous)
    assert asks(p) == (Kind.WENT, "red", 19, "confirm", "back")
    assert PALETTES["standard"]["red"] in shades(p, 19)
    key(p, "back")
    assert asks(p) == (Kind.WENT, "yellow", 19, "confirm", "back")
    assert PALETTES["standard"]["red"] not in shades(p, 19)
    p.advance(20_000)  # there is no hurry
    confirm(p)
    p.advance(300)
    assert pawn_moves(p) == [free("yellow", 19), free("red", 1)]
    assert isinstance(p.table.scene().reading, Settled)


def test_one_of_two_pawns_in_hand_set_down_leaves_the_other_in_hand() -> None:
    p = beginners()
    lift(p, "red", "yellow")
    p.advance(1500)
    assert p.table.scene().reading == InHand(("red", "yellow"))
    assert text(p).startswith("Red or Yellow: to a lit station")
    put(p, 34, "red", 1500)
    assert pawn_moves(p) == [free("red", 34)]
    assert p.table.scene().reading == InHand(("yellow",))
    put(p, 124, "yellow", 1500)
    assert pawn_moves(p) == [free("red", 34)]
    assert p.public.turn == ("yellow", "green")


# ---- three at once ----


def test_of_three_pawns_at_once_what_all_ways_agree_on_is_accepted_and_only_the_rest_is_asked_for() -> None:
    p = us(3, purple=8, yellow=9, blue=43, red=141, green=199)
    assert p.public.turn == ("purple", "yellow", "blue")
    meant = [PawnMove("purple", 19, TAXI), PawnMove("yellow", 1, TAXI), PawnMove("blue", 18, TAXI)]
    at_once(p, *meant, ms=4000)
    assert pawn_moves(p) == [PawnMove("blue", 18, TAXI)]
    assert asks(p) == (Kind.WENT, "purple", 19, "confirm", "back")
    answer(p, meant[:2])
    assert sorted(pawn_moves(p)[1:], key=str) == meant[:2]


# ---- whatever is moved at once ----


def _crowd(p: SimulatedTable, pawns: Sequence[str], chance: random.Random) -> dict[str, int]:
    """Stations for pawns close to each other, so that several explain much of what is felt."""
    network = p.config.network
    near = {chance.choice([n for n in sorted(network.stations) if n not in (197, 184, 82)])}
    while len(near) < 12:
        near |= {to for n in sorted(near) for to in network.around(n) if to not in (197, 184, 82)}
    return dict(zip(pawns, chance.sample(sorted(near), len(pawns)), strict=True))


def _together(p: SimulatedTable, chance: random.Random, count: int) -> list[PawnMove]:
    """Legal moves of different pawns to different free stations, and not onto Mister X."""
    taken = {*p.public.pawns.values(), p.private.at.value}
    moves = [move for move in p.public.moves if move.to not in taken]
    chosen: list[PawnMove] = []
    ways = {(move.pawn, move.to) for move in moves}
    cross = [m for m in moves if any((o.pawn, m.to) in ways and (m.pawn, o.to) in ways and o.pawn != m.pawn
                                     and o.to != m.to for o in moves)]  # fmt: skip
    if cross and chance.random() < 0.7:
        moves = cross
    for move in chance.sample(moves, len(moves)):
        if all(move.pawn != other.pawn and move.to != other.to for other in chosen) and len(chosen) < count:
            chosen.append(move)
    return chosen


CASES = [("us", 3), ("us", 4), ("us", 5), ("beginners", 4), ("beginners", 5)]


@pytest.mark.parametrize(("rules", "players"), CASES)
def test_pb_02_whatever_is_moved_at_once_nothing_is_accepted_that_was_not_done(rules: str, players: int) -> None:
    chance = random.Random(f"{rules}{players}")
    p = table(rules, players=players, seed=players)
    asked = tried = 0
    for _ in range(amount(14, 24)):
        start = _crowd(p, p.public.order, chance)
        p.new_game(players=players, start={MR_X: 197 if rules == "us" else 82, **start})
        p.set_up()
        moves = [c for c in p.private.choices.value if isinstance(c, MrXMove) and c.to.value not in start.values()]
        p.do(Choose(chance.choice(moves)))
        p.advance(1000)
        meant = _together(p, chance, chance.choice([2, 2, 3]))
        if len(meant) < 2:
            continue
        tried += 1
        at_once(p, *chance.sample(meant, len(meant)), ms=chance.choice([800, 6000]))
        left = [move for move in meant if move not in done(p)]
        asked += bool(left)
        assert set(pawn_moves(p)) <= set(meant), (start, meant, done(p))
        answer(p, left)
        assert sorted(pawn_moves(p), key=str) == sorted(meant, key=str)
        assert isinstance(p.table.scene().reading, Settled | Moved), (start, meant, text(p))
    assert tried >= amount(6, 10)
    assert asked >= amount(1, 3)


# ---- a power cut in the middle ----


def test_a_power_cut_in_the_middle_of_the_detectives_part_forgets_nobodys_move(tmp_path: Path) -> None:
    p = beginners(journal=tmp_path / "journal.sqlite")
    carried(p, "yellow", 111)
    p.restart()
    assert p.table.scene().phase is Phase.RESUME
    p.advance(1500)
    assert p.table.scene().phase is Phase.PLAY
    assert set(p.public.turn) == {"red", "green"}
    carried(p, "green", 54)
    carried(p, "red", 34)
    assert pawn_moves(p) == [free("yellow", 111), free("green", 54), free("red", 34)]
    p.close()


def test_a_power_cut_with_two_pawns_in_hands_brings_the_pawns_back_first(tmp_path: Path) -> None:
    p = beginners(journal=tmp_path / "journal.sqlite")
    carried(p, "yellow", 111)
    lift(p, "red", "green")
    p.restart()
    p.advance(1500)
    assert p.table.scene().phase is Phase.RESUME
    assert text(p).startswith("Going on: Put Red on 46 and Green on 41"), text(p)
    for pawn, home in (("red", 46), ("green", 41)):
        carried(p, pawn, home)
    assert p.table.scene().phase is Phase.PLAY
    assert pawn_moves(p) == [free("yellow", 111)]
    carried(p, "red", 34)
    assert p.public.turn == ("green",)
    p.close()
