"""Make foreign texts (a driver's message, a file's name, a tape) safe for terminal and log."""

from __future__ import annotations


def printable(text: str) -> str:
    """Escape all characters that could end a line, hide in it, reverse it or move a cursor. Pure."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable_lines(text: str) -> str:
    """Make each line of a text printable. Pure."""
    return "\n".join(map(printable, text.splitlines()))
