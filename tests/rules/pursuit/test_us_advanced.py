"""The edition "us", advanced play: US-10 `voluntary_surfacing` and US-11 `cut_off`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import Outcome
from tests.rules.data.boxes import current, game, london, london_us, play, refusal, setup_of, small, us
from tests.rules.pursuit.notation import shorts

FAR = (26, 29, 34, 50, 53)
TAKEN = "+pt +rb +gu +yt +bb"
TAKEN_TAXIS = "+pt +rt +gt +yt +bt"
DETECTIVES = "p15t r41b g48t y49t b69t"


def bare(played: str = "", **more: object) -> Game:
    """A game by the option, with Mister X starting on 197 and the detectives far away."""
    return game(us(), london_us(), 197, *FAR, played=played, voluntary_surfacing=True, **more)  # type: ignore[arg-type]


# ---- US-10 ----


def test_us_10_surfacing_is_offered_by_the_option_alone() -> None:
    assert "S" in shorts(bare().legal)
    plain = game(us(), london_us(), 197, *FAR)
    assert "option" in refusal(plain, "S")


def test_us_10_it_is_no_option_of_other_boxes() -> None:
    start = (29, 34, 50, 53, 91)
    with pytest.raises(BadSetup, match="unknown option 'voluntary_surfacing' of current"):
        Game(setup_of(current(), london(), 35, *start, voluntary_surfacing=True))


def test_us_10_it_is_announced_once_and_for_one_move() -> None:
    table = bare("S")
    refusal(table, "S")
    play(table, f"184t {TAKEN} {DETECTIVES}")
    assert "S" in shorts(table.legal)
    play(table, "196t")
    assert MR_X not in table.public.pawns
    assert table.public.turn == ("purple",)


def test_us_10_it_is_never_offered_for_a_window_at_which_he_has_to_surface() -> None:
    table = bare(f"184t {DETECTIVES} 196t p26t r29b g34t y50t b53t")
    assert len(table.public.log) == 2
    refusal(table, "S")
    play(table, "184t")
    assert table.public.pawns[MR_X] == 184
    assert table.public.giving == ()
    assert table.public.turn == ("purple",)


def test_us_10_the_announcement_shows_nowhere_in_public_before_the_move() -> None:
    table, other = bare(), bare()
    play(table, "S")
    assert table.public == other.public
    assert (table.private.shows, other.private.shows) == (True, False)


def test_us_10_after_the_move_his_station_is_public() -> None:
    table = bare("S 184t")
    assert table.public.pawns[MR_X] == 184
    assert table.public.log[0].station == 184
    play(table, f"{TAKEN} {DETECTIVES} 196t")
    assert MR_X not in table.public.pawns
    assert [entry.station for entry in table.public.log] == [184, None]
    assert table.public.stale == {184}


def test_us_10_he_takes_a_ticket_of_his_choice_from_each_pawn_in_order() -> None:
    table = bare("S 184t")
    for word, pawn in zip(TAKEN.split(), ("purple", "red", "green", "yellow", "blue"), strict=True):
        assert table.public.giving[0] == pawn
        assert shorts(table.legal) == {f"+{pawn[0]}{ticket}" for ticket in "tbu"}
        play(table, word)
    hands = table.public.tickets
    assert hands["purple"] == {"taxi": 9, "bus": 8, "underground": 4}
    assert hands["red"] == {"taxi": 10, "bus": 7, "underground": 4}
    assert hands["green"] == {"taxi": 10, "bus": 8, "underground": 3}


def test_us_10_the_tickets_go_to_his_supply() -> None:
    table = bare("S 184t")
    assert table.public.tickets[MR_X]["taxi"] == 3
    play(table, TAKEN)
    assert table.public.tickets[MR_X] == {"taxi": 5, "bus": 5, "underground": 4, "black": 5, "double": 2}


def test_us_10_the_detectives_part_begins_only_after_the_last_ticket() -> None:
    table = bare("S 184t")
    for word in TAKEN.split():
        assert table.public.turn == (MR_X,)
        assert table.public.moves == ()
        refusal(table, "p15t")
        refusal(table, "196t")
        refusal(table, "D")
        play(table, word)
    assert table.public.turn == ("purple",)


def test_us_10_nothing_else_is_taken_from_a_pawn_out_of_turn_or_twice() -> None:
    table = bare("S 184t")
    assert "one ticket from each pawn, in playing order" in refusal(table, "+rt")
    play(table, "+pt")
    refusal(table, "+pt")
    refusal(bare(), "+pt")


def test_us_10_a_pawn_gives_no_ticket_of_a_kind_that_it_has_not_got() -> None:
    edition = replace(us(), hand=(3, 0, 1))
    table = game(edition, london_us(), 197, *FAR, played="S 184t", voluntary_surfacing=True)
    assert shorts(table.legal) == {"+pt", "+pu"}
    refusal(table, "+pb")


def test_us_10_a_pawn_without_tickets_gives_none() -> None:
    edition = replace(us(), hand=(2, 0, 0))
    board = small("taxi 1-2 2-3 3-1 11-12 21-51 31-32 41-42 51-52, bus 3-11 12-31 32-41 42-51")  # blue bars red's way
    table = game(edition, board, 1, 11, 21, 31, 41, 51, voluntary_surfacing=True)
    play(table, "S 2t +pt +rt +gt +yt +bt p12t g32t y42t b52t")
    assert [pawn for pawn in table.public.order if table.public.tickets[pawn]["taxi"]] == ["red"]
    play(table, "S 3t")
    assert table.public.giving == ("red",)
    play(table, "+rt")
    assert table.public.outcome == Outcome(MR_X, "immobilised")


def test_us_10_where_no_pawn_has_a_ticket_the_game_goes_on_at_once() -> None:
    edition = replace(us(), hand=(1, 0, 0))
    table = game(edition, london_us(), 197, *FAR, voluntary_surfacing=True, played=f"D S 184t {TAKEN_TAXIS} S")
    play(table, "196t")
    assert table.public.giving == ()
    assert table.public.pawns[MR_X] == 196
    assert table.public.outcome == Outcome(MR_X, "immobilised")


def test_us_10_he_may_surface_in_either_half_of_a_double_move_or_in_both() -> None:
    first = bare(f"D S 184t {TAKEN}")
    assert (first.public.turn, first.public.double) == ((MR_X,), 2)
    assert first.public.pawns[MR_X] == 184
    play(first, "196t")
    assert MR_X not in first.public.pawns
    assert first.public.turn == ("purple",)
    second = bare("D 184t S 196t")
    assert second.public.giving == ("purple", "red", "green", "yellow", "blue")
    assert [entry.station for entry in second.public.log] == [None, 196]
    assert play(second, TAKEN).public.turn == ("purple",)
    both = bare(f"D S 184t {TAKEN} S 196t {TAKEN}")
    assert both.public.tickets["purple"]["taxi"] == 8
    assert both.public.turn == ("purple",)


def test_us_10_who_shows_himself_twice_running_may_have_left_his_pawn_behind() -> None:
    table = bare(f"S 184t {TAKEN} {DETECTIVES} S 196t")
    assert (table.public.pawns[MR_X], table.public.stale) == (196, {184})
    table = bare(f"D S 184t {TAKEN} S 196t")
    assert (table.public.pawns[MR_X], table.public.stale) == (196, {184})
    table = bare(f"S 184t {TAKEN} {DETECTIVES} D S 196t {TAKEN}")
    assert (table.public.pawns[MR_X], table.public.stale) == (196, {184})
    play(table, "184t")  # window 3: back where he has been
    assert (table.public.pawns[MR_X], table.public.stale) == (184, {196})


def test_us_10_announced_before_the_double_move_it_holds_for_the_first_half() -> None:
    table = bare("S D 184t")
    assert table.public.pawns[MR_X] == 184
    assert table.public.double == 2
    refusal(table, "196t")
    play(table, f"{TAKEN} 196t")
    assert MR_X not in table.public.pawns


def test_us_10_with_counted_fares_he_can_pay_with_what_he_took() -> None:
    edition = replace(us(), mr_x_hand=(1, 0, 0), blacks=0)
    table = game(edition, london_us(), 197, *FAR, x_fares="counted", voluntary_surfacing=True, played="S 184t")
    play(table, f"+pb +rb +gb +yb +bb {DETECTIVES}")
    assert {word[-1] for word in shorts(table.legal) - {"S", "D"}} == {"t", "b"}


# ---- US-11 ----


def _cut(mr_x: int, *start: int, **options: object) -> Setup:
    return setup_of(us(), london_us(), mr_x, *start, cut_off=True, **options)  # type: ignore[arg-type]


def test_us_11_from_153_by_underground_to_140_is_shut_while_a_detective_stands_on_154() -> None:
    shut = Game(_cut(153, 154, 29, 34, 50, 53))
    refusal(shut, "140u")
    assert "140u" in shorts(Game(_cut(153, 155, 29, 34, 50, 53)).legal)
    assert "140u" in shorts(game(us(), london_us(), 153, 154, 29, 34, 50, 53).legal)


def test_us_11_it_holds_from_either_end_of_the_line() -> None:
    refusal(Game(_cut(140, 154, 29, 34, 50, 53)), "153u")


def test_us_11_a_bus_route_is_shut_as_well() -> None:
    assert "124b" in shorts(Game(_cut(153, 29, 26, 34, 50, 53)).legal)
    for station in (138, 152):
        refusal(Game(_cut(153, 29, station, 34, 50, 53)), "124b")


def test_us_11_detectives_are_not_bound_by_it() -> None:
    table = Game(_cut(26, 153, 154, 34, 50, 152))
    play(table, "15t")
    assert {"p140u", "p124b"} <= shorts(table.public.moves)
    play(table, "p140u")


def test_us_11_a_black_ticket_is_bound_too() -> None:
    refusal(Game(_cut(153, 154, 29, 34, 50, 53)), "140k")
    assert "140k" in shorts(Game(_cut(153, 155, 29, 34, 50, 53)).legal)


def test_us_11_a_black_ticket_goes_where_another_line_is_open() -> None:
    board = small("taxi 1-2 2-3 3-4 4-5 5-6 6-7 7-8, bus 1-3 8-1, underground 1-3 1-4", "bus 1-3 2, underground 1-4 2")
    table = game(us(), board, 1, 2, 5, 6, 7, 8, cut_off=True)
    assert shorts(table.legal) == {"3u", "3k", "D"}
    refusal(table, "3b")
    refusal(table, "4k")


def test_us_11_in_a_double_move_both_halves_are_bound() -> None:
    table = Game(_cut(139, 154, 29, 34, 50, 53))
    play(table, "D 153t")
    refusal(table, "140u")
    refusal(table, "140k")


def test_us_11_who_is_cut_off_on_all_sides_is_trapped() -> None:
    text, over = "taxi 1-2 2-3 4-5 5-6 6-7, bus 1-3 3-4", "bus 1-3 2"
    assert game(us(), small(text, over), 1, 2, 4, 5, 6, 7, cut_off=True).public.outcome == Outcome(
        "detectives", "trapped"
    )
    assert shorts(game(us(), small(text, over), 1, 2, 4, 5, 6, 7).legal) == {"3b", "3k", "D"}


def test_us_10_a_double_move_after_announcing_is_planned_to_its_first_half_and_then_to_its_end() -> None:
    announced = bare("S").double_moves.value
    assert announced
    assert set(announced.values()) == {()}  # what he takes in between comes first
    plain = bare().double_moves.value
    assert plain.keys() == announced.keys()
    assert all(isinstance(second, MrXMove) for seconds in plain.values() for second in seconds)
    assert all(plain.values())
    after = bare(f"S D 184t {TAKEN}")
    assert any(isinstance(action, MrXMove) for action in after.legal)
    assert play(after, "196t").public.turn == ("purple",)
