"""Wrap a value that only Mister X may know, so that printing it reveals nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, repr=False)
class Secret(Generic[T]):
    """A value that must never be printed, logged or shown to the table.

    It compares and hashes like its value, so games can be compared, but it prints as `Secret(…)`. Its type is not that
    of the value: code that makes the value public has to write `.value`, which readers and type checkers notice.
    """

    value: T

    def __repr__(self) -> str:
        return "Secret(…)"

    def __format__(self, spec: str) -> str:
        return format("Secret(…)", spec)
