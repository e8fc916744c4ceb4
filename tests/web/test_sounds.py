"""What is heard on the pages: of what everyone is told alone, once somebody has touched the page, and not on mute."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import firmware_host.web
from tests.web.test_moments import Told, bus_taken, first, table, told

__all__ = ["first", "table", "told"]

STATIC = Path(firmware_host.web.__file__).parent / "static"
COUNT = """() => {
  window.tones = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) { window.tones += 1; return start.apply(this, at); };
}"""


def loaded(module: Path, known: set[Path]) -> set[Path]:
    """A module and all that it imports, by and by."""
    if module not in known:
        known.add(module)
        for other in re.findall(r'from "(\.[^"]+)"', module.read_text(encoding="utf-8")):
            loaded((module.parent / other).resolve(), known)
    return known


@pytest.mark.parametrize("page", ["handset", "mr_x_map", "tutorial_mr_x"])
def test_what_mister_x_alone_sees_makes_no_sound_and_does_not_shake(page: str) -> None:
    for module in loaded(STATIC / f"{page}.js", set()):
        assert not re.search(r"AudioContext|new Audio|vibrate", module.read_text(encoding="utf-8")), module.name


def test_a_move_is_heard_after_a_gesture_unless_the_page_is_mute(told: Callable[..., Told]) -> None:
    page = told("", calm=True)
    page.page.evaluate(COUNT)
    page.changed(**bus_taken(page))
    page.visitor.see("[data-owner='red'] [data-kind='bus']:text('7')")
    assert page.page.evaluate("tones") == 0
    page.page.mouse.click(5, 5)
    page.changed(pawns=page.scene["pawns"] | {"red": 1})
    page.visitor.wait("() => tones > 0")
    mark = page.page.locator("#settings")
    page.page.keyboard.press("m")
    assert mark.get_attribute("title") == "The sound is off"
    page.page.reload()
    page.visitor.see("[data-owner='red']")
    assert mark.get_attribute("title") == "The sound is off"
    page.page.evaluate(COUNT)
    page.page.mouse.click(5, 5)
    page.changed(pawns=page.scene["pawns"] | {"red": 46})
    page.visitor.see("[data-owner='red'] .at:text('46')")
    assert page.page.evaluate("tones") == 0
    mark.click()
    page.page.get_by_label("Sound", exact=True).check()
    page.page.keyboard.press("Escape")
    assert not mark.get_attribute("title")
    page.changed(pawns=page.scene["pawns"] | {"red": 1})
    page.visitor.wait("() => tones > 0")


KEEP = """() => {
  const Real = AudioContext;
  window.AudioContext = class extends Real { constructor() { super(); window.sound = this; } };
}"""
"""The page's sound can be interrupted from here."""

INTERRUPT = """async () => {
  window.sound.resume = () => Promise.reject(new Error("a call goes on"));
  const noticed = new Promise(done => window.sound.addEventListener("statechange", done, { once: true }));
  await window.sound.suspend();
  await noticed;
  delete window.sound.resume;
}"""
"""What a call does to it: for as long as it lasts the browser lets nothing go on."""

SHOWN = "() => document.dispatchEvent(new Event('visibilitychange'))"
RUNS = "() => window.sound.state === 'running'"


def test_the_sound_goes_on_after_an_interruption(told: Callable[..., Told]) -> None:
    page = told("", calm=True)
    page.page.evaluate(KEEP)
    page.page.mouse.click(5, 5)
    page.visitor.wait(RUNS)
    page.page.evaluate("() => window.sound.suspend()")  # the browser has told that it is over
    page.visitor.wait(RUNS)
    for again in (lambda: page.page.evaluate(SHOWN), lambda: page.page.mouse.click(5, 5)):
        page.page.evaluate(INTERRUPT)
        assert page.page.evaluate("() => window.sound.state") == "suspended"
        again()
        page.visitor.wait(RUNS)
    page.page.evaluate(COUNT)
    page.changed(pawns=page.scene["pawns"] | {"red": 46})
    page.visitor.wait("() => tones > 0")


@pytest.mark.long
def test_whoever_wants_captions_reads_each_sound_though_the_page_is_mute(told: Callable[..., Told]) -> None:
    page = told("", calm=True)
    page.page.locator("#settings").click()
    page.page.get_by_label("Captions for sounds").check()
    page.page.get_by_label("Sound", exact=True).uncheck()
    page.page.keyboard.press("Escape")
    page.changed(**bus_taken(page))
    page.visitor.see("#caption:text('♪ A pawn is set down')")
    page.visitor.see("#caption:empty")


@pytest.mark.parametrize(
    ("seats", "heard"),
    [
        ({}, "♪ A pawn is set down ♪ A chime: it is your turn"),
        ({"mr_x": "hard"}, "♪ A pawn is set down ♪ A chime: it is your turn"),
        ({"1": "hard"}, "♪ A pawn is set down"),
    ],
)
@pytest.mark.long_but_first
def test_only_a_persons_turn_is_rung_in(told: Callable[..., Told], seats: dict[str, str], heard: str) -> None:
    page = told("", calm=True)
    page.page.locator("#settings").click()
    page.page.get_by_label("Captions for sounds").check()
    page.page.keyboard.press("Escape")
    for turn, at in (("mr_x", 101), ("red", 102)):
        page.changed(turn=[turn], seats=seats, pawns=page.scene["pawns"] | {"yellow": at})
        page.visitor.see(f"[data-owner='yellow'] .at:text('{at}')")
    assert page.page.locator("#caption").inner_text() == heard


def test_every_sound_has_its_caption() -> None:
    synthesizer, captions = (
        (STATIC / "sounds" / f"{name}.js").read_text(encoding="utf-8") for name in ("synthesizer", "captions")
    )
    sounds = re.findall(r"^  (\w+): \[", synthesizer.partition("const SOUNDS")[2], re.MULTILINE)
    assert len(sounds) > 5
    assert sounds == re.findall(r"^  (\w+): gettext", captions, re.MULTILINE)
