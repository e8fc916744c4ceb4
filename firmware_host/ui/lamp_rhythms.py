"""Compute the colour of each lamp at a moment from its `Glow`, and the frame of all lamps.

Blinking, breathing and flashing are pure functions of the time, without state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from firmware_host.config.board_layout import BoardLayout
from firmware_host.referee.scene import Scene
from firmware_host.ui.lamp_plan import Colour, Glow, Rhythm, plan

ROUTE_STEP = 0.6
"""Seconds per station when Mister X's route is replayed. The route is dark for as long before its first station."""

ROUTE_REST = 30
"""Steps during which the end of the route is shown before the replay repeats."""


def paint(glow: Glow, now: float) -> Colour:
    """Return the colour of a glow at a moment. Pure."""
    return _PAINTERS[glow.rhythm](glow, now)


def _steady(level: float) -> Callable[[Glow, float], Colour]:
    """Return a rhythm that shows one colour at constant brightness."""
    return lambda glow, _: _shade(glow.colours[0], level)


def _vary(of: Callable[[float], float]) -> Callable[[Glow, float], Colour]:
    """Return a rhythm that shows one colour, whose brightness (0 to 1) is a function of time."""
    return lambda glow, now: _shade(glow.colours[0], of(now))


def _alternate(hertz: float, level: float) -> Callable[[Glow, float], Colour]:
    """Return a rhythm that shows its colours one after another."""
    return lambda glow, now: _shade(glow.colours[int(now * hertz) % len(glow.colours)], level)


def _blink(hertz: float, level: float, on: float = 0.5) -> Callable[[Glow, float], Colour]:
    """Return a rhythm that is lit during the first part `on` of every period."""
    return _vary(lambda now: level if now * hertz % 1 < on else 0.0)


def _surface(glow: Glow, now: float) -> Colour:
    """Return a surfaced Mister X's colour: flashing twice a second for 3 s, then steady.

    If there are several colours, they then change every second.
    """
    age = now - glow.since
    if age < 3:
        return _shade(glow.colours[0], 1.0 if age % 1 < 0.15 or 0.3 <= age % 1 < 0.45 else 0.0)
    return _shade(glow.colours[int(now) % len(glow.colours)], 0.6)


def _advised(glow: Glow, now: float) -> Colour:
    """Return the colour of a destination that the coach advises: it flashes three times every 4 s."""
    flashes = now % 4 < 0.9 and now % 0.3 < 0.12
    dark = now % 4 < 1.1
    colour = glow.colours[int(now) % len(glow.colours)]
    return _shade(colour, 1.0 if flashes else 0.05 if dark else 0.4)


def _walk(glow: Glow, now: float) -> int:
    """Return the current step of the replay of Mister X's route: -1 before it, `glow.length` after it."""
    return min(int((now - glow.since) / ROUTE_STEP) % (1 + glow.length + ROUTE_REST) - 1, glow.length)


def _route(glow: Glow, now: float) -> Colour:
    """Return a route station's colour: dark before its step, white during it, then its ticket's colour."""
    step = _walk(glow, now)
    if step in glow.steps:
        return _shade(glow.colours[0], 1.0)
    been = sum(past < step for past in glow.steps)
    return _shade(glow.colours[been], 0.25) if been else (0, 0, 0)


def _caught(glow: Glow, now: float) -> Colour:
    """Return the colour of the station of capture: as on the route, then the catcher's bright colour."""
    return _route(glow, now) if _walk(glow, now) < glow.length else _shade(glow.colours[-1], 1.0)


def _cone(glow: Glow, now: float) -> Colour:
    """Return the colour of stations around the route's end: dark during the replay, then faint."""
    return _shade(glow.colours[0], 0.06 if _walk(glow, now) == glow.length else 0.0)


def _shade(colour: Colour, level: float) -> Colour:
    red, green, blue = colour
    return round(red * level), round(green * level), round(blue * level)


_PAINTERS: Mapping[Rhythm, Callable[[Glow, float], Colour]] = {
    Rhythm.STEADY: _steady(0.4),
    Rhythm.DIM: _steady(0.12),
    Rhythm.BREATHE: _vary(lambda now: 0.15 + 0.85 * (0.5 - 0.5 * math.cos(math.pi * now))),
    Rhythm.THINK: _vary(lambda now: 0.1 + 0.4 * max(0.0, math.sin(math.pi / 2 * now))),
    Rhythm.ARRIVED: _vary(lambda now: 0.15 + 0.85 * (0.5 - 0.5 * math.cos(4 * math.pi * now))),
    Rhythm.ALTERNATE: _alternate(1, 0.4),
    Rhythm.ASK: _alternate(4, 0.8),
    Rhythm.FAST: _blink(2.5, 1.0),
    Rhythm.FRANTIC: _blink(6, 1.0),
    Rhythm.SLOW: _blink(0.5, 0.3),
    Rhythm.SURFACE: _surface,
    Rhythm.BLIP: _blink(0.25, 0.5, 0.04),
    Rhythm.HUNCH: _vary(lambda now: 0.03 + 0.17 * (0.5 - 0.5 * math.cos(math.pi * now / 4)) ** 2),
    Rhythm.ADVICE: _advised,
    Rhythm.ROUTE: _route,
    Rhythm.CAUGHT: _caught,
    Rhythm.CONE: _cone,
}


def lit(glows: Mapping[int, Glow], now: float) -> dict[int, Colour]:
    """Return the lamps that are lit at a moment, by the number of their station or window."""
    painted = ((number, paint(glow, now)) for number, glow in glows.items())
    return {number: colour for number, colour in painted if any(colour)}


ANIMATED: frozenset[Rhythm] = frozenset(Rhythm) - {Rhythm.STEADY, Rhythm.DIM}
"""The rhythms that change with time."""


def frame(lamps: Iterable[tuple[int, Glow]], now: float, base: bytes) -> bytes:
    """Return the colours of all lamps at a moment, as a copy of `base` with the lit lamps changed.

    A frame has three bytes per lamp, lamp 0 first.
    """
    out = bytearray(base)
    for lamp, glow in lamps:
        out[3 * lamp : 3 * lamp + 3] = paint(glow, now)
    return bytes(out)


@dataclass(frozen=True, slots=True)
class LampFrame:
    """All lamps at one moment. Pure, so any thread can compute its colours at any later time.

    Attributes:
        shining: the colours as sent to the lamps, three bytes per lamp; None while the lamps do not answer.
        scene: the scene that the lamps show; None before the first.
        layout: the lamp of each station.
        at: the moment, in seconds of the table's clock.
        limit: dims another frame and limits its current, as was done to this frame.
    """

    shining: bytes | None
    scene: Scene | None
    layout: BoardLayout
    at: float
    limit: Callable[[bytes], bytes]

    def in_palette(self, palette: str) -> bytes | None:
        """Return the frame of all lamps in the colours of another palette, or None without `shining` or `scene`.

        Raises:
            KeyError: there is no such palette.
        """
        if self.shining is None or self.scene is None:
            return None
        glows = plan(self.scene, palette)
        lit = self.layout.by_lamp(glows.stations, glows.log)
        return self.limit(frame(lit, self.at, bytes(len(self.shining))))
