"""When the handset shows its secrets, and when it does not."""

from __future__ import annotations

from firmware_host.parlour import Parlour
from firmware_host.rules.actions import MrXMove
from firmware_host.rules.secret import Secret
from tests.table.house import begun, config

FIVE = {"red": 74, "yellow": 13, "green": 26, "blue": 50}


def table(privacy: str) -> Parlour:
    return begun(197, config(handset={"privacy": privacy, "blank_after_s": 10}), **FIVE)


def tells(p: Parlour) -> bool:
    return any("197" in line for line in p.handset_lines())


def test_an_open_handset_shows_where_he_is_until_nobody_has_touched_it_for_a_while() -> None:
    p = table("open")
    p.advance(10_000)
    assert p.table.handset.picture is None
    p.table.press("handset.down")
    p.advance(100)
    assert tells(p)
    assert p.table.handset.picture is not None
    p.advance(9700)
    assert tells(p)
    p.advance(300)
    assert not p.handset_lines()
    assert p.table.handset.picture is None


def test_the_key_that_wakes_the_handset_does_no_more() -> None:
    p = table("open")
    p.advance(10_000)
    first = p.daemon.handset.menu
    p.table.press("handset.down")
    p.advance(100)
    assert p.daemon.handset.menu == first
    p.table.press("handset.down")
    p.advance(100)
    assert p.daemon.handset.menu != first


def test_a_private_handset_shows_secrets_only_while_peek_is_held() -> None:
    p = table("hold")
    p.table.press("handset.down")
    p.advance(100)
    assert p.handset_lines()
    assert not tells(p)
    cover = p.table.handset.picture
    p.table.hold("handset.peek")
    p.advance(100)
    assert tells(p)
    assert p.table.handset.picture != cover
    p.advance(60_000)
    assert tells(p)
    p.table.release("handset.peek")
    p.advance(100)
    assert not tells(p)
    assert p.table.handset.picture == cover


def test_keys_do_nothing_on_a_private_handset_while_nobody_peeks() -> None:
    p = table("hold")
    first = p.daemon.handset.menu
    for key in ("up", "down", "down", "select", "select"):
        p.table.press(f"handset.{key}")
        p.advance(100)
    assert p.daemon.handset.menu == first
    assert not p.daemon.game.actions


def test_a_move_can_be_made_on_a_private_handset() -> None:
    p = table("hold")
    p.choose(MrXMove(Secret(184), "taxi"))
    assert p.private.at == Secret(184)
    assert not any("184" in line for line in p.handset_lines())


def test_pulling_the_handsets_cable_ends_the_peeking() -> None:
    p = table("hold")
    p.table.hold("handset.peek")
    p.advance(100)
    p.table.fault("handset", "unplug")
    p.table.release("handset.peek")
    p.advance(1000)
    p.table.fault("handset", "replug")
    p.advance(1000)
    assert not tells(p)


def test_what_the_table_waits_for_is_said_on_the_handset() -> None:
    p = table("open")
    p.table.lift(74)
    p.advance(500)
    p.table.press("handset.back")
    p.advance(100)
    for key in ("select", "select"):
        p.table.press(f"handset.{key}")
        p.advance(100)
    assert p.handset_lines()[0] == "Not now"
    assert not p.daemon.game.actions
