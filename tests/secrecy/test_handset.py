"""The handset shows nothing to whoever happens to look at it when the table starts, stops or comes back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PIL import Image

from firmware_host.rules.actions import MrXMove
from firmware_host.rules.views import MrXView
from firmware_host.simulator import SimulatedTable
from firmware_host.table import handset as handsets
from firmware_host.table.handset import Look
from tests.table.played_table import begun, config, fault, hold, press

HELD = {"privacy": "hold", "blank_after_s": 20}


def shows_him(p: SimulatedTable) -> bool:
    """Whether his station can be read."""
    return any("197" in line for line in p.handset_lines())


def peeking() -> SimulatedTable:
    """A table at which Mister X, on 197, looks at his station."""
    p: SimulatedTable = begun(197, config(handset=HELD), red=74, yellow=13, green=26)
    hold(p, "handset.peek", 200)
    assert shows_him(p)
    return p


def test_after_a_power_cut_a_private_handset_shows_nothing_until_somebody_peeks() -> None:
    p = peeking()
    p.hardware.release("handset.peek")
    p.restart()
    for _ in range(40):
        p.advance(50)
        assert not shows_him(p)
    hold(p, "handset.peek", 200)
    assert shows_him(p)


def test_whoever_goes_on_peeking_while_the_handset_comes_back_sees_nothing_until_he_peeks_anew() -> None:
    p = peeking()
    fault(p, "handset", "unplug", 3000)
    p.hardware.fault("handset", "replug")
    for _ in range(40):
        p.advance(50)
        assert not shows_him(p)


@pytest.mark.parametrize(
    "before",
    [
        lambda _: None,
        lambda p: p.hardware.fault("lamps", "unplug"),
        lambda p: p.hardware.press("handset.select", 60),
        lambda p: (p.hardware.fault("handset", "unplug"), p.advance(100), p.hardware.fault("handset", "replug")),
        lambda p: p.hardware.fault("switches", "garbage"),
    ],
    ids=["at once", "without lamps", "in the menu", "just back", "noise"],
)
def test_when_it_ends_in_the_midst_of_peeking_the_screen_is_dark(before: Callable[[SimulatedTable], object]) -> None:
    p = peeking()
    before(p)
    p.close()
    assert p.hardware.handset.picture is None
    assert not p.hardware.lamps.lit() or not p.hardware.lamps.plugged


def test_his_screen_is_drawn_anew_for_what_changes_on_it_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """How much the processor does can be seen by everyone on the machine; a drawing is as dear as what is drawn."""
    p: SimulatedTable = begun(
        197, config(handset={"privacy": "open", "blank_after_s": 20}), red=74, yellow=13, green=26
    )
    press(p, "handset.up", 200)
    drawn: list[str] = []
    picture = handsets.picture

    def counted(look: Look, view: MrXView | None) -> Image.Image | None:
        drawn.append(look.kind)
        assert (view is not None) == (look.kind == "menu"), "not even looked at where nothing of it is drawn"
        return picture(look, view)

    monkeypatch.setattr(handsets, "picture", counted)
    for key in ("table.taxi", "table.confirm", "table.back", "table.confirm"):
        press(p, key, 300)
    fault(p, "lamps", "unplug", 2000)
    assert not drawn
    press(p, "handset.down", 200)
    p.choose(next(c for c in p.private.choices.value if isinstance(c, MrXMove)))
    p.advance(200)
    assert drawn
    assert {*drawn} == {"menu"}
    p.advance(21_000)
    assert drawn[-1] == "dark"
