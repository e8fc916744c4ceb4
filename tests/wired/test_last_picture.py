"""When the machine is shut down from the table, the public display keeps a sentence that says when to pull the plug."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware_host.system.language import LANGUAGES, in_language
from firmware_host.table.device_factory import show_last_picture
from firmware_host.ui.drawing import table_menu_screen
from hardware.clock import SystemClock
from tests.ui.golden_screens import TABLE_MENU
from tests.wired.wired_boards import PiBoard
from tests.wired.wired_tables import build


@pytest.mark.parametrize("name", ["london-pico", "london-spi"])
def test_the_display_keeps_its_last_picture_when_the_program_ends(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    config = build(name)
    config = replace(config, display=replace(config.display, shift_s=0))
    pictures = set()
    for code in LANGUAGES:
        board = PiBoard(config, lambda: 0)
        board.solder(monkeypatch)
        with in_language(code):
            picture = table_menu_screen.draw(TABLE_MENU["off"])
        show_last_picture(picture, config, SystemClock(), board.pi)
        assert board.screens["display"].pixels() == picture.tobytes()
        board.close()
        assert board.screens["display"].pixels() == picture.tobytes()
        pictures.add(picture.tobytes())
    assert len(pictures) == len(LANGUAGES)
