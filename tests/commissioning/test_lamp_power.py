"""A short anywhere in the chain of lamps blows the fuse of its feed, for 5 V is cut before each feed."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from firmware_host.commissioning.diagram_command import draw
from firmware_host.commissioning.diagrams.lamp_chain import BLOWS, strips
from tests.commissioning.diagram_boards import BUILDS, build, rewired
from tests.commissioning.fuse_ladder import fault_currents


@pytest.mark.parametrize("name", [name for name in BUILDS if name != "london-pico"])  # its lamps are london-spi's
def test_wherever_the_chain_is_shorted_the_fuse_of_that_feed_blows_within_two_seconds(name: str) -> None:
    assert min(fault_currents(build(name))) >= BLOWS


@pytest.mark.parametrize("name", BUILDS)
def test_the_sheets_show_5_v_cut_before_every_feed_but_the_first(name: str) -> None:
    config = build(name)
    (strip,) = strips(config)
    root = ET.fromstring(draw(config, "lamps"))  # noqa: S314 - our own
    cuts = [node.get("id") for node in root.iter() if (node.get("id") or "").startswith("cut-")]
    assert cuts == [f"cut-{lamp.number}" for lamp in strip[1:] if lamp.fed]
    assert "Ground runs on through the whole strip; 5 V is cut before each feed." in draw(config, "lamps")
    assert "5 V is cut before this lamp, and comes in through a fuse." in draw(config, "order")


def test_a_strip_of_its_own_is_not_cut_where_it_begins() -> None:
    config = rewired(build("london-spi"), lamps={"spi": ("0.0", "5.0"), "strips": (20, 203)})
    assert [sum(lamp.fed for lamp in strip) for strip in strips(config)] == [1, 9]
    assert draw(config, "lamps").count('id="cut-') == 8
