"""Make foreign texts, such as a driver's message or a file's name, safe to print and to log."""

from __future__ import annotations


def printable(text: str) -> str:
    """Escape all characters that could end or reverse a line, be invisible or move the cursor. Pure."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable_lines(text: str) -> str:
    """Escape unsafe characters in each line of a text. Pure."""
    return "\n".join(map(printable, text.splitlines()))
