"""The American edition through the whole stack: hands, keys, a power cut, and what the public can tell."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config.loader import simulator, with_rules
from firmware_host.rules.actions import MR_X, MrXMove, Surface, Take
from firmware_host.rules.secret import Secret
from firmware_host.simulator import IN_MEMORY, SimulatedTable
from tests.amount import amount
from tests.table.played_table import carry, go, text, tidy, walk
from tools import soak

START = {"purple": 26, "yellow": 29, "red": 34, "green": 50, "blue": 53}


def table(*, journal: Path | str = IN_MEMORY, mr_x: int = 197, **options: bool) -> SimulatedTable:
    """A table of four players at which the pawns stand and Mister X is to move."""
    config = with_rules(simulator(), "us")
    p = SimulatedTable(config, journal=journal)
    p.new_game(players=4, start={MR_X: mr_x, **START}, options=options)
    p.set_up()
    assert p.public.turn == (MR_X,)
    return p


# ---- one owner's pawns ----


@pytest.mark.parametrize("order", [("purple", "yellow"), ("yellow", "purple")])
def test_us_01_one_owners_two_pawns_are_moved_in_either_order(order: tuple[str, str]) -> None:
    p = table()
    go(p, 184)
    assert p.public.turn == ("purple", "yellow")
    goals = {"purple": 15, "yellow": 17}
    for pawn in order:
        walk(p, pawn, goals[pawn], "taxi")
        assert p.public.pawns[pawn] == goals[pawn], text(p)
    assert p.public.turn == ("red", "green")


def test_us_01_a_move_of_either_pawn_is_taken_back_by_putting_it_back() -> None:
    p = table()
    go(p, 184)
    walk(p, "yellow", 17, "taxi")
    assert p.public.turn == ("purple",)
    carry(p, "yellow", 29, 1500)
    assert p.public.turn == ("purple", "yellow"), text(p)
    assert p.public.pawns["yellow"] == 29


# ---- surfacing of his own will ----


def screen(p: SimulatedTable) -> str:
    p.hardware.press("handset.back", 60)
    p.advance(200)
    return "\n".join(p.handset_lines())


def test_us_10_he_surfaces_and_takes_tickets_by_the_handsets_keys() -> None:
    p = table(voluntary_surfacing=True)
    assert "Surface" in screen(p)
    p.choose(Surface())
    assert "Surface" not in screen(p)
    assert MR_X not in p.public.pawns
    p.choose(MrXMove(Secret(184), "taxi"))
    assert p.public.pawns[MR_X] == 184
    for pawn, ticket in (("purple", "taxi"), ("yellow", "bus"), ("red", "underground"), ("green", "taxi")):
        assert f"Take from {pawn.capitalize()}" in screen(p).replace("\n", " ")
        p.choose(Take(pawn, ticket))
    assert p.public.turn == (MR_X,)
    p.choose(Take("blue", "taxi"))
    assert p.public.turn == ("purple", "yellow")
    assert p.public.tickets[MR_X] == {"taxi": 6, "bus": 4, "underground": 4, "black": 5, "double": 2}
    tidy(p)
    walk(p, "purple", 15, "taxi")
    assert p.public.turn == ("yellow",), text(p)


def test_us_10_what_he_took_from_whom_is_told_before_what_is_next_until_the_next_thing_is_done() -> None:
    p = table(voluntary_surfacing=True)
    p.choose(Surface())
    p.choose(MrXMove(Secret(184), "taxi"))
    assert "took" not in text(p)
    p.choose(Take("purple", "bus"))
    assert text(p).startswith("Mister X took bus from Purple. Mister X takes a ticket from Yellow")
    p.choose(Take("yellow", "taxi"))
    assert text(p).startswith("Mister X took taxi from Yellow. Mister X takes a ticket from Red")
    for pawn in ("red", "green", "blue"):
        p.choose(Take(pawn, "underground"))
    tidy(p)
    assert text(p) == "Mister X took underground from Blue. Purple or Yellow moves"
    p.advance(60_000)
    assert text(p).startswith("Mister X took underground from Blue. ")
    walk(p, "purple", 15, "taxi")
    assert "took" not in text(p)


def test_us_10_a_power_cut_in_the_middle_of_the_taking_changes_nothing(tmp_path: Path) -> None:
    p = table(journal=tmp_path / "journal.sqlite", voluntary_surfacing=True)
    for action in (Surface(), MrXMove(Secret(184), "taxi"), Take("purple", "taxi"), Take("yellow", "bus")):
        p.choose(action)
    before = p.public, p.private
    p.restart()
    p.advance(2000)
    assert (p.public, p.private) == before
    assert p.public.giving == ("red", "green", "blue")
    assert "Take from Red" in screen(p).replace("\n", " ")
    for pawn in ("red", "green", "blue"):
        p.choose(Take(pawn, "underground"))
    assert p.public.turn == ("purple", "yellow")
    p.close()


def test_us_10_a_power_cut_between_the_announcement_and_the_move_keeps_it(tmp_path: Path) -> None:
    p = table(journal=tmp_path / "journal.sqlite", voluntary_surfacing=True)
    p.choose(Surface())
    p.restart()
    p.advance(2000)
    assert p.private.shows
    p.choose(MrXMove(Secret(184), "taxi"))
    assert p.public.pawns[MR_X] == 184
    p.close()


# ---- whole games ----


@pytest.mark.long
def test_rough_games_with_advanced_play_are_played_without_a_fault() -> None:
    config = with_rules(simulator(), "us")
    options = {"voluntary_surfacing": True, "cut_off": True}
    advanced = replace(config, game=replace(config.game, options=options))
    for seed in range(amount(1, 2)):
        played = soak.play(soak.Task(seed, "us", rough=True), advanced)
        assert played.fault == "", f"seed {seed}: {played.fault}"
