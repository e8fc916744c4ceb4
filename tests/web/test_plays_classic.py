"""A whole classic game at the pages: pawns dragged, keys clicked, Mister X on the handset's page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.rules.actions import MR_X, Double
from firmware_host.system.language import in_language
from tests.table.cases import Case, canaries, shipped
from tests.web.chromium import Visit
from tests.web.english_left import LOCALES, english_left
from tests.web.hidden_stations import Watch
from tests.web.open_table import Lay, Seated, seated
from tests.web.played_evening import Evening
from tests.web.scripts import by_black, caught, kind, script, shows_himself

pytestmark = pytest.mark.long

CLASSIC = Case("classic", 4)


def test_english_that_is_left_on_a_page_would_be_found(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic")).url, locale="de-DE")
    assert english_left(page) == set()
    page.page.evaluate("document.querySelector('main, body').append('Whole board')")
    assert english_left(page) == {"Whole board"}


@pytest.mark.parametrize("locale", LOCALES)
def test_a_whole_game_from_the_first_drag_to_the_capture(lay: Lay, visit: Visit, tmp_path: Path, locale: str) -> None:
    config = canaries("classic", tmp_path)
    config = replace(config, handset=replace(config.handset, blank_after_s=3600))  # light to the end, however slow
    game = script(CLASSIC, shows_himself, kind(Double), by_black, caught, most=30, whole=True, config=config)
    table, board, handset, _ = seated(game, lay, visit, config, locale=locale)
    spectator = visit(table.url, "spectate", locale=locale)
    watch = Watch(table.look, handset, board, spectator)
    people = Evening(Seated(table, board, handset), watch)
    board.see('body[data-phase="set_up"]')
    people.set_up()
    for page in (board, spectator):
        page.see('body[data-phase="play"]')
    shown = 0
    for step in game.steps:
        people.do(step)
        view = table.look(lambda p: p.public)
        for pawn in view.order:
            for page in (board, spectator):
                page.see(f'[data-pawn="{pawn}"][data-at="{view.pawns[pawn]}"]')
        shown += MR_X in view.pawns
        for page in (board, spectator, handset):
            assert english_left(page) == set()
    assert shown
    end = table.look(in_language(locale[:2])(lambda p: p.prompt_text))
    for page in (board, spectator):
        page.see('body[data-phase="over"]')
        page.wait("text => document.querySelector('#prompt').textContent.includes(text)", end)
    handset.wait("() => document.querySelector('#words').textContent !== ''")
    watch.assert_kept()
