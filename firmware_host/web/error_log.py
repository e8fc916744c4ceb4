"""What of the server's mistakes is written to the log: each of them, once. What clients do wrong is not written."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LEVEL = "error"
"""From here on uvicorn tells of mistakes that are ours; below, who fetched what and who sent nonsense."""

_LOG = logging.getLogger("uvicorn.error")


class Once(logging.Filter):
    """Lets a mistake through the first time that it is made, however often somebody makes it happen."""

    def __init__(self) -> None:
        super().__init__()
        self._told = set[object]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether nothing was told of it yet."""
        mistake = _place(record)
        if mistake in self._told:
            return False
        self._told.add(mistake)
        return True


@contextmanager
def told_once() -> Iterator[None]:
    """Until the end of the `with`, what goes wrong on the loop that is running is told once."""
    once = Once()
    _LOG.addFilter(once)
    asyncio.get_running_loop().set_exception_handler(_tell)
    try:
        yield
    finally:
        _LOG.removeFilter(once)


def _tell(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _LOG.error(context["message"], exc_info=context.get("exception"))


def _place(record: logging.LogRecord) -> object:
    """Where in the program a mistake was made."""
    type_, _, trace = record.exc_info or (None, None, None)
    if trace is None:
        return record.msg
    frame, line = list(traceback.walk_tb(trace))[-1]
    return type_, frame.f_code, line
