"""Save a picture of a simulated table to a file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware_host.rules.actions import MR_X
from firmware_host.simulator.simulated_table import SimulatedTable
from firmware_host.system.plain_faults import writing_fault
from firmware_host.ui.drawing import board_picture
from firmware_host.ui.lamp_plan import Colour


def save(simulated: SimulatedTable, path: Path | str) -> None:
    """Draw the board with its lamps and pawns into a file.

    Once the game is over, the picture also shows Mister X's route.

    Args:
        simulated: the table; a game must have begun.
        path: the file, which ends in ".svg" or ".png".

    Raises:
        ValueError: the file's name ends otherwise.
        NoGame: no game has begun yet.
        OSError: the file cannot be written; the message says why.
    """
    path = Path(path)
    if path.suffix.lower() not in (".svg", ".png"):
        raise ValueError(f"{path}: must end in .png or .svg")
    view = simulated.public
    drawn: dict[str, Any] = {
        "lamps": _as_seen(simulated.station_leds()),
        "log_lamps": _as_seen(simulated.log_leds()),
        "pawns": view.pawns,
        "routes": {MR_X: view.route} if view.route else {},
        **board_picture.panel_content(view),
        "caption": simulated.prompt_text,
    }
    try:
        if path.suffix.lower() == ".svg":
            path.write_text(board_picture.svg(view.network, **drawn), encoding="utf-8")
        else:
            board_picture.png(view.network, **drawn).save(path, "PNG")
    except OSError as error:
        fault = type(error)(writing_fault(path, error))
        fault.errno = error.errno
        raise fault from None


def _as_seen(lit: Mapping[int, Colour]) -> dict[int, Colour]:
    """Convert the lamps' power to perceived brightness: a quarter of the power looks about half as bright."""
    return {number: (_gamma(red), _gamma(green), _gamma(blue)) for number, (red, green, blue) in lit.items()}


def _gamma(level: int) -> int:
    return round(255 * math.pow(level / 255, 1 / 2.2))
