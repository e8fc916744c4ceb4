"""The beginners version as a file (ED-01): what it says, how strictly its keys are read, and boxes in between."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from firmware_host.rules.actions import MR_X, Double, MrXMove
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import Edition
from tests.rules.data import boxes
from tests.rules.data.boxes import beginners, current, lanes, london, random_setup, setup_of, shipped, small, us
from tests.rules.pursuit.notation import shorts


def complaints(change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What the reader says of the beginners' file when it has been changed."""
    return boxes.complaints(change, "beginners")


# ---- what it says ----


def test_be_01_to_be_11_the_beginners_version_has_these_numbers() -> None:
    edition = beginners()
    assert (edition.name, edition.map, edition.order) == ("beginners", "london", "free")
    assert (edition.sizes, edition.usual_players) == ([3, 4], 5)
    assert (edition.posts, edition.mr_x_cards) == ((41, 46, 124, 142), (82,))
    assert (edition.fares, set(edition.closed)) == ("none", {"underground", "boat"})
    assert (edition.rounds, edition.windows) == (13, 14)
    assert edition.in_sight
    assert edition.surfacing == {*range(1, 15)} - {3, 8, 13}
    assert (edition.blacks, edition.doubles) == (1, 1)
    assert dict(edition.options) == {"uncover_half": False}


@pytest.mark.parametrize("name", ["classic", "current", "us"])
def test_ed_01_the_other_boxes_know_none_of_this(name: str) -> None:
    edition = shipped(name)
    assert (edition.fares, edition.closed, edition.posts) == ("tickets", (), ())
    assert edition.rounds == (22 if name == "current" else None)
    assert not edition.in_sight


# ---- a strict reader ----


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("fares", "coins", "fares: 'coins' is neither 'tickets' nor 'none'"),
        ("closed", ["tram"], "closed: ['tram'] is not a list of transports, each once: taxi, bus, underground, boat"),
        ("closed", ["bus", "bus"], "closed: ['bus', 'bus'] is not a list of transports, each once: taxi"),
        ("closed", ["taxi", "underground", "bus"], "closed: leaves the detectives nothing to ride"),
        ("rounds", 0, "rounds: 0 is not a whole number from 1 to 24"),
        ("mr_x", {"double": 13}, "[mr_x] double: 13 is not a whole number from 0 to 12"),
        ("rounds", 14, "windows: 14 are too few for 14 rounds and 1 double moves; write 15 or more"),
        ("hidden", [3, 15], "hidden: [3, 15] is not a list of whole numbers from 1 to 14"),
        ("surfacing", [3], "surfacing: is not allowed beside `hidden`"),
        ("order", "any", "order: 'any' is not 'fixed' or 'player' or 'free'"),
    ],
)
def test_a_wrong_value_is_named_with_what_would_be_right(key: str, value: object, why: str) -> None:
    (line,) = complaints(lambda data: data.update({key: value}))
    assert line.startswith(why)


def test_it_must_be_said_where_he_shows_himself_or_where_he_hides() -> None:
    line, other = complaints(lambda data: data.pop("hidden"))
    assert other == "[options] uncover_half: has no effect where Mister X is out of sight; leave it out"
    assert line == "surfacing: is missing; write it, or `hidden` for a Mister X who is in sight"


def test_where_no_tickets_are_paid_nobody_has_a_hand() -> None:
    assert complaints(lambda data: data["detective"].update(taxi=10)) == [
        "[detective] taxi: unknown; known are cards, posts"
    ]
    assert complaints(lambda data: data["mr_x"].update(bus=3)) == [
        "[mr_x] bus: unknown; known are black, double, cards"
    ]


def test_posts_must_be_enough_and_stand_alone() -> None:
    assert complaints(lambda data: data["detective"].update(posts=[41, 46, 124])) == [
        "[detective] posts: 3 stations are too few for 4 pawns; list at least 4"
    ]
    assert complaints(lambda data: data["detective"].update(cards=[13, 26])) == [
        "[detective] posts: is not allowed beside cards; write one of the two"
    ]
    assert complaints(lambda data: data["detective"].update(posts=[41, 41, 46, 124])) == [
        "[detective] posts: 41 is there twice; keep one of them"
    ]


