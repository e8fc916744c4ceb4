"""The dice game at the table: tiles are laid, starts chosen, dice rolled and entered (DI)."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.drawing import placard
from firmware_host.lights import PALETTES, plan
from firmware_host.parlour import IN_MEMORY, Parlour
from firmware_host.rules.actions import MR_X, START, STAY, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.rules.secret import Secret
from firmware_host.scene import InHand, Mismatch, Phase, Settled
from firmware_host.screens import display_lines
from firmware_host.sheet import SheetError, lay
from hardware.sim import SimTable
from hardware.sim.errors import SimError
from tests.table.house import confirm, text
from tests.table.parlours import box, carried, done, key, lift, table
from tests.views import LONDON, TILES, tiles

NINE, SIX = "ABC DEF GHI", "ACE BDF"
STARTS = {"red": 1, "yellow": 6, "green": 36}
TAXI_ONLY = {1, 4, 6, 7, 8, 9, 12, 13, 16, 17, 22, 23, 26, 27, 28, 29, 31, 33, 36}


def begun(layout: str = NINE, *, players: int = 4, journal: Path | str = IN_MEMORY, **options: str | bool) -> Parlour:
    """A table at which the tiles have yet to be laid."""
    return table("dice", players=players, options={"layout": layout, **options}, journal=journal)


def laid(layout: str = NINE, *, players: int = 4, **options: str | bool) -> Parlour:
    """A table at which the tiles lie, and the first start is to be chosen."""
    p = begun(layout, players=players, **options)
    p.advance(500)
    confirm(p)
    return p


def started(*, dice: str = "entered", mr_x: int = 22, journal: Path | str = IN_MEMORY) -> Parlour:
    """Everyone has a start, and red is to roll."""
    p = begun(dice=dice, journal=journal)
    p.advance(500)
    confirm(p)
    for pawn, station in STARTS.items():
        carried(p, pawn, station)
    p.choose(MrXMove(Secret(mr_x), START))
    assert p.public.round == 1
    return p


def enter(p: Parlour, *faces: str) -> None:
    """Faces are entered, and accepted."""
    key(p, *("confirm" if face == "x" else face for face in faces))
    confirm(p)


def rolls(p: Parlour) -> list[Roll]:
    return [action for action in done(p) if isinstance(action, Roll)]


# ---- tiles ----


def test_di_01_the_table_says_how_the_tiles_have_to_lie_and_confirm_goes_on() -> None:
    p = begun()
    p.advance(500)
    assert p.public.layout == NINE
    assert p.daemon.scene().phase is Phase.SET_UP
    assert text(p) == "Lay the tiles: A B C / D E F / G H I. CONFIRM"
    key(p, "taxi", "bus", "underground", "back")
    p.advance(60_000)
    assert p.daemon.scene().phase is Phase.SET_UP
    confirm(p)
    assert p.daemon.scene().phase is Phase.PLAY
    assert text(p) == "Red: choose a start and set the pawn there"


def test_di_01_nothing_moves_before_the_tiles_are_laid() -> None:
    p = begun()
    p.table.put(1, "red")
    p.advance(10_000)
    assert done(p) == []
    assert text(p).startswith("Lay the tiles: ")
    confirm(p)
    p.advance(1000)
    assert done(p) == [PawnMove("red", 1, START)]


def test_di_06_tiles_with_their_light_side_up_are_told_apart() -> None:
    p = begun("AbC DeF gHI", experts=True)
    p.advance(500)
    assert text(p) == "Lay the tiles: A b C / D e F / g H I. Small letters: light side up. CONFIRM"


@pytest.mark.parametrize(("players", "count"), [(2, 6), (3, 6), (4, 9)])
def test_di_02_tiles_are_drawn_where_nobody_says_how_they_lie(players: int, count: int) -> None:
    p = table("dice", players=players)
    letters = p.public.layout.replace(" ", "")
    assert len(letters) == len(set(letters)) == count
    p.advance(500)
    assert text(p).startswith(f"Lay the tiles: {letters[0]} {letters[1]} {letters[2]} / ")


def test_di_02_the_same_switch_is_another_place_when_the_tiles_lie_otherwise() -> None:
    p = laid("CBA DEF GHI")
    corner = p.daemon.sheet.stations[0]
    assert corner == 9
    p.table.put(9, "red")
    p.advance(1200)
    assert done(p) == [PawnMove("red", 9, START)]
    assert p.public.pawns == {"red": 9}
    p.table.put(1, "yellow")
    p.advance(1200)
    assert p.public.pawns == {"red": 9, "yellow": 1}


def test_di_02_a_magnet_where_no_tile_lies_changes_nothing() -> None:
    p = laid(SIX, players=3)
    assert p.daemon.sheet.stations.count(0) == 12
    bare = [number for number in p.table.places if number > 36]
    assert len(bare) == 12
    for number in bare:
        p.table.put(number, f"coin {number}")
    p.advance(3000)
    assert p.daemon.referee.felt == frozenset()
    assert text(p) == "Red: choose a start and set the pawn there"
    p.table.put(1, "red")
    p.advance(1200)
    assert done(p) == [PawnMove("red", 1, START)]


def test_after_a_power_cut_the_tiles_lie_as_they_lay_and_nobody_is_asked_to_lay_them(tmp_path: Path) -> None:
    p = begun("CBA DEF GHI", journal=tmp_path / "journal.sqlite")
    p.advance(500)
    confirm(p)
    carried(p, "red", 9)
    p.restart()
    p.advance(1500)
    assert p.public.layout == "CBA DEF GHI"
    assert p.daemon.sheet.stations[0] == 9
    assert p.daemon.scene().phase is Phase.PLAY
    assert text(p) == "Yellow: choose a start and set the pawn there"
    carried(p, "yellow", 6)
    assert done(p) == [PawnMove("red", 9, START), PawnMove("yellow", 6, START)]
    p.close()


# ---- starts ----


def test_di_10_starts_are_chosen_pawn_by_pawn_and_every_taxi_only_place_glows_in_the_pawns_colour() -> None:
    p = laid()
    for pawn, station in STARTS.items():
        assert p.public.turn == (pawn,)
        assert text(p) == f"{pawn.capitalize()}: choose a start and set the pawn there"
        glows = plan(p.daemon.scene()).stations
        free = TAXI_ONLY - set(p.public.pawns.values())
        assert {n for n, glow in glows.items() if glow.colours == (PALETTES["standard"][pawn],)} == free
        carried(p, pawn, station)
        assert p.public.pawns[pawn] == station
    assert p.public.turn == (MR_X,)
    assert text(p) == "Mister X chooses his start in secret"


def test_di_10_a_place_where_not_only_taxis_stop_is_no_start() -> None:
    p = laid()
    p.table.put(2, "red")
    p.advance(3000)
    assert done(p) == []
    assert p.daemon.scene().reading == Mismatch({}, frozenset({2}))
    carried(p, "red", 4)
    assert done(p) == [PawnMove("red", 4, START)]


def test_di_10_a_start_is_changed_again_by_lifting_the_pawn_until_the_next_has_one() -> None:
    p = laid()
    carried(p, "red", 1)
    lift(p, "red")
    p.advance(1000)
    assert done(p) == []
    assert p.public.turn == ("red",)
    p.table.put(4, "red")
    p.advance(1200)
    carried(p, "yellow", 6)
    lift(p, "red")
    p.advance(1500)
    assert p.daemon.scene().reading == Mismatch({"red": 4}, frozenset())
    assert done(p) == [PawnMove("red", 4, START), PawnMove("yellow", 6, START)]


def test_di_10_the_last_detectives_start_is_changed_until_mister_x_has_chosen_his() -> None:
    p = laid()
    for pawn, station in STARTS.items():
        carried(p, pawn, station)
    carried(p, "green", 33)
    assert done(p)[-1] == PawnMove("green", 33, START)
    assert len(done(p)) == 3
    p.choose(MrXMove(Secret(22), START))
    carried(p, "green", 36, 2000)
    assert p.public.pawns["green"] == 33


def test_di_10_mister_x_chooses_his_start_on_the_handset_and_tells_the_tile() -> None:
    p = started(mr_x=22)
    assert p.public.dice is not None
    assert p.public.dice.tile == "F"
    assert p.private.at.value == 22
    assert MR_X not in p.public.pawns
    assert any("Tile F" in line for line in display_lines(p.daemon.scene()))


def test_pb_03_di_10_a_pawn_pushed_to_its_start_counts_where_it_comes_to_rest() -> None:
    p = laid()
    p.table.put(1, "red")
    p.advance(250)
    p.table.slide([1, 2, 5, 6], 700, "red")
    p.advance(1500)
    assert done(p) == [PawnMove("red", 6, START)]


# ---- rolling ----


def test_di_13_confirm_rolls_the_hand_once() -> None:
    p = started(dice="rolled")
    assert text(p) == "Red: CONFIRM rolls 4 dice"
    key(p, "taxi", "bus", "underground", "back")
    assert rolls(p) == []
    confirm(p)
    (roll,) = rolls(p)
    assert len(roll.faces) == 4
    assert p.public.dice is not None
    assert sorted(p.public.dice.rolled) == sorted(roll.faces)
    confirm(p)
    assert rolls(p) == [roll]


def test_di_13_the_dice_are_chances_and_repeat_for_their_seed_alone() -> None:
    def thrown(seed: int) -> tuple[str, ...]:
        p = table("dice", players=4, options={"layout": NINE}, seed=seed)
        p.advance(500)
        confirm(p)
        for pawn, station in STARTS.items():
            carried(p, pawn, station)
        p.choose(MrXMove(Secret(22), START))
        confirm(p)
        return rolls(p)[0].faces

    assert thrown(3) == thrown(3)
    assert len({thrown(seed) for seed in range(8)}) > 1


def test_pb_02_di_13_a_move_before_rolling_is_wrong() -> None:
    p = started()
    carried(p, "red", 2, 2000)
    assert len(done(p)) == 4
    assert p.daemon.scene().reading == Mismatch({"red": 1}, frozenset({2}))
    enter(p, "taxi")
    assert rolls(p) == []  # no key is for dice while a pawn stands wrong
    carried(p, "red", 1)
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    assert done(p)[-1] == PawnMove("red", 2, "taxi")


def test_pb_02_di_13_a_pawn_that_is_not_on_turn_is_wrong_after_rolling_too() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "yellow", 5, 2000)
    assert p.daemon.scene().reading == Mismatch({"yellow": 6}, frozenset({5}))
    assert p.public.pawns["yellow"] == 6


# ---- entering ----


def test_di_08_dice_are_entered_face_by_face_and_shown_to_all_before_they_are_accepted() -> None:
    p = started()
    first = "Red: roll 4 dice and enter each: TAXI, BUS or UNDERGROUND, CONFIRM for X."
    assert text(p) == first
    before = p.table.display
    assert before is not None
    pictures = [before.picture]
    for face, name in (("taxi", "taxi"), ("bus", "bus"), ("x", "confirm"), ("underground", "underground")):
        key(p, name)
        assert p.daemon.scene().entered[-1] == face
        pictures.append(before.picture)
    assert len({picture.tobytes() for picture in pictures if picture is not None}) == 5
    assert text(p) == "Red rolled taxi, bus, x and underground? CONFIRM, or BACK to mend it"
    assert rolls(p) == []
    confirm(p)
    assert rolls(p) == [Roll(("taxi", "bus", "x", "underground"))]
    assert p.daemon.scene().entered == ()


def test_di_08_what_is_entered_stands_on_the_public_display_in_words() -> None:
    p = started()
    key(p, "taxi", "confirm")
    assert text(p).endswith("Entered: taxi and x.")
    assert any(line.startswith("Dice: taxi x") for line in display_lines(p.daemon.scene()))
    assert placard.placard(p.daemon.scene()).tray is not None


def test_di_08_back_mends_and_too_many_keys_are_ignored() -> None:
    p = started()
    key(p, "back")
    key(p, "taxi", "bus", "back", "underground", "taxi", "taxi")
    assert p.daemon.scene().entered == ("taxi", "underground", "taxi", "taxi")
    key(p, "bus", "taxi", "underground")
    assert p.daemon.scene().entered == ("taxi", "underground", "taxi", "taxi")
    key(p, "back", "back", "bus", "bus")
    confirm(p)
    assert rolls(p) == [Roll(("taxi", "underground", "bus", "bus"))]


def test_di_08_a_power_cut_forgets_what_was_entered_and_not_accepted(tmp_path: Path) -> None:
    p = started(journal=tmp_path / "journal.sqlite")
    key(p, "taxi", "bus")
    p.restart()
    p.advance(1500)
    assert p.daemon.scene().entered == ()
    assert text(p).startswith("Red: roll 4 dice")
    enter(p, "taxi", "taxi", "bus", "x")
    p.restart()
    p.advance(1500)
    assert p.public.dice is not None
    assert p.public.dice.rolled == rolls(p)[0].faces
    p.close()


# ---- moving ----


def test_pb_04_di_13_where_two_dice_lead_to_one_place_the_table_asks_which() -> None:
    p = laid(dice="entered")
    for pawn, station in {"red": 4, "yellow": 6, "green": 36}.items():
        carried(p, pawn, station)
    p.choose(MrXMove(Secret(22), START))
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    for faces in (("taxi", "bus", "x"), ("bus", "x")):
        enter(p, *faces)
        if p.public.turn == ("yellow",):
            carried(p, "yellow", 9)
        elif p.public.turn == ("green",):
            confirm(p)
    assert p.public.turn == (MR_X,), text(p)
    p.choose(next(c for c in p.private.choices.value if isinstance(c, MrXMove)))
    assert p.public.round == 2
    while p.public.turn != ("red",):  # another begins with every round (DI-12)
        enter(p, *["taxi"] * _to_roll(p))
        move = next(m for m in p.public.moves if m.to not in (5, p.private.at.value))
        carried(p, move.pawn, move.to)
    enter(p, *(["taxi", "bus"] + ["x"] * 4)[: _to_roll(p)])
    carried(p, "red", 5, 5000)
    assert p.public.pawns["red"] == 2
    assert text(p) == "Red to 5: TAXI or BUS?"
    key(p, "bus")
    assert done(p)[-1] == PawnMove("red", 5, "bus")
    assert p.public.dice is not None
    assert ("red", "bus") in p.public.dice.used


def _to_roll(p: Parlour) -> int:
    assert p.public.dice is not None
    return p.public.dice.to_roll


def test_di_13_the_die_stays_with_the_pawn_and_the_next_rolls_what_is_left() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    assert p.public.dice is not None
    assert p.public.dice.used == (("red", "taxi"),)
    assert text(p).startswith("Yellow: roll 3 dice")
    carried(p, "red", 1)  # taken back: nothing has been rolled since
    assert p.public.turn == ("red",)
    assert p.public.dice.used == ()
    assert sorted(p.public.dice.rolled) == ["bus", "taxi", "taxi", "x"]
    carried(p, "red", 3)
    enter(p, "taxi", "bus", "x")
    carried(p, "red", 1, 2000)
    assert p.public.pawns["red"] == 3
    assert text(p).startswith("Put Red on 3. Clear 1")


def test_di_16_one_player_moves_either_pawn_by_the_first_roll_and_the_other_by_the_second() -> None:
    p = table("dice", players=2, options={"layout": SIX, "dice": "entered"})
    p.advance(500)
    confirm(p)
    carried(p, "red", 1)
    carried(p, "yellow", 22)
    p.choose(MrXMove(Secret(9), START))
    assert text(p).startswith("Red or Yellow: roll 3 dice")
    enter(p, "taxi", "taxi", "x")
    assert set(p.public.turn) == {"red", "yellow"}
    to = next(m.to for m in p.public.moves if m.pawn == "yellow" and m.to != 9)
    carried(p, "yellow", to)
    assert p.public.pawns["yellow"] == to
    assert text(p).startswith("Red: roll 2 dice")


# ---- again ----


def test_di_15_back_rolls_again_while_a_token_is_left() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    assert text(p) == "Red moves, BACK rolls again"
    key(p, "back")
    assert done(p)[-1] == RollAgain()
    assert p.public.dice is not None
    assert p.public.dice.tokens == 2
    assert text(p).startswith("Red: roll 4 dice")
    key(p, "back")
    assert done(p)[-1] == RollAgain()
    for left in (1, 0):
        enter(p, "taxi", "taxi", "bus", "x")
        key(p, "back")
        assert p.public.dice.tokens == left
    enter(p, "taxi", "taxi", "bus", "x")
    assert text(p) == "Red moves"
    key(p, "back")
    assert isinstance(done(p)[-1], Roll)


def test_di_15_back_answers_a_question_first_and_rolls_again_only_when_none_is_open() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    lift(p, "red")
    p.advance(500)
    assert p.daemon.scene().reading == InHand(("red",))
    confirm(p)  # it stands somewhere where no switch has felt it: where?
    assert text(p) == "Where does Red stand? BACK: show the next station"
    key(p, "back")
    assert isinstance(done(p)[-1], Roll)
    assert p.daemon.scene().asked
    p.table.put(1, "red")
    p.advance(1000)
    assert p.daemon.scene().asked == ()
    key(p, "back")
    assert done(p)[-1] == RollAgain()


def test_di_15_with_a_pawn_in_the_hand_back_rolls_again_too() -> None:
    p = started()
    enter(p, "taxi", "taxi", "bus", "x")
    lift(p, "red")
    p.advance(1000)
    key(p, "back")
    assert done(p)[-1] == RollAgain()
    p.advance(1500)
    assert text(p) == "Red: roll 4 dice and enter each: TAXI, BUS or UNDERGROUND, CONFIRM for X."
    p.table.put(1, "red")
    p.advance(1000)
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    assert p.public.pawns["red"] == 2


# ---- who can use no die ----


def test_di_14_who_can_use_no_die_stays_by_confirm_or_rolls_again_by_back() -> None:
    p = started()
    enter(p, "x", "x", "x", "x")
    assert text(p) == "Red can use no die: CONFIRM stays, BACK rolls again"
    p.advance(30_000)
    assert isinstance(done(p)[-1], Roll)
    confirm(p)
    assert done(p)[-1] == PawnMove("red", 1, STAY)
    assert text(p).startswith("Yellow: roll 4 dice")
    enter(p, "x", "x", "x", "x")
    key(p, "back")
    assert done(p)[-1] == RollAgain()


def test_di_14_a_pawn_that_can_use_no_die_is_told_to_go_back_when_it_moves() -> None:
    p = started()
    enter(p, "x", "x", "x", "x")
    carried(p, "red", 2, 2000)
    assert isinstance(done(p)[-1], Roll)
    assert text(p).startswith("Put Red on 1. Clear 2")
    confirm(p)
    assert isinstance(done(p)[-1], Roll)
    carried(p, "red", 1)
    confirm(p)
    assert done(p)[-1] == PawnMove("red", 1, STAY)


def test_di_14_without_a_token_who_can_use_no_die_is_passed_over_and_that_is_told() -> None:
    p = started()
    for _ in range(3):
        enter(p, "x", "x", "x", "x")
        key(p, "back")
    enter(p, "x", "x", "x", "x")
    assert p.public.turn == ("yellow",)
    assert [(skip.pawn, skip.why) for skip in p.public.skipped] == [("red", "no_die")]
    assert text(p).startswith("Red has no die and stays. Yellow: roll 4 dice")
    enter(p, "taxi", "x", "x", "x")
    assert text(p) == "Yellow moves. Red has no die and stays"


# ---- captures, and Mister X in sight ----


def test_pb_05_di_25_a_hidden_mister_x_is_caught_as_by_any_move() -> None:
    p = started(mr_x=2)
    enter(p, "taxi", "taxi", "bus", "x")
    carried(p, "red", 2)
    assert p.public.outcome is not None
    assert p.public.outcome.reason == "captured"


def test_pb_07_what_mister_x_can_do_is_lit_nowhere() -> None:
    p = laid()
    for pawn, station in STARTS.items():
        carried(p, pawn, station)
    p.advance(1000)
    assert set(p.station_leds()) <= set(STARTS.values())


# ---- the board and its numbers ----


def test_a_sheet_on_other_tiles_keeps_its_wiring_and_leaves_spots_bare() -> None:
    wired = lay(TILES, 13, inputs={n: 36 - place for place, n in enumerate(TILES.stations, 1)})
    other = wired.on(tiles("IHG FED"))
    assert other.stations == (*tiles("IHG FED").stations, *[0] * 12)
    assert (other.switch_inputs, other.station_lamps) == (wired.switch_inputs, wired.station_lamps)
    assert other.lamp(33) == wired.lamp(1) == 0
    assert other.stations_in(0b1) == {33}
    assert other.stations_in(1 << 35) == frozenset()  # nothing lies there
    assert set(other.positions_mm(100)) == set(tiles("IHG FED").stations)
    with pytest.raises(SheetError, match="no station 1 "):
        other.spot(1)
    assert wired.stations_in(0b1) == {1}  # as it was
    with pytest.raises(SheetError, match="199 stations on 36 spots"):
        wired.on(LONDON)


def test_a_simulated_board_with_other_numbers_keeps_its_pawns_its_reeds_and_its_faults() -> None:
    sim = SimTable({1: (0, 0), 2: (100, 0), 3: (200, 0)}, lamps=3, keys=("table.confirm",))
    sim.put(1, "red")
    sim.fault("switch:2", "stuck_closed")
    sim.advance(50)
    before = sim.backend.switches.read()
    sim.rename([30, 20, 10])
    sim.advance(50)
    assert sim.where() == {"red": 30}
    assert sim.backend.switches.read() == before
    assert dict(sim.places) == {30: (0, 0), 20: (100, 0), 10: (200, 0)}
    with pytest.raises(SimError, match="there is no station 1"):
        sim.put(1, "yellow")
    with pytest.raises(SimError, match="rename: 2 different numbers; the board has 3"):
        sim.rename([1, 2])
    with pytest.raises(SimError, match="rename: 2 different numbers"):
        sim.rename([1, 2, 2])
    assert sim.where() == {"red": 30}


def test_the_tables_box_is_what_these_tests_say() -> None:
    p = laid()
    assert box("dice").edition.name == "dice"
    assert {move.to for move in p.public.moves} == TAXI_ONLY
    assert isinstance(p.daemon.scene().reading, Settled)
