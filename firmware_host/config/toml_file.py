"""Read a TOML file, and describe its errors for people."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path
from typing import Any

from firmware_host.system.plain_faults import reading_fault
from firmware_host.system.printable import printable
from firmware_host.system.secret_texts import hide_secrets


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
"""The most bytes of a file; the largest shipped one has 18,000."""


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
    content = content.replace("\r\n", "\n")
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
            or _missing_comma(what, content, place)
            or _plain_fault(what, content, place)
            or (f"is not valid TOML: {what}; {_LINES}")
        )
        if not typed and (unclosed := _unclosed(content, place)):
            where, fault = unclosed
        raise ConfigError(f"{source}: {where}{hide_secrets(fault)}") from error


_LINES = 'a line is [section], or key = value with texts in quotes, such as rules = "classic"'
"""What a line of TOML is, for errors."""

_FAULTS = {
    "Expected '=' after a key in a key/value pair": 'there is no "=" after the key; write key = value',
    "Expected ']' at the end of a table declaration": 'the heading does not end with "]"; write [section]',
    "Expected ']]' at the end of an array declaration": 'the heading does not end with "]]"; write [section]',
    "Illegal character '\\n'": "the text has no quote at its end; add the quote",
    "Unterminated string": "the text has no quote at its end; add the quote",
    "Unclosed array": 'the list does not end with "]"; add it',
    "Unclosed inline table": 'the "{" is not followed by "}"; add it',
    "Unescaped '\\' in a string": "the text has a single \\; write \\\\ in its place",
    "Invalid hex value": "the text has a single \\; write \\\\ in its place",
}
"""tomllib's messages -> the fault in plain words, and what would be right."""

_KEY = re.compile(r"""\s*([\w."' -]+?)\s*=""")

_TOKEN = re.compile(r"""#[^\n]*|\"{3}|'{3}|["'\[\]{}]""")
_END_OF_TEXT = {
    '"': re.compile(r'(?:\\[^\n]|[^"\\\n])*(")?'),
    "'": re.compile(r"[^'\n]*(')?"),
    '"""': re.compile(r'(?:\\.|(?!"{3})[^\\])*("{3,5})?', re.DOTALL),
    "'''": re.compile(r"(?:(?!'{3}).)*('{3,5})?", re.DOTALL),
}
"""The rest of a text after its opening quotes; the group is missing if it has no closing quotes."""
_THINGS = {"[": ("list", "]"), "{": ("value in braces", "}")}


def _unclosed(content: str, place: str) -> tuple[str, str] | None:
    """Return where a list, inline table or text begins that has no end, and the fault. None for another fault."""
    lines, offset = content.split("\n"), _offset(content, place)
    mark, begin = _innermost(content, offset)
    begun, found, at_end = content.count("\n", 0, begin), content.count("\n", 0, offset), ", column" not in place
    begins_line = _KEY.match(lines[found]) or re.match(r"\s*\[+[\w. -]+\]+\s*(#.*)?$", lines[found])
    if not mark or not (at_end or (begun < found and begins_line)):
        return None
    thing, end = _THINGS.get(mark, ("text", mark))
    key = _KEY.match(lines[begun])
    name = f" ({key[1].strip()})" if key else ""
    shown = f'"{end}"' if mark in _THINGS else end
    return f"line {begun + 1}: ", f"the {thing} that begins here{name} has no {shown} at its end; add it"


def _missing_comma(what: str, content: str, place: str) -> str:
    """Return an error text if an entry of a list or inline table begins without a comma before it, else ""."""
    offset = _offset(content, place)
    entry = re.match(r"""[^\s,\]}#]+""", content[offset:])
    if what not in ("Unclosed array", "Unclosed inline table") or entry is None:
        return ""
    return f"there is no comma before {entry[0]}; write one between two entries"


def _offset(content: str, place: str) -> int:
    """Return the offset of tomllib's place, which begins like "line 2, column 3"; else the offset of the end."""
    found = re.match(r"line (\d+), column (\d+)", place)
    if found is None:
        return len(content)
    return sum(len(line) + 1 for line in content.split("\n")[: int(found[1]) - 1]) + int(found[2]) - 1


def _innermost(content: str, most: int) -> tuple[str, int]:
    """Return the innermost bracket or quotes that are still open at an offset, and where they are. Else ("", 0)."""
    opened, at = list[tuple[str, int]](), 0
    while (token := _TOKEN.search(content, at, most)) is not None:
        mark, at = token[0], token.end()
        if mark in _END_OF_TEXT:
            rest = _END_OF_TEXT[mark].match(content, at)
            if rest is None or rest[1] is None:
                return mark, token.start()
            at = rest.end()
        elif mark in _THINGS:
            opened.append((mark, token.start()))
        elif mark in "]}" and opened:
            opened.pop()
    return opened[-1] if opened else ("", 0)


def _plain_fault(what: str, content: str, place: str) -> str:
    """Return tomllib's message in plain words, with what would be right, or "" if it has no such form."""
    offset = _offset(content, place)
    rest = content[offset:].partition("\n")[0].strip()
    line = content[content.rfind("\n", 0, offset) + 1 :].partition("\n")[0]
    if what == "Expected newline or end of document after a statement":
        return _fault_of_more(rest, line)
    if what == "Invalid statement" and rest:
        return 'there is no key before "="; write key = value' if rest[0] == "=" else f"{rest} is not a line; {_LINES}"
    return _fault_of_value(rest, line) if what == "Invalid value" else _FAULTS.get(what, "")


def _fault_of_value(rest: str, line: str) -> str:
    """Return an error text for a line on which a value should begin at `rest`."""
    word = re.split(r"[,\]}#]", rest, maxsplit=1)[0].strip()
    truth = {"True": "true", "yes": "true", "on": "true", "False": "false", "no": "false", "off": "false"}.get(word)
    if truth:
        return f'{word} has no quotes; write {truth}, or "{word}" for a text'
    if word[:1].isalpha() and (hide_secrets(word) != word or "password" in line):
        return "the value has no quotes; write quotes around it"
    if word[:1].isalpha():
        return f'{word} has no quotes; write "{word}"'
    if word:
        twice = '"=" is there twice; write key = value'
        return twice if word[0] == "=" else f"{word} is not a value; write a number, true, false, or a text in quotes"
    if line.rstrip().endswith("="):
        return 'there is no value after "="; write key = value'
    return f'there is no value before "{rest[0]}"; write one there' if rest else ""


def _fault_of_more(rest: str, line: str) -> str:
    """Return an error text for a line on which `rest` follows after the value."""
    value = re.search(r"=\s*([^\s#]+)", line)
    if rest == ",":
        return 'a "," follows after the value; delete it'
    if value is not None and rest and value[1].endswith(rest) and value[1][0].isdigit():
        right = f'write "{value[1]}" for a text, or digits with at most one point for a number'
        return f"{value[1]} is neither a text nor a number; {right}"
    return f"{rest} follows after the value; write one key on each line"


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
