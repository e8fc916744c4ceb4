"""Define the finding of a check, with its advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of one check.

    Attributes:
        level: "ok", "warning" (it works, but not well) or "error" (it does not).
        what: the finding, in one sentence.
        advice: the remedy: the line, the file, the command. Empty if nothing needs to be done.
    """

    level: Level
    what: str
    advice: str = ""


def ok(what: str) -> Finding:
    """Return the finding that something is right."""
    return Finding("ok", what)


def warning(what: str, advice: str) -> Finding:
    """Return the finding that something works, but not well."""
    return Finding("warning", what, advice)


def error(what: str, advice: str) -> Finding:
    """Return the finding that something does not work."""
    return Finding("error", what, advice)
