"""How Mister X's phone is invited: a code on his own screen, or on the public display where he has none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from firmware_host.rules.actions import MR_X
from firmware_host.system.files import Task
from firmware_host.ui.drawing import public_display
from firmware_host.web.seats.qr_modules import small_qr_modules
from tests.daemon.phone_room import START, PhoneRoom, without_screen
from tests.table.cases import shipped
from tests.web.page_table import all_of


@pytest.fixture
def room(tmp_path: Path) -> Iterator[PhoneRoom]:
    """A classic game at his first move."""
    with PhoneRoom(shipped("classic"), tmp_path, seed=4) as opened:
        opened.begin()
        yield opened


@pytest.fixture
def bare_room(tmp_path: Path) -> Iterator[PhoneRoom]:
    """The same where his phone is the only handset."""
    with PhoneRoom(without_screen(), tmp_path, seed=4) as opened:
        opened.begin()
        opened.wait(1100)
        yield opened


def scanned(room: PhoneRoom) -> tuple[str, ...]:
    """The code that the handset's screen shows, module by module; empty where it shows none."""
    return modules(room.simulated.hardware.handset.picture)


def modules(picture: Image.Image | None) -> tuple[str, ...]:
    """The code in a picture, module by module; empty where there is none."""
    if picture is None:
        return ()
    dark = ["".join("0" if picture.getpixel((x, y)) else "1" for x in range(64)) for y in range(64)]
    margin = next(row for row, line in enumerate(dark) if "1" in line)
    return tuple(line[margin : 64 - margin : 2] for line in dark[margin : 64 - margin : 2])


def open_phone_page(room: PhoneRoom) -> None:
    """Wake the screen, and go to the last item but one."""
    for key in ("back", "back", "up", "up", "select"):
        room.simulated.hardware.press(f"handset.{key}")
        room.wait(200)


def test_the_handset_shows_a_code_with_the_link_and_puts_it_away_when_a_phone_has_come(room: PhoneRoom) -> None:
    room.wait(1100)
    open_phone_page(room)
    assert room.simulated.handset_lines() == ["My phone", "Scan this for your map"]
    assert scanned(room) == small_qr_modules(room.link)
    assert room.seat_by(room.link)
    room.wait(1100)
    assert "94" in " ".join(room.simulated.handset_lines())
    open_phone_page(room)
    assert scanned(room) == small_qr_modules(room.link), "another phone may come in its place"


def test_there_is_no_code_where_nobody_can_be_invited(room: PhoneRoom) -> None:
    room.wait(1100)
    assert room.simulated.table.handset.code
    room.simulated.new_game(players=4, seats={MR_X: "easy"})
    room.wait(1100)
    assert room.simulated.table.handset.code == ()


def test_a_code_is_worked_out_with_what_may_wait_and_never_in_the_tables_own_pass(
    room: PhoneRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: list[Task] = []
    monkeypatch.setattr(room.phone, "_writing", waiting.append)
    room.wait(1100)
    assert room.seat_by(room.link)
    room.wait(1100)
    assert room.simulated.table.handset.code == (), "the old one is put away at once"
    for task in waiting:
        task()
    room.wait(1100)
    assert room.simulated.table.handset.code == small_qr_modules(room.link)


# ---- where he has no screen ----


def displayed(room: PhoneRoom) -> Image.Image | None:
    display = room.simulated.hardware.display
    assert display is not None
    return display.picture


def is_usual(room: PhoneRoom) -> bool:
    """Whether the public display shows what it shows anyway."""
    shown, usual = displayed(room), public_display.display(room.simulated.scene)
    return shown is not None and shown.tobytes() == usual.tobytes()


def test_the_display_shows_the_code_in_his_turn_until_a_phone_has_come(bare_room: PhoneRoom) -> None:
    assert modules(displayed(bare_room)) == small_qr_modules(bare_room.link)
    assert bare_room.seat_by(bare_room.link)
    bare_room.wait(1200)
    assert is_usual(bare_room)
    bare_room.wait(5000)
    assert is_usual(bare_room), "nobody is invited in his place"


def test_while_pawns_are_to_be_set_the_display_says_where(tmp_path: Path) -> None:
    with PhoneRoom(without_screen(), tmp_path, seed=4) as room:
        room.simulated.new_game(players=4, start=START)
        room.wait(2500)
        assert room.simulated.table.handset.code
        assert is_usual(room)


def test_with_the_next_game_the_display_shows_another_code(bare_room: PhoneRoom) -> None:
    first = bare_room.link
    assert bare_room.seat_by(first)
    bare_room.wait(1200)
    bare_room.begin()
    assert bare_room.link != first
    assert modules(displayed(bare_room)) == small_qr_modules(bare_room.link)


def test_after_a_restart_it_shows_none_to_whoever_comes_by(bare_room: PhoneRoom) -> None:
    his = bare_room.seat_by(bare_room.link)
    bare_room.wait(1200)
    bare_room.start_phone_anew()
    bare_room.wait(3000)
    assert bare_room.phone.token.holds_handset(his)
    assert is_usual(bare_room)


def test_where_he_has_a_screen_the_display_shows_no_code(room: PhoneRoom) -> None:
    room.wait(1100)
    assert room.simulated.table.handset.code
    assert is_usual(room)


def test_no_page_but_his_is_told_of_the_code(bare_room: PhoneRoom) -> None:
    token = bare_room.link.partition("#")[2]
    said = all_of(bare_room.server.public)
    assert said
    assert not any(token in json.dumps(str(message)) for message in said.values())
