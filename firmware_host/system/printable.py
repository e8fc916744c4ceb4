"""Texts from elsewhere, such as a driver's words, a file's name, a stranger's tape: made fit for terminal and log."""

from __future__ import annotations

from firmware_host.config.toml_reader import ConfigError


def printable(text: str) -> str:
    """A text without anything that would end a line, hide in it, turn it round or move a cursor. Pure."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable_lines(text: str) -> str:
    """The same of each line of a text. Pure."""
    return "\n".join(map(printable, text.splitlines()))


def complaint(error: Exception) -> str:
    """What an error says, in one line; of a configuration's mistakes each has its own. Pure."""
    mistakes = error.mistakes if isinstance(error, ConfigError) else (str(error),)
    return "\n".join(map(printable, mistakes))
