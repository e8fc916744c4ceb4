"""The dice game at the table, before it begins: tiles are laid and starts chosen (DI-01, DI-10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.config.board_layout import BoardLayoutError, lay_out_board
from firmware_host.referee.readings import Mismatch
from firmware_host.referee.scene import Kind, Phase
from firmware_host.rules.actions import MR_X, START, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.table.commands import GiveUpGame, StartGame
from firmware_host.ui.drawing.public_display import display_lines
from firmware_host.ui.lamp_plan import PALETTES, plan
from hardware.sim import SimulatedHardware
from hardware.sim.physics import SimError
from tests.table.any_table import NINE, STARTS, TAXI_ONLY, begun, carried, done, key, laid, lift, started
from tests.table.played_table import asks, confirm, put, take, text
from tests.ui.handmade_views import LONDON, TILES, tiles

# ---- tiles ----


def test_di_01_the_table_says_how_the_tiles_have_to_lie_and_confirm_goes_on() -> None:
    p = begun()
    p.advance(500)
    assert p.public.layout == NINE
    assert p.table.scene().phase is Phase.SET_UP
    assert text(p) == "Lay the tiles: A B C / D E F / G H I. CONFIRM when they lie"
    key(p, "taxi", "bus", "underground", "back")
    p.advance(60_000)
    assert p.table.scene().phase is Phase.SET_UP
    confirm(p)
    assert p.table.scene().phase is Phase.PLAY
    assert asks(p) == (Kind.CHOOSE_START, "red", "confirm")


def test_di_10_a_magnet_left_over_from_before_is_nobodys_start_and_has_to_be_cleared() -> None:
    p = begun()
    put(p, 4, "left over", 500)
    assert text(p).startswith("Lay the tiles: ")
    confirm(p)
    assert text(p) == "Set up: Clear 4"
    key(p, "confirm", "back", "taxi")
    p.advance(10_000)
    assert done(p) == []
    assert p.table.scene().phase is Phase.SET_UP
    take(p, 4, 1000)
    assert asks(p) == (Kind.CHOOSE_START, "red")
    carried(p, "red", 4)
    assert done(p) == [PawnMove("red", 4, START)]


def test_di_06_tiles_with_their_light_side_up_are_told_apart() -> None:
    p = begun("AbC DeF gHI", experts=True)
    p.advance(500)
    assert text(p) == "Lay the tiles: A b C / D e F / g H I. Small letters: light side up. CONFIRM when they lie"


def test_di_02_the_same_switch_is_another_place_when_the_tiles_lie_otherwise() -> None:
    p = laid("CBA DEF GHI")
    corner = p.table.layout.stations[0]
    assert corner == 9
    put(p, 9, "red", 1200)
    assert done(p) == [PawnMove("red", 9, START)]
    assert p.public.pawns == {"red": 9}
    put(p, 1, "yellow", 1200)
    assert p.public.pawns == {"red": 9, "yellow": 1}


def test_after_a_power_cut_the_tiles_lie_as_they_lay_and_nobody_is_asked_to_lay_them(tmp_path: Path) -> None:
    p = begun("CBA DEF GHI", journal=tmp_path / "journal.sqlite")
    p.advance(500)
    confirm(p)
    carried(p, "red", 9)
    p.restart()
    p.advance(1500)
    assert p.public.layout == "CBA DEF GHI"
    assert p.table.layout.stations[0] == 9
    assert p.table.scene().phase is Phase.PLAY
    assert asks(p) == (Kind.CHOOSE_START, "yellow")
    carried(p, "yellow", 6)
    assert done(p) == [PawnMove("red", 9, START), PawnMove("yellow", 6, START)]
    p.close()


def test_after_a_power_cut_while_the_tiles_are_laid_the_table_says_again_how_they_have_to_lie(tmp_path: Path) -> None:
    p = begun("CBA DEF GHI", journal=tmp_path / "journal.sqlite")
    p.advance(500)
    p.restart()
    p.advance(1500)
    assert text(p) == "Lay the tiles: C B A / D E F / G H I. CONFIRM when they lie"
    confirm(p)
    assert asks(p) == (Kind.CHOOSE_START, "red")
    carried(p, "red", 9)
    assert done(p) == [PawnMove("red", 9, START)]
    p.close()


def test_a_second_press_of_the_key_that_begins_the_game_does_not_say_that_the_tiles_lie() -> None:
    p = begun()
    p.do(GiveUpGame())
    key(p, "confirm", "confirm")
    assert text(p).startswith("Lay the tiles: ")
    p.advance(500)
    confirm(p)
    assert asks(p) == (Kind.CHOOSE_START, "red")


def test_a_game_that_a_key_begins_has_its_own_tiles_on_the_simulated_board() -> None:
    p = laid("ABC DEF GHI")
    p.do(GiveUpGame())
    p.do(StartGame(rules="dice", players=4, options={"layout": "IHG FED CBA"}))
    p.advance(500)
    confirm(p)
    carried(p, "red", 1)
    assert done(p) == [PawnMove("red", 1, START)]
    assert p.hardware.where() == {"red": 1}


# ---- starts ----


def test_di_10_starts_are_chosen_pawn_by_pawn_and_every_taxi_only_place_glows_in_the_pawns_colour() -> None:
    p = laid()
    for pawn, station in STARTS.items():
        assert p.public.turn == (pawn,)
        assert text(p) == f"{pawn.capitalize()}: choose a start and set the pawn there"
        glows = plan(p.table.scene()).stations
        free = TAXI_ONLY - set(p.public.pawns.values())
        assert {n for n, glow in glows.items() if glow.colours == (PALETTES["standard"][pawn],)} == free
        carried(p, pawn, station)
        assert p.public.pawns[pawn] == station
    assert p.public.turn == (MR_X,)
    assert text(p) == "Mister X chooses his start in secret"


def test_di_10_a_place_where_not_only_taxis_stop_is_no_start() -> None:
    p = laid()
    put(p, 2, "red", 3000)
    assert done(p) == []
    assert p.table.scene().reading == Mismatch({}, frozenset({2}))
    carried(p, "red", 4)
    assert done(p) == [PawnMove("red", 4, START)]


def test_di_10_a_start_is_changed_again_by_lifting_the_pawn_until_the_next_has_one() -> None:
    p = laid()
    carried(p, "red", 1)
    lift(p, "red")
    p.advance(1000)
    assert done(p) == []
    assert p.public.turn == ("red",)
    put(p, 4, "red", 1200)
    carried(p, "yellow", 6)
    lift(p, "red")
    p.advance(1500)
    assert p.table.scene().reading == Mismatch({"red": 4}, frozenset())
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
    assert p.public.dice.tile == "F"
    assert p.private.at.value == 22
    assert MR_X not in p.public.pawns
    assert any("Tile F" in line for line in display_lines(p.table.scene()))


# ---- a start that no switch feels ----


def test_di_10_a_start_whose_switch_is_dead_is_found_by_back_and_accepted_by_confirm() -> None:
    p = laid()
    p.hardware.fault("switch:6", "stuck_open")
    put(p, 6, "red", 1000)
    assert done(p) == []
    assert asks(p) == (Kind.CHOOSE_START, "red")
    key(p, "back")
    assert p.table.scene().asked == ()
    p.advance(5000)
    assert asks(p) == (Kind.CHOOSE_START, "red", "confirm")
    confirm(p)
    assert done(p) == []
    assert asks(p) == (Kind.WHERE, "red", "back")
    confirm(p)  # no place is meant yet
    assert done(p) == []
    asked = []
    for _ in range(3):
        key(p, "back")
        asked += [move.to for move in p.table.scene().asked]
    assert asked == [1, 4, 6]
    assert asks(p) == (Kind.WENT, "red", 6, "confirm", "back")
    confirm(p)
    assert done(p) == [PawnMove("red", 6, START)]
    assert p.table.scene().ignored == {6}
    p.advance(1000)
    assert asks(p) == (Kind.CHOOSE_START, "yellow", "confirm")


def test_di_10_a_start_that_is_felt_after_all_ends_the_question_where_the_pawn_stands() -> None:
    p = laid()
    confirm(p)
    assert asks(p) == (Kind.WHERE, "red", "back")
    carried(p, "red", 9)
    assert done(p) == [PawnMove("red", 9, START)]
    assert p.table.scene().asked == ()
    assert p.table.scene().ignored == frozenset()


# ---- the board and its numbers ----


def test_a_sheet_on_other_tiles_keeps_its_wiring_and_leaves_spots_bare() -> None:
    wired = lay_out_board(TILES, 13, inputs={n: 36 - place for place, n in enumerate(TILES.stations, 1)})
    other = wired.on(tiles("IHG FED"))
    assert other.stations == (*tiles("IHG FED").stations, *[0] * 12)
    assert (other.switch_inputs, other.station_lamps) == (wired.switch_inputs, wired.station_lamps)
    assert other.lamp(33) == wired.lamp(1) == 0
    assert other.stations_in(0b1) == {33}
    assert other.stations_in(1 << 35) == frozenset()  # nothing lies there
    assert set(other.positions_mm(100)) == set(tiles("IHG FED").stations)
    with pytest.raises(BoardLayoutError, match="no station 1 "):
        other.spot(1)
    assert wired.stations_in(0b1) == {1}  # as it was
    with pytest.raises(BoardLayoutError, match="needs 199 places for its stations; this board has 36"):
        wired.on(LONDON)


def test_a_simulated_board_with_other_numbers_keeps_its_pawns_its_reeds_and_its_faults() -> None:
    sim = SimulatedHardware({1: (0, 0), 2: (100, 0), 3: (200, 0)}, lamps=3, keys=("table.confirm",))
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
    with pytest.raises(
        SimError, match="rename: 2 numbers, 2 of them different; give one different number for each of the 3"
    ):
        sim.rename([1, 2])
    with pytest.raises(SimError, match="rename: 3 numbers, 2 of them different"):
        sim.rename([1, 2, 2])
    assert sim.where() == {"red": 30}
