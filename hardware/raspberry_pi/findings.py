"""Say what a check of the machine has found, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found.

    Attributes:
        level: "ok", "warning" (it works, but not well) or "error" (it does not).
        what: what was found, in one sentence.
        advice: what to do about it: the line, the file, the command. Empty where nothing is to be done.
    """

    level: Level
    what: str
    advice: str = ""


def ok(what: str) -> Finding:
    """Return that something is right."""
    return Finding("ok", what)


def warning(what: str, advice: str) -> Finding:
    """Return that something works, but not well."""
    return Finding("warning", what, advice)


def error(what: str, advice: str) -> Finding:
    """Return that something does not work."""
    return Finding("error", what, advice)
