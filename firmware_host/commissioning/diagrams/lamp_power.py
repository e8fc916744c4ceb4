"""Compute the lamps' power: the strips lamp by lamp, their feeds, fuses, wires and supply.

A quick-acting fuse carries 1.5 times its rating for an hour and blows within two seconds at 2.75 times it (IEC 60127-2,
standard sheet 2). So there is one for each feed, as small as the lamps behind it allow, and a supply that gives 2.75
times its rating. 5 V is cut before each feed, while data and ground go on: through a whole chain the fuses of several
feeds would share a short, and none would get 2.75 times its rating.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from firmware_host.config import device_checks
from firmware_host.config.drivers import neopixel_drivers
from firmware_host.config.drivers.neopixel_drivers import NeopixelSettings
from firmware_host.config.loader import Config
from hardware.current_limit import CHANNEL, IDLE
from hardware.raspberry_pi.pin_conflicts import reads_chain
from hardware.raspberry_pi.power_budget import SIZES, Budget, budget, wire_for

FUSES = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0)
"""Ratings of available fuses, in amps."""

BLOWS = 2.75
"""The multiple of its rating that blows a quick-acting fuse at once."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lamp in a strip.

    Attributes:
        number: in the configuration, from 0; None for a dead one.
        kind: "station", "log", "dead", or "spare" for an unused lamp.
        owner: number of the station or of the window; 0 for neither.
        fed: whether 5 V from the lamp before ends here, and 5 V and ground are fed in.
    """

    number: int | None
    kind: str
    owner: int
    fed: bool


def needs(config: Config) -> Budget:
    """Return the power budget of a table with this configuration."""
    sections, layout = config.sections, config.layout
    lamps: NeopixelSettings = sections["lamps"]
    panels = device_checks.screen_chips(sections, layout)
    used, dead = sum(lamps.strips) or layout.lamps, sum(lamps.dead)
    pull_ups = reads_chain(device_checks.claims(sections, layout))
    return budget(used, config.lamps.max_milliamps, config.pi.model, panels, dead, pull_ups=pull_ups)


def strips(config: Config) -> list[list[Lamp]]:
    """Return all strips, lamp by lamp in soldering order."""
    layout = config.layout
    owners = {lamp: ("station", station) for lamp, station in zip(layout.station_lamps, layout.stations, strict=True)}
    owners |= {lamp: ("log", window) for window, lamp in enumerate(layout.log_lamps, 1)}
    lengths = neopixel_drivers.strips(config.sections["lamps"], layout)
    total, feeds = sum(length for length, _ in lengths), needs(config).feeds
    found, first = [], 0
    for length, dead in lengths:
        points = max(1, math.ceil(feeds * length / total))
        fed = {round(point * length / points) for point in range(points)}
        strip = []
        for place in range(length):
            number = None if place < dead else first + place - dead
            kind, owner = ("dead", 0) if number is None else owners.get(number, ("spare", 0))
            strip.append(Lamp(number, kind, owner, place in fed))
        found.append(strip)
        first += length - dead
    return found


def fed_with(config: Config) -> float:
    """Return the most milliamps of one feed: all its lamps white, within the limit."""
    most = 0
    for strip in strips(config):
        fed = [place for place, lamp in enumerate(strip) if lamp.fed]
        most = max(most, *(after - before for before, after in pairwise([*fed, len(strip)])))
    return min(needs(config).lamps, most * (IDLE + 3 * CHANNEL))


def fuse(config: Config) -> float:
    """Return the amps of each feed's fuse: the smallest available one that carries the feed's current."""
    return next(amps for amps in FUSES if 1000 * amps >= fed_with(config))


def feed_wire(config: Config) -> float:
    """Return the cross-section in mm² of the wires of one feed, up to 1 m long."""
    return wire_for(1000 * fuse(config), 1)


def supply(config: Config) -> float:
    """Return the amps of the smallest supply for the lamps alone that can blow a feed's fuse."""
    least = max(needs(config).lamp_supply, BLOWS * fuse(config))
    return next(amps for amps in SIZES if amps >= least)


def rail_wire(config: Config) -> float:
    """Return the cross-section in mm² of the wires from the supply to the fuses, up to 1 m long."""
    return wire_for(1000 * supply(config), 1)
