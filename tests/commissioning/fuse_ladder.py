"""Model the 5 V of a chain of lamps as a ladder of resistors: the current of each fuse while a lamp is shorted.

Supply, rails, fuses and wires are those of the sheets. Only the supply drives current, so all currents are in
proportion where the supply limits it.
"""

from __future__ import annotations

import numpy as np

from firmware_host.commissioning.diagrams.lamp_chain import feed_wire, fuse, rail_wire, strips, supply
from firmware_host.config.loader import Config
from firmware_host.maker.board_plan import plan_board
from firmware_host.maker.wire_list import reed_and_lamp_metres
from hardware.raspberry_pi.power_budget import RESISTIVITY

COLD_OHMS = {1.6: 0.053, 1.0: 0.2, 0.8: 0.25}
"""Amps of a quick-acting fuse of 5 × 20 mm -> its cold resistance; below 1.6 A estimates that are too high."""

CHAIN_WIRE = 0.25
"""Cross-section of the wires from lamp to lamp, in mm²."""


def pitch(config: Config) -> float:
    """Return the average metres of wire from one lamp to the next."""
    return reed_and_lamp_metres(config, plan_board(config))[1] / (config.layout.lamps - 1)


def fault_currents(config: Config, *, cut: bool = True) -> list[float]:
    """Return for each lamp the highest current of a fuse while this lamp is shorted, in multiples of its rating.

    The board has one strip, and 5 V is cut before each feed, or goes through it all.
    """
    (strip,) = strips(config)
    lamps, fed = len(strip), [place for place, lamp in enumerate(strip) if lamp.fed]
    # Nodes: 5 V of each lamp, ground of each lamp, the plus of the rails, their minus; the supply's minus is 0 V.
    plus, minus = 2 * lamps, 2 * lamps + 1
    conductance = np.zeros((2 * lamps + 2, 2 * lamps + 2))

    def join(a: int, b: int, ohms: float) -> None:
        conductance[[a, b], [a, b]] += 1 / ohms
        conductance[[a, b], [b, a]] -= 1 / ohms

    step = RESISTIVITY * pitch(config) / CHAIN_WIRE
    for place in range(1, lamps):
        join(lamps + place - 1, lamps + place, step)
        if not cut or place not in fed:
            join(place - 1, place, step)
    rail, wire = RESISTIVITY / rail_wire(config), RESISTIVITY / feed_wire(config)  # 1 m each
    rating, limit = fuse(config), supply(config)
    through = wire + COLD_OHMS[rating]
    for place in fed:
        join(plus, place, through)
        join(minus, lamps + place, wire)
    conductance[[plus, minus], [plus, minus]] += 1 / rail
    ohms = np.linalg.inv(conductance)
    worst = []
    for lamp in range(lamps):
        drop = ohms[:, lamp] - ohms[:, lamps + lamp]  # volts that each node loses for each amp of the short
        fault = 5 / (drop[lamp] - drop[lamps + lamp])
        shares = (drop[fed] - drop[plus]) / through
        worst.append(min(fault, limit) * float(max(shares)) / rating)
    return worst
