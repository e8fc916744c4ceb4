"""Raise one exception when a WebSocket has closed, whichever library notices it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import WebSocketException


class ClosedLine(Exception):
    """The line is closed, by whichever side."""


@contextmanager
def closing_as_one_error() -> Iterator[None]:
    """Raise `ClosedLine` for whatever is raised in the block because the WebSocket has closed.

    Starlette and uvicorn say it by a RuntimeError where they have closed the line themselves or told of it once.
    A TimeoutError is an OSError, and no less the end of a line.
    """
    try:
        yield
    except (WebSocketDisconnect, WebSocketException, OSError, RuntimeError):
        raise ClosedLine from None
