"""Draw a board's wiring diagrams from its configuration, for `yardboard wiring draw`.

A diagram consists of sheets, each one page of A4 landscape. The drivers and the number of chips and lamps decide which
sheets there are; the configuration decides everything on them. Pure.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from pkgutil import resolve_name

from firmware_host.commissioning.diagrams import svg_sheet
from firmware_host.commissioning.diagrams.pi_header import draw_header
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError
from firmware_host.ui.drawing.canvas import Canvas, Svg

Drawer = Callable[[Canvas, Config, str], None]
"""Draws one sheet on a canvas, from the configuration; the text is the configuration file's name."""


def sheets(config: Config) -> tuple[str, ...]:
    """Return the names of a board's sheets in the order of soldering, such as "header", "chain", "chips-2".

    Raises:
        ConfigError: the board is simulated.
    """
    return tuple(_sheets(config))


def draw(config: Config, what: str) -> str:
    """Draw a sheet as an SVG document, whose parts have ids such as "gpio-21", "chip-8-F" and "lamp-57".

    Args:
        config: the board.
        what: one of `sheets`.

    Raises:
        ConfigError: the board is simulated, or has no such sheet.
    """
    canvas = Svg(svg_sheet.WIDTH, svg_sheet.HEIGHT, svg_sheet.PAPER, millimetres=svg_sheet.MILLIMETRES, fixed=True)
    draw_on(canvas, config, what)
    return canvas.finish()


def draw_on(canvas: Canvas, config: Config, what: str) -> None:
    """Draw a sheet on a canvas of `svg_sheet.WIDTH` by `svg_sheet.HEIGHT`.

    Raises:
        ConfigError: as for `draw`.
    """
    known = _sheets(config)
    if what not in known:
        raise ConfigError(f"{config.source}: there is no sheet {what!r}; this board's sheets are {', '.join(known)}")
    known[what](canvas, config, PurePath(config.source).name)


def _sheets(config: Config) -> dict[str, Drawer]:
    """Return the drawing function of each sheet by name: first that of the Pi's header, then the drivers'."""
    if config.simulated:
        raise ConfigError(f"{config.source}: {config.simulation}")
    found: dict[str, Drawer] = {"header": draw_header}
    for device in config.devices.values():
        if device.driver.sheets:
            found |= resolve_name(device.driver.sheets)(config)
    return found
