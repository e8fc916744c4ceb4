"""Nothing on the board is said by colour alone: every eye sees where a pawn may go, and which pawn is which."""

from __future__ import annotations

import io
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.colour_vision import EYES, contrast, distance
from tests.web.chromium import Visit
from tests.web.open_table import Lay
from tests.web.palettes import SETTINGS, tokens
from tests.web.test_contrast import APART
from tests.web.test_plays_taps import at_reds_turn

PAWNS = ("red", "yellow", "green", "blue", "purple", "white")
REACHABLE = 7.0
"""The least contrast within the ring of a station where a pawn may go, for every eye."""
OTHERS = 2.0
"""How many times less it is on all other stations."""

STATIONS = """() => {
  const box = one => one.getBoundingClientRect();
  const unit = box(document.querySelector("#paper")).width / document.querySelector("#paper").viewBox.baseVal.width;
  const drawn = "#pawns .pawn, #targets .sign, #targets .halo, #rings .ring, #last-moves g";
  const seen = [...document.querySelectorAll(drawn)].map(box);
  return [...document.querySelectorAll("#stations [data-station]")].map(one => {
    const { x, y, width, height } = box(one);
    const [cx, cy, far] = [x + width / 2, y + height / 2, 34 * unit];
    const near = seen.some(({ left, right, top, bottom }) =>
      left < cx + far && right > cx - far && top < cy + far && bottom > cy - far);
    const goes = document.querySelector(`#targets .halo[data-to="${one.dataset.station}"]:not(.refused)`) !== null;
    return { n: +one.dataset.station, x: cx, y: cy, unit, goes, near };
  });
}"""
"""Each station: where it is in pixels, whether a pawn may go there, and whether something else is drawn near it."""

LETTERS = """() => Object.fromEntries([...document.querySelectorAll("#pawns .pawn:not(.mr_x)")].map(one => {
  const letter = one.querySelector(".initial");
  return [one.dataset.pawn, [letter.textContent, letter.getBoundingClientRect().height]];
}))"""


Lights = NDArray[np.float64]

LINEAR = np.array([v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)])


@cache
def ring(unit: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The pixels around a station's middle that are in its ring, outside of its number: how far down, and right."""
    steps = np.arange(-40, 41)
    far = np.hypot(steps[:, None], steps)
    down, right = np.nonzero((21 * unit <= far) & (far <= 30 * unit))
    return down - 40, right - 40


def ring_contrast(lights: Lights, x: float, y: float, unit: float) -> float:
    """The contrast between the lightest and the darkest of a station's ring."""
    down, right = ring(unit)
    light = np.sort(lights[round(y) + down, round(x) + right])
    few = len(light) // 20
    return float((light[-1 - few] + 0.05) / (light[few] + 0.05))


def seen_by(picture: NDArray[np.uint8], eye: str) -> Lights:
    """How light each pixel of a picture is to an eye; to one with no cones at all it is as light as to one with all."""
    seen = np.clip(LINEAR[picture] @ np.array(EYES[eye]).T, 0, 1)
    lights: Lights = seen @ np.array([0.2126, 0.7152, 0.0722])
    return lights


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
def test_every_eye_sees_where_a_pawn_may_go(lay: Lay, visit: Visit, night: bool) -> None:
    _, page = at_reds_turn(lay, visit, size=(1440, 900))
    page.page.emulate_media(color_scheme="dark" if night else "light", reduced_motion="reduce")
    page.see(".view[data-receding]")
    page.page.wait_for_function("() => document.getAnimations().every(one => one.playState === 'finished')")
    stations = page.page.evaluate(STATIONS)
    picture = np.asarray(Image.open(io.BytesIO(page.page.screenshot())).convert("RGB"))
    for eye in EYES:
        lights = seen_by(picture, eye)
        found = {
            goes: [
                ring_contrast(lights, one["x"], one["y"], one["unit"])
                for one in stations
                if one["goes"] == goes and (goes or not one["near"])
            ]
            for goes in (True, False)
        }
        assert len(found[True]) > 5, eye
        assert len(found[False]) > 100, eye
        assert min(found[True]) >= REACHABLE, eye
        assert min(found[True]) >= OTHERS * max(found[False]), eye


@pytest.mark.parametrize("locale", ["de-DE", "fr-FR"])
def test_each_pawn_on_the_board_bears_its_letter(lay: Lay, visit: Visit, locale: str) -> None:
    _, page = at_reds_turn(lay, visit, locale=locale, size=(1280, 720))
    letters = page.page.evaluate(LETTERS)
    assert len(letters) == 3
    assert len({letter for letter, _ in letters.values()}) == 3
    assert min(height for _, height in letters.values()) >= 12


@pytest.mark.parametrize("setting", SETTINGS, ids="-".join)
def test_the_letter_of_a_pawn_can_be_read_by_every_eye(setting: tuple[str, str, str]) -> None:
    named = tokens(*setting)
    for pawn in PAWNS:
        assert contrast(named["ink"], named[f"pawn-{pawn}"]) >= 4.5, pawn
        for eye in EYES:
            assert distance(named["ink"], named[f"pawn-{pawn}"], eye) >= 2 * APART, (pawn, eye)
