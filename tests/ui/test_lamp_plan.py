"""The lamps: every meaning has its own colour and rhythm, and no frame draws more than it may."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import pytest

from firmware_host.referee.readings import Ambiguous, InHand, Mismatch, Moved, Returned
from firmware_host.referee.scene import Phase, Scene
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.rules.views import Outcome
from firmware_host.ui.lamp_plan import PALETTES, WHITE, Glow, Plan, Rhythm, plan
from firmware_host.ui.lamp_rhythms import ROUTE_REST, ROUTE_STEP, lit, paint
from hardware.current_limit import estimate_current
from tests.table.played_table import begun, config, play_on
from tests.ui.handmade_views import PAWNS, log, public, scene

TICKETS = ("taxi", "bus", "underground")
BLIND = ("standard", "colour-blind")


def moves(pawn: str, *ways: tuple[int, str]) -> tuple[PawnMove, ...]:
    return tuple(PawnMove(pawn, to, ticket) for to, ticket in ways)


def turn_of(pawn: str, *ways: tuple[int, str], **said: Any) -> Any:
    where = {p: 101 + n for n, p in enumerate(PAWNS)}
    return public(
        detectives=5, turn=(pawn,), pawns={**where, **said.pop("pawns", {})}, moves=moves(pawn, *ways), **said
    )


def _shown(palette: str) -> Mapping[str, list[tuple[Glow, str]]]:
    """Every meaning that a lamp can have: its glows, whatever pawn or ticket it is about, and where they are seen."""
    found: dict[str, list[tuple[Glow, str]]] = {}

    def note(meaning: str, of: Scene, lamp: int, where: str = "stations") -> None:
        glows = getattr(plan(of, palette), where)
        found.setdefault(meaning, []).append((glows[lamp], where))

    for pawn in PAWNS:
        home = turn_of(pawn).pawns[pawn]
        note("this pawn is to move", scene(turn_of(pawn)), home)
        for ticket in TICKETS:
            view = turn_of(pawn, (1, ticket))
            note("it may go here", scene(view), 1)
            note("it has arrived", scene(view, reading=Moved(view.moves)), 1)
            note("which of several is it", scene(view, reading=Ambiguous(view.moves)), 1)
            note("is it here?", scene(view, asked=view.moves, reading=InHand(pawn, view.moves)), 1)
            visible = turn_of(pawn, (1, ticket), pawns={MR_X: 1})
            note("it may go here to Mister X", scene(visible), 1)
        for pair in combinations(TICKETS, 2):
            both = turn_of(pawn, *((1, ticket) for ticket in pair))
            note("it may go here in several ways", scene(both), 1)
            note("by which ticket?", scene(both, asked=both.moves, reading=Moved(both.moves)), 1)
        for wrong, urgency in ((1, "shown"), (2, "insistent")):
            off = scene(turn_of(pawn), reading=Mismatch({pawn: 77}, frozenset({78})), wrong=wrong)
            note(f"a pawn is missing here, {urgency}", off, 77)
            note(f"clear this, {urgency}", off, 78)
        back = Returned(pawn, 77, ambiguous=True)
        note("is it back here?", scene(turn_of("green" if pawn == "red" else "red"), reading=back), 77)
        note("this pawn belongs here", scene(turn_of(pawn), phase=Phase.SET_UP), home)
    note("Mister X is here", scene(public(pawns={"red": 1, MR_X: 2}, order=("red",))), 2)
    note("take Mister X's pawn off", scene(public(stale=frozenset({3})), take_off=frozenset({3})), 3)
    note("this switch is not listened to", scene(public(), ignored=frozenset({4})), 4)
    note("he shows himself in this window", scene(public()), 3, "log")
    note("this window comes next", scene(public()), 1, "log")
    for letter in "TBU?":
        note("this ticket was paid", scene(public(log=log(letter))), 1, "log")
    return found


SAME = [
    {"it has arrived", "which of several is it"},  # the pawn stands there, be it known or not which one
]
"""Meanings that are meant to look alike."""


@pytest.mark.parametrize("palette", BLIND)
def test_no_two_meanings_share_both_their_colour_and_their_rhythm(palette: str) -> None:
    shown = _shown(palette)
    for one, other in combinations(sorted(shown), 2):
        alike = {(g.colours, g.rhythm, w) for g, w in shown[one]} & {(g.colours, g.rhythm, w) for g, w in shown[other]}
        assert not alike or {one, other} in SAME, f"{one!r} looks like {other!r}: {alike}"


@pytest.mark.parametrize("palette", BLIND)
def test_pawns_and_tickets_have_colours_of_their_own_among_themselves(palette: str) -> None:
    colours = PALETTES[palette]
    assert len({colours[pawn] for pawn in (*PAWNS, MR_X)}) == 6
    assert len({colours[ticket] for ticket in (*TICKETS, "black")} | {WHITE}) == 5


def test_a_lifted_pawn_keeps_only_its_own_destinations() -> None:
    free = public(turn=("red", "yellow"), moves=(*moves("red", (1, "taxi")), *moves("yellow", (2, "taxi"))))
    assert {1, 2} <= plan(scene(free)).stations.keys()
    lifted = plan(scene(free, reading=InHand(("red",)))).stations
    assert 1 in lifted
    assert 2 not in lifted


def test_the_station_a_pawn_may_have_been_put_back_on_is_white_and_the_one_it_left_its_own_colour() -> None:
    view = turn_of("yellow")
    stations = plan(scene(view, reading=Returned("red", 77, ambiguous=True))).stations
    assert stations[77] == Glow((WHITE,), Rhythm.ARRIVED)
    assert stations[view.pawns["red"]] == Glow((PALETTES["standard"]["red"],), Rhythm.FAST)


@pytest.mark.parametrize("ways", [("taxi",), ("taxi", "bus")])
def test_the_station_he_has_left_is_a_destination_like_any_other(ways: tuple[str, ...]) -> None:
    tickets = [(3, ticket) for ticket in ways]
    for take_off in (frozenset({3}), frozenset()):
        left = plan(scene(turn_of("red", *tickets, stale=frozenset({3})), take_off=take_off)).stations[3]
        assert left == plan(scene(turn_of("red", *tickets))).stations[3]


def test_pb_07_in_mister_xs_turn_only_the_log_says_so() -> None:
    glows = plan(scene(public()))
    assert not glows.stations
    assert glows.log[1].rhythm is Rhythm.SLOW
    assert set(glows.log) == {1, 3, 8, 13, 18}


def test_cl_14_he_flashes_twice_a_second_for_three_seconds_and_then_shines_steadily() -> None:
    glow = plan(scene(public(pawns={"red": 1, MR_X: 2}, order=("red",)), since=7.3)).stations[2]
    levels = [any(paint(glow, 7.3 + ms / 1000)) for ms in range(3000)]
    flashes = sum(levels[n] and not levels[n - 1] for n in range(1, 3000)) + levels[0]
    assert flashes == 6
    assert {paint(glow, 7.3 + 3 + ms / 100) for ms in range(500)} == {(153, 153, 153)}


def test_cl_18_the_log_lamps_show_tickets_and_mark_what_is_to_come() -> None:
    view = public(log=log("TB?", {3: 58}), turn=("red",))
    lamps = plan(scene(view)).log
    colours = PALETTES["standard"]
    assert [lamps[w] for w in (1, 2, 3)] == [Glow((colours[t],), Rhythm.STEADY) for t in ("taxi", "bus", "black")]
    assert {w for w, glow in lamps.items() if glow.rhythm is Rhythm.DIM} == {8, 13, 18}
    assert plan(scene(None)) == Plan({}, {})


def over(*route: int) -> Any:
    tickets = ("T", "B", "U", "?")
    entries = log("".join(tickets[n % 4] for n in range(len(route) - 1)))
    return public(turn=(), log=entries, route=route, outcome=Outcome(MR_X, "log_full"), pawns={
        "red": 1, MR_X: route[-1]}, order=("red",))  # fmt: skip


@pytest.mark.parametrize("route", [(45, 58, 75, 94), (45, 58, 45, 58, 75), (1, 9, 1), (45, 45, 46)])
def test_cl_24_after_the_end_his_route_is_walked_station_by_station(route: tuple[int, ...]) -> None:
    stations = plan(scene(over(*route), phase=Phase.OVER, since=5.0)).stations
    for walk in (0, 1):
        for step, here in enumerate(route):
            now = 5.0 + (walk * (1 + len(route) + ROUTE_REST) + 1 + step + 0.5) * ROUTE_STEP
            shining = lit({s: stations[s] for s in set(route)}, now)
            assert shining[here] == WHITE
            assert shining.keys() == set(route[: step + 1])
            assert [s for s, colour in shining.items() if colour == WHITE] == [here]
    rest = 5.0 + (1 + len(route) + 4) * ROUTE_STEP
    assert lit({s: stations[s] for s in set(route)}, rest).keys() == set(route)


def test_cl_24_a_station_of_the_route_keeps_the_colour_of_the_ticket_that_led_there() -> None:
    stations = plan(scene(over(45, 58, 45, 75), phase=Phase.OVER, since=0.0)).stations
    taxi, bus = (tuple(round(c * 0.25) for c in PALETTES["standard"][t]) for t in ("taxi", "bus"))
    assert paint(stations[58], 3.5 * ROUTE_STEP) == taxi
    assert paint(stations[45], 2.5 * ROUTE_STEP) == (64, 64, 64)  # his start, without a ticket
    assert paint(stations[45], 4.5 * ROUTE_STEP) == bus


CAUGHT = {"turn": (), "log": log("TBU"), "route": (45, 58, 75, 94), "outcome": Outcome("detectives", "captured"),
          "pawns": {"red": 1, "blue": 94, MR_X: 94}, "order": ("red", "blue")}  # fmt: skip


@pytest.mark.parametrize("palette", BLIND)
def test_cl_24_the_lamps_go_dark_and_the_walk_ends_in_the_catchers_colour_under_a_cone(palette: str) -> None:
    stations = plan(scene(public(**CAUGHT), phase=Phase.OVER, since=5.0), palette).stations
    colours, around = PALETTES[palette], public(**CAUGHT).network.around(94).keys() - {75, 94}
    dim = {1: paint(Glow((colours["red"],), Rhythm.DIM), 0.0)}
    assert lit(stations, 5.0) == dim
    walking = lit(stations, 5.0 + (1 + 3 + 0.5) * ROUTE_STEP)
    assert walking[94] == WHITE
    assert around.isdisjoint(walking)
    for after in (0.5, ROUTE_REST - 0.5):
        over = lit(stations, 5.0 + (1 + 4 + after) * ROUTE_STEP)
        assert over[94] == colours["blue"]
        assert {sum(over[at]) for at in around} == {45}
        assert over[1] == dim[1]
    again = lit(stations, 5.0 + (1 + 4 + ROUTE_REST + 0.5) * ROUTE_STEP)
    assert again == dim


def test_cl_24_where_he_got_away_the_end_of_his_route_stays_white() -> None:
    stations = plan(scene(over(45, 58, 75), phase=Phase.OVER, since=0.0)).stations
    assert paint(stations[75], (1 + 3 + 5) * ROUTE_STEP) == WHITE


def test_before_the_end_no_lamp_is_lit_by_the_route() -> None:
    playing = scene(public(**{**CAUGHT, "outcome": None, "turn": ("red",), "pawns": {"red": 1, "blue": 94}}))
    rhythms = {glow.rhythm for glow in plan(playing).stations.values()}
    assert rhythms.isdisjoint({Rhythm.ROUTE, Rhythm.CAUGHT, Rhythm.CONE})


@pytest.mark.parametrize("limit", [300, 330])
def test_no_frame_of_a_whole_game_draws_more_than_it_may(limit: int) -> None:
    bright = config(lamps={"max_milliamps": limit, "brightness": 1.0})
    p = begun(197, bright, seen=True, red=74, yellow=13, green=26, blue=50)
    play_on(p, random.Random(limit))
    p.hardware.pick_up("yellow")
    p.advance(20_000)
    most = max(estimate_current(sent) for _, sent in p.lamps.frames)
    assert limit - 40 < most <= limit
    assert len(p.lamps.frames) > 1000