@pytest.mark.parametrize(
    ("option", "value", "why"),
    [
        ("x_fares", "counted", "no tickets are paid"),
        ("voluntary_surfacing", False, "no tickets are paid"),
        ("voluntary_surfacing", False, "Mister X is in sight"),
        ("last_chance", True, "the rounds end the game"),
        ("log_windows", 14, "the rounds end the game"),
    ],
)
def test_an_option_without_a_meaning_is_refused(option: str, value: object, why: str) -> None:
    lines = complaints(lambda data: data["options"].update({option: value}))
    assert f"[options] {option}: has no effect where {why}; leave it out" in lines


# ---- boxes in between ----

BETWEEN = {
    "in sight, with tickets": replace(us(), in_sight=True, surfacing=frozenset(range(1, 25)) - {2, 5}),
    "in sight, in a fixed order, to the end of the log": replace(beginners(), order="fixed", rounds=None, windows=9),
    "no tickets, but in hiding": replace(beginners(), in_sight=False, surfacing=frozenset({3, 8, 13})),
    "tickets and rounds": replace(current(), rounds=10, surfacing=frozenset({3, 8}), options={}),
    "the underground closed, tickets counted": replace(us(), closed=("underground",), options={"x_fares": "counted"}),
    "all in any order, no tickets, boats and undergrounds too": replace(beginners(), closed=()),
    "no tickets, but cut off": replace(beginners(), closed=(), options={"cut_off": True}),
}


def _ends(edition: Edition, seed: int) -> str:
    """How a random game ends, with what must hold in every box looked at on the way."""
    chance = random.Random(seed)
    table = Game(random_setup(edition, london() if seed % 4 == 0 else lanes(seed), chance))
    while table.legal:
        view, at = table.public, table.private.at.value
        assert len(view.log) <= view.windows
        assert view.round <= (edition.rounds or view.windows)
        assert {link.transport for link in view.network.links}.isdisjoint(edition.closed)
        assert view.pawns.get(MR_X, at) == at
        assert view.in_sight or not view.open_moves
        if edition.fares == "none":
            assert all(view.tickets[pawn] == {} for pawn in view.order)
            assert {move.ticket for move in view.moves} <= {"free"}
        singles = [a for a in table.legal if isinstance(a, MrXMove)]
        assert len(singles) == len({(a.to.value, a.ticket) for a in singles})
        table.play(Double() if Double() in table.legal and chance.random() < 0.2 else chance.choice(table.legal))
    assert table.public.outcome is not None
    return table.public.outcome.reason


@pytest.mark.parametrize("name", BETWEEN)
@pytest.mark.long_but_first
def test_ed_01_boxes_of_ones_own_may_mix_all_of_this(name: str) -> None:
    edition = BETWEEN[name]
    ends = {_ends(edition, seed) for seed in range(120)}
    assert {"captured", "trapped"} <= ends
    if edition.fares == "none":
        assert ends.isdisjoint({"immobilised", "stalled"})
    assert ("rounds_over" in ends) <= (edition.rounds is not None)
    assert "log_full" not in ends or edition.rounds is None


def test_us_11_where_no_tickets_are_paid_a_line_that_is_cut_off_is_not_opened_by_a_boat_beside_it() -> None:
    edition = replace(beginners(), closed=(), options={"cut_off": True})
    board = small("taxi 1-2 2-4 4-5 5-6, bus 1-3 3-4, boat 1-3", "bus 1-3 2")
    table = Game(setup_of(edition, board, 1, 2, 5, 6, players=4))
    assert shorts(table.legal) == {"3k", "D"}
    assert shorts(Game(setup_of(edition, board, 1, 4, 5, 6, players=4)).legal) == {"2f", "2k", "3f", "3k", "D"}
