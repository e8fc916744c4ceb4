"""Read a TOML file, and describe its errors for people."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

from firmware_host.system.file_faults import reading_fault
from firmware_host.system.printable import printable


class ConfigError(ValueError):
    """The error that a configuration cannot be used. As text it lists its mistakes, one per line.

    Attributes:
        mistakes: every mistake found, each with its file, its place and what would be right.
    """

    def __init__(self, *mistakes: str) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


def complaint(error: Exception) -> str:
    """Return an error as one line, or a ConfigError as one line for each mistake. Pure."""
    mistakes = error.mistakes if isinstance(error, ConfigError) else (str(error),)
    return "\n".join(map(printable, mistakes))


LARGEST = 4_000_000
"""The most bytes of a file; the largest shipped one has 60,000."""


def digest(text: str) -> str:
    """Return the SHA-256 of a file's text, in hexadecimal digits. Pure."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def contents(path: Path) -> str:
    """Read the text of a file.

    Raises:
        ConfigError: the file cannot be read, is not a regular file, is too large, or is not UTF-8 text; the message
            names the file.
    """
    try:
        ends = path.is_file() or path.is_dir() or not path.exists()  # a pipe or a device may have no end
        size = path.stat().st_size if path.exists() else 0
        # Some editors write a byte order mark at the beginning.
        text = path.read_text(encoding="utf-8-sig") if ends and size <= LARGEST else ""
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}: line {line}: is not UTF-8 text; save it as UTF-8") from error
    except OSError as error:
        raise ConfigError(reading_fault(path, error)) from error
    except ValueError as error:
        raise ConfigError(f"{path}: the name has a zero byte; name a text file") from error
    if not ends:
        raise ConfigError(f"{path}: cannot be read: it is not a regular file; name a text file")
    if size > LARGEST:
        raise ConfigError(f"{path}: cannot be read: it has {size:,} bytes; at most {LARGEST:,} are allowed")
    return text


def toml(content: str, source: str) -> dict[str, Any]:
    """Parse a text in TOML. `source` names its file in messages.

    Raises:
        ConfigError: the text is not valid TOML; the message names the file and the line.
    """
    try:
        return tomllib.loads(content)
    except RecursionError as error:
        raise ConfigError(f"{source}: lists or tables are nested too deeply; a few levels are enough") from error
    except ValueError as error:  # most are TOMLDecodeError; absurdly long numbers are plain ValueError
        what, _, place = str(error).partition(" (at ")
        if place == "end of document)":
            place = f"line {content.count(chr(10)) + 1})"
        where = f"{place[:-1]}: " if place else ""
        line = re.match(r"line (\d+)", place)
        typed = _typing_mistake(content.split("\n")[int(line[1]) - 1]) if line else ""
        fault = (
            _set_twice(what, content, place)
            or typed
            or _plain_fault(what, content, line)
            or (f"is not valid TOML: {what}; {_LINES}")
        )
        raise ConfigError(f"{source}: {where}{fault}") from error


_LINES = 'a line is [section], or key = value with texts in quotes, such as rules = "classic"'
"""What a line of TOML is, for errors."""

_FAULTS = {
    "Expected '=' after a key in a key/value pair": 'there is no "=" after the key; write key = value',
    "Expected ']' at the end of a table declaration": 'the heading does not end with "]"; write [section]',
    "Expected ']]' at the end of an array declaration": 'the heading does not end with "]]"; write [section]',
    "Expected newline or end of document after a statement": "more follows after the value; write one key on each line",
    "Illegal character '\\n'": "the text has no quote at its end; add the quote",
    "Unterminated string": "the text has no quote at its end; add the quote",
    "Unclosed array": 'the list does not end with "]"; add it',
    "Unclosed inline table": 'the "{" is not followed by "}"; add it',
    "Unescaped '\\' in a string": "the text has a single \\; write \\\\ in its place",
}
"""tomllib's messages -> the fault in plain words, and what would be right."""

_BARE = re.compile(r"=\s*([A-Za-z][\w./-]*)\s*(?:#.*)?")
"""A value that is a word without quotes."""


def _plain_fault(what: str, content: str, line: re.Match[str] | None) -> str:
    """Return tomllib's message in plain words, with what would be right, or "" if it has no such form."""
    if what != "Invalid value" or line is None:
        return _FAULTS.get(what, "")
    text = content.split("\n")[int(line[1]) - 1]
    bare = _BARE.search(text)
    if bare is None:
        return 'there is no value after "="; write key = value' if text.rstrip().endswith("=") else ""
    word = bare[1]
    truth = {"True": "true", "yes": "true", "on": "true", "False": "false", "no": "false", "off": "false"}.get(word)
    return (
        f'{word} has no quotes; write {truth}, or "{word}" for a text'
        if truth
        else (f'{word} has no quotes; write "{word}"')
    )


_TYPED = {
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", ("a curly quote", '"')),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032", ("a curly quote", "'")),
    **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", ("a space of another kind", "a plain space")),
    **dict.fromkeys("\u200b\u200e\u200f\u2060\ufeff", ("a character that cannot be seen", "nothing")),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", ("a dash", "-")),
    "\uff1d": ("a wide equals sign", "="),
}
"""Characters that phones and word processors substitute: the name of each, and what TOML needs."""

_PLAIN_TEXT = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*")
_WITH_COMMAS = re.compile(r"=\s*([+-]?\d+,\d+|[+-]?\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?)\s*$")
"""A number in people's notation: 680,5 or 1.680,5 or 1,000,000."""


def _typing_mistake(line: str) -> str:
    """Return the probable cause of a faulty line, such as quotes of a word processor, or ""."""
    if "\0" in line:
        return "holds zero bytes, as a power cut can leave them; put your copy of the file in its place"
    bare = _PLAIN_TEXT.sub(lambda text: '""' if text[0][0] != "#" else "", line)
    for char in bare:
        if char in _TYPED:
            what, right = _TYPED[char]
            return f"{char if char.isprintable() else f'U+{ord(char):04X}'} is {what}: write {right} in its place"
    number = _WITH_COMMAS.search(bare)
    if number is None:
        return ""
    typed = number[1]
    mark = max(",.", key=typed.rfind)
    whole, _, part = typed.rpartition(mark)
    if not re.search(r"[.,]", whole):
        either = f" or {whole}{part}" if len(part) == 3 else ""
        return f"{typed} has a decimal comma: write {whole}.{part}{either}"
    digits = re.sub(r"[.,]", "", whole)
    return f"{typed} has commas between its digits: write {digits}{part if mark in whole else f'.{part}'}"


_KEY = re.compile(r"""\s*([\w."' -]+?)\s*=""")


def _set_twice(what: str, content: str, place: str) -> str:
    """Return an error text if tomllib's error means that a key or heading is set twice, else ""."""
    if heading := re.fullmatch(r"Cannot declare \((.*?),?\) twice", what):
        name = ".".join(re.findall(r"'([^']*)'", heading[1]))
        return f"[{name}] is there twice; write all its keys below one of them"
    if key := re.fullmatch(r"Duplicate inline table key '(.*)'", what):
        return f'"{key[1]}" is set twice; keep one of them'
    line = re.match(r"line (\d+)", place)
    if what != "Cannot overwrite a value" or line is None:
        return ""
    before = content.splitlines()[: int(line[1])]  # a value may span several lines, and its key is on the first
    found = next((key[1] for text in reversed(before) if (key := _KEY.match(text))), "a key").partition(".")[0]
    return f'"{found}" is set twice; keep one of them'
