"""Draw the board's picture in another process, because on a thread it would slow the table down."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware_host.rules.network import Network
from firmware_host.system.language import gettext_noop, in_language, language, translatable
from firmware_host.ui.drawing import board_picture

PATIENCE = 60.0
"""The longest time for a picture, in seconds."""

_NOT_DRAWN = gettext_noop("The picture could not be drawn: {why}.")

_HOME = Path(__file__).resolve().parents[3]
_LOW = 10  # the drawing's niceness, so that the table comes first


class CannotDraw(RuntimeError):
    """The error that the picture could not be drawn. The message says why."""


def png(network: Network, drawn: Mapping[str, Any]) -> bytes:
    """Return the picture as a PNG file, drawn by another process. Call this on a thread that may wait.

    The picture's texts are in the caller's language.

    Args:
        network: the map, or the tiles in their layout.
        drawn: all other arguments of `board_picture.png`.

    Raises:
        CannotDraw: the other process failed or took too long.
    """
    request = pickle.dumps((language(), network, dict(drawn)))
    path = os.pathsep.join(filter(None, [str(_HOME), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path}
    try:
        done = subprocess.run(  # noqa: S603 - this module, by this interpreter
            [sys.executable, "-m", __name__], input=request, env=environment, capture_output=True, timeout=PATIENCE,
            check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        raise CannotDraw(translatable(_NOT_DRAWN, why=type(error).__name__)) from None
    if done.returncode or not done.stdout:
        raise CannotDraw(translatable(_NOT_DRAWN, why=done.returncode))
    return done.stdout


def main() -> None:
    """Draw a picture in the other process: read its description from stdin, write the file to stdout."""
    os.nice(_LOW)
    said_in, network, drawn = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
    file = io.BytesIO()
    with in_language(said_in):
        board_picture.png(network, **drawn).save(file, "PNG")
    sys.stdout.buffer.write(file.getvalue())


if __name__ == "__main__":
    main()
