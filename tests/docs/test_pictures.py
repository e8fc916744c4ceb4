"""The pictures in the pages are what the program draws, and show what the pages say of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.rules.actions import MR_X, MR_X_JUNIOR
from tests.docs.evenings import classic, dice, junior
from tests.docs.pages import DOCS, PAGES
from tests.docs.pictures import PICTURES, draw_pictures
from tests.web.pictures import SHOWN


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    draw_pictures(folder)
    return folder


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_what_the_program_draws_today(name: str, drawn: Path) -> None:
    kept = (DOCS / name).read_text(encoding="utf-8")
    assert kept == (drawn / name).read_text(encoding="utf-8"), f"docs/{name} is old: python -m tests.docs"
    assert len(kept.encode()) < 200_000


def test_every_picture_is_drawn_by_the_program_and_shown_on_a_page() -> None:
    assert {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.svg")} == set(PICTURES)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in PICTURES if f"{name})" not in text] == []


def test_every_picture_of_a_page_is_shown_where_the_page_is_told_of() -> None:
    kept = {path.stem for path in (DOCS / "pictures").iterdir()}
    assert kept == set(SHOWN)
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [name for name in kept if f"pictures/{name}.webp)" not in text] == []


def test_the_board_is_shown_in_play_with_mister_x_in_sight() -> None:
    view = classic().public
    assert view.outcome is None
    assert view.pawns[MR_X] == 140
    assert view.turn == ("red",)
    assert len({move.to for move in view.moves}) == 13


def test_the_tiles_are_shown_in_play_with_red_to_use_a_die() -> None:
    view = dice().public
    assert (view.round, view.pawns[MR_X], view.turn) == (4, 5, ("red",))
    assert set(view.dice.rolled) == {"taxi", "bus", "underground"}
    assert len({move.to for move in view.moves}) == 8


def test_the_junior_board_is_shown_with_chips_on_both_sides() -> None:
    view = junior().public
    assert {side: won for side, (won, _) in view.chips.items()} == {MR_X: 2, "detectives": 1}
    assert (view.pawns[MR_X], view.pawns[MR_X_JUNIOR]) == (1, 3)
