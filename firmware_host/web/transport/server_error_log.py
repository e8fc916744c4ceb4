"""Log each error of the server only once. Errors of browsers are not logged."""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

LEVEL = "error"
"""The level from which on uvicorn's log has only our errors. Below it, uvicorn logs requests and invalid data."""

_LOG = logging.getLogger("uvicorn.error")


class LogOnce(logging.Filter):
    """A log filter that lets each error pass only once, however often it occurs."""

    def __init__(self) -> None:
        super().__init__()
        self._logged = set[object]()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True for an error that has not been logged yet."""
        mistake = _place(record)
        if mistake in self._logged:
            return False
        self._logged.add(mistake)
        return True


@contextmanager
def log_errors_once() -> Iterator[None]:
    """Log each error on the running event loop only once, within the `with`."""
    once = LogOnce()
    _LOG.addFilter(once)
    asyncio.get_running_loop().set_exception_handler(_log_error)
    try:
        yield
    finally:
        _LOG.removeFilter(once)


def _log_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    _LOG.error(context["message"], exc_info=context.get("exception"))


def _place(record: logging.LogRecord) -> object:
    """Return where in the program an error was raised, or the message of a record without an exception."""
    type_, _, trace = record.exc_info or (None, None, None)
    if trace is None:
        return record.msg
    frame, line = list(traceback.walk_tb(trace))[-1]
    return type_, frame.f_code, line
