"""Texts from elsewhere, such as a driver's words, a file's name, a stranger's tape: made fit for terminal and log."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text without anything that would end a line, hide in it, turn it round or move a cursor. Pure."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable_lines(text: str) -> str:
    """The same of each line of a text. Pure."""
    return "\n".join(map(printable, text.splitlines()))
