"""The machinery of settings: each key is defined once, and read and explained from that one definition.

A section is a frozen dataclass whose fields are made by the functions below that give a `Key`: `number`, `choice`,
`text` and so on. `read` takes the content of a file for such sections and gathers everything that is wrong with it,
so that a file is mended in one go. A faulty key keeps its default meanwhile, and `Draft.sound` tells later
checks not to complain of it a second time.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import Link, parse_link
from firmware_host.rules.network import shown as shortened


class ConfigError(ValueError):
    """A configuration that cannot be used. It prints as its mistakes, one a line.

    Attributes:
        mistakes: every mistake found, each with its file, its place and what would be right.
    """

    def __init__(self, *mistakes: str) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes

    def __str__(self) -> str:
        return "\n".join(self.mistakes)


Fault = tuple[str, str]
"""What is wrong with a value: the line within it ("" for the value as a whole), and the complaint."""

_MARK = "yardboard.key"
_ROW = re.compile(r"[1-9][0-9]{0,4}")
_N = TypeVar("_N", int, float)


@dataclass(frozen=True, slots=True)
class Key:
    """What may stand under one key.

    Attributes:
        default: what stands there if the key is left out, as a file would hold it.
        doc: one line for people.
        kind: what it is, in words: "a whole number".
        faults: tells everything that is wrong with a value out of a file.
        bounds: what of its kind is allowed: "from 3 to 6"; empty where all is.
        unit: the unit's short sign, such as "ms"; empty where it has none.
        value: makes a faultless value out of a file what the program works with.
        line: for a key that is a section of its own: how its lines look, "station = input".
        only: the choices of the section's `driver` for which the key is read; empty: for all.
    """

    default: Any
    doc: str
    kind: str
    faults: Callable[[Any], list[Fault]]
    bounds: str = ""
    unit: str = ""
    value: Callable[[Any], Any] = lambda value: value
    line: str = ""
    only: tuple[str, ...] = ()

    def right(self) -> str:
        """What would be right, for the end of a complaint."""
        allowed = " ".join(part for part in (self.kind, self.bounds, self.unit) if part)
        return f"write {allowed} (default {self.shown_default()})"

    def shown_default(self) -> str:
        """The default as a file would hold it, with its unit."""
        if self.line:
            return "no lines"
        return f"{shown(self.default)} {self.unit}".rstrip()


def number(default: _N, *, low: _N, high: _N, doc: str, unit: str = "", only: tuple[str, ...] = ()) -> _N:
    """A key that holds a number from `low` to `high`, both allowed; a whole one if the default is whole."""
    wanted = type(default)
    kind = "a whole number" if wanted is int else "a number"

    def faults(value: Any) -> list[Fault]:
        if type(value) is not int and not (type(value) is float and wanted is float):
            return [("", f"{shown(value)} is not {kind}")]  # true is no number, 3.0 no whole one
        if not low <= value <= high:  # written like this, it refuses NaN too
            return [("", f"{shown(value)} is out of range")]
        return []

    key = Key(default, doc, kind, faults, f"from {low} to {high}", unit, wanted, only=only)
    return field(default=default, metadata={_MARK: key})


def choice(default: str, *, of: tuple[str, ...], doc: str, only: tuple[str, ...] = ()) -> str:
    """A key that holds one of some words."""

    def faults(value: Any) -> list[Fault]:
        if isinstance(value, str) and value in of:
            return []
        near = get_close_matches(value, of, 1) if isinstance(value, str) else []
        meant = f" (did you mean {shown(near[0])}?)" if near else ""
        return [("", f"{shown(value)} is no known choice{meant}")]

    key = Key(default, doc, "one of", faults, ", ".join(map(shown, of)), only=only)
    return field(default=default, metadata={_MARK: key})


def text(default: str, *, doc: str, only: tuple[str, ...] = ()) -> str:
    """A key that holds any text."""
    key = Key(default, doc, "a text in quotes", _faults_of_text, only=only)
    return field(default=default, metadata={_MARK: key})


def texts(default: tuple[str, ...], *, doc: str, only: tuple[str, ...] = ()) -> tuple[str, ...]:
    """A key that holds a list of texts."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{shown(value)} is not a list")]
        return [fault for item in value for fault in _faults_of_text(item)]

    key = Key(list(default), doc, "a list of texts in quotes", faults, value=tuple, only=only)
    return field(default=default, metadata={_MARK: key})


def _faults_of_text(value: object) -> list[Fault]:
    if not isinstance(value, str):
        return [("", f"{shown(value)} is not a text")]
    return [] if value.isprintable() else [("", f"{shown(value)} holds a character that cannot be printed")]


def flag(default: bool, *, doc: str, only: tuple[str, ...] = ()) -> bool:
    """A key that holds true or false; 0 and 1 are neither."""

    def faults(value: Any) -> list[Fault]:
        return [] if isinstance(value, bool) else [("", f"{shown(value)} is neither true nor false")]

    return field(default=default, metadata={_MARK: Key(default, doc, "true or false", faults, only=only)})


def integers(
    default: tuple[int, ...] = (), *, low: int, high: int, doc: str, only: tuple[str, ...] = ()
) -> tuple[int, ...]:
    """A key that holds a list of whole numbers from `low` to `high`."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{shown(value)} is not a list")]
        wrong = [item for item in value if type(item) is not int or not low <= item <= high]
        return [("", f"{shown(item)} does not belong in it") for item in wrong]

    key = Key(list(default), doc, "a list of whole numbers", faults, f"from {low} to {high}", value=tuple, only=only)
    return field(default=default, metadata={_MARK: key})


def links(*, doc: str) -> tuple[Link, ...]:
    """A key that holds a list of links such as ["taxi 13-14"], empty by default."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{shown(value)} is not a list")]
        return [("", why) for why in map(_why_no_link, value) if why]

    def value(items: list[str]) -> tuple[Link, ...]:
        return tuple(map(parse_link, items))

    key = Key([], doc, 'a list of links such as ["taxi 13-14"]', faults, value=value)
    return field(default=(), metadata={_MARK: key})


def _why_no_link(value: object) -> str:
    if not isinstance(value, str):
        return f"{shown(value)} is not a link"
    try:
        parse_link(value)
    except BadMap as error:
        return str(error)
    return ""


def table(row: str, entry: str, *, high: int, doc: str) -> Mapping[int, int]:
    """A key that is a section of lines `row = entry`, empty by default; entries run from 0 to `high`."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{shown(value)} is not a section of its own")]
        found: list[Fault] = []
        for key, item in value.items():
            if not _ROW.fullmatch(key):
                found.append((_name(key), f"a {row} is called by a number from 1 up"))
            elif type(item) is not int:
                found.append((key, f"{shown(item)} is not a whole number"))
            elif not 0 <= item <= high:
                found.append((key, f"{shown(item)} is out of range"))
        return found

    def value(lines: dict[str, int]) -> dict[int, int]:
        return {int(key): item for key, item in lines.items()}

    kind, bounds = f"lines of {row} = {entry}, two whole numbers", f"with {entry}s from 0 to {high}"
    key = Key({}, doc, kind, faults, bounds, value=value, line=f"{row} = {entry}")
    return field(default_factory=dict, metadata={_MARK: key})


def pins(names: tuple[str, ...], *, high: int, doc: str, only: tuple[str, ...] = ()) -> Mapping[str, int]:
    """A key that is a section of lines `name = pin` for some of `names`, empty by default; pins are 0 to `high`."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{shown(value)} is not a section of its own")]
        found: list[Fault] = []
        for key, item in value.items():
            if key not in names:
                found.append((_name(key), f"there is no such key on the table; {_meant(key, names)}"))
            elif type(item) is not int:
                found.append((key, f"{shown(item)} is not a whole number"))
            elif not 0 <= item <= high:
                found.append((key, f"{shown(item)} is out of range"))
        return found

    key = Key({}, doc, "lines of key = GPIO", faults, f"from 0 to {high}", line="key = GPIO", only=only)
    return field(default_factory=dict, metadata={_MARK: key})


def pairs(names: tuple[str, ...], *, doc: str, only: tuple[str, ...] = ()) -> Mapping[str, str]:
    """A key that is a section of lines `"name" = "name"`, both out of `names`, empty by default."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{shown(value)} is not a section of its own")]
        strange = [(key, word) for key, item in value.items() for word in (key, item) if word not in names]
        return [(_name(key), f"{shown(word)} is no key of the table") for key, word in strange]

    key = Key({}, doc, 'lines of "key" = "key"', faults, f"such as {names[0]}", line='"key" = "key"', only=only)
    return field(default_factory=dict, metadata={_MARK: key})


def freely(row: str, *, doc: str) -> Mapping[str, str | int | bool]:
    """A key that is a section of lines `row = value`; which rows there are is known elsewhere. Empty by default."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{shown(value)} is not a section of its own")]
        wrong = [(key, item) for key, item in value.items() if type(item) not in (str, int, bool)]
        return [(_name(key), f"{shown(item)} is no text, whole number, true or false") for key, item in wrong]

    key = Key({}, doc, f"lines of {row} = value", faults, "", line=f"{row} = value")
    return field(default_factory=dict, metadata={_MARK: key})


def keys(section: type) -> dict[str, Key]:
    """The keys of a section class, in order."""
    return {f.name: f.metadata[_MARK] for f in fields(section)}


class Draft:
    """A configuration as far as it could be read.

    Attributes:
        source: the file's name, for messages.
        sections: section name -> its object; a faulty key has its default.
        mistakes: everything found so far, each a line for people.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.sections: dict[str, Any] = {}
        self.mistakes: list[str] = []
        self._unsound: set[tuple[str, str]] = set()

    def complain(self, section: str, key: str, what: str) -> None:
        """Note a mistake. A section may be one within another ("lamps.log"); no key means all of it."""
        place = f"[{section}] {key}".rstrip()
        self.mistakes.append(f"{self.source}: {place}: {what}")
        outer, _, inner = section.partition(".")
        self._unsound.add((outer, inner or key))

    def sound(self, section: str, *names: str) -> bool:
        """Whether nothing was wrong with these keys of a section."""
        return not any((section, name) in self._unsound for name in names)

    def sound_in(self, *sections: str) -> bool:
        """Whether nothing at all was wrong in these sections."""
        return not any(section in sections for section, _ in self._unsound)


def read(sections: Mapping[str, type], data: Mapping[str, Any], source: str) -> Draft:
    """Read the content of a TOML file for some sections: name -> dataclass made of keys.

    Never raises for anything that stands in the file: every mistake is in the draft.
    """
    draft = Draft(source)
    for name, value in data.items():
        if name not in sections:
            draft.mistakes.append(f"{source}: {_stray(name, value, sections)}")
        elif not isinstance(value, dict):
            what = f"{shown(value)} is not a section; write [{name}] on a line of its own and its keys below"
            draft.mistakes.append(f"{source}: [{name}]: {what}")
    for name in sections:
        value = data.get(name)
        draft.sections[name] = _section(draft, name, sections, value if isinstance(value, dict) else {})
    return draft


def _section(draft: Draft, name: str, sections: Mapping[str, type], data: Mapping[str, Any]) -> Any:
    known = keys(sections[name])
    good = {}
    for key, value in data.items():
        if key not in known:
            draft.complain(name, _name(key), f"unknown key; {_instead(name, key, sections)}")
            continue
        faults = known[key].faults(value)
        for line, what in faults:
            place = (f"{name}.{key}", line) if line else (name, key)
            draft.complain(*place, f"{what}; {known[key].right()}")
        if not faults:
            good[key] = known[key].value(value)
    section = sections[name](**good)
    for key in good:
        only = known[key].only
        if only and section.driver not in only:
            what = f"with driver = {shown(section.driver)} nothing reads it; it is for {' and '.join(map(shown, only))}"
            draft.complain(name, key, what)
    return section


def _stray(name: str, value: object, sections: Mapping[str, type]) -> str:
    """The complaint about something at the top of the file that is no section of it."""
    if isinstance(value, dict):
        return f"[{_name(name)}]: unknown section; {_meant(name, sections)}"
    homes = [f"[{other}]" for other, section in sections.items() if name in keys(section)]
    where = f"it belongs below {' or '.join(homes)}" if homes else "every key belongs below its section"
    return f"{_name(name)}: stands outside all sections; {where}"


def _instead(name: str, key: str, sections: Mapping[str, type]) -> str:
    """What the writer of an unknown key may have had in mind: a key of this section, or of another one."""
    known = keys(sections[name])
    homes = [f"[{other}]" for other, section in sections.items() if key in keys(section)]
    if homes and not get_close_matches(key, known, 1, 0.8):
        return f"it belongs below {' or '.join(homes)}"
    return _meant(key, known)


def _meant(word: str, known: Iterable[str]) -> str:
    """A guess at the name that was meant, or else all that are known."""
    names = list(known)
    near = get_close_matches(word, names, 1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"


def explained(sections: Mapping[str, type]) -> str:
    """Every section and key for a terminal; the sections' docstrings explain them."""
    lines: list[str] = []
    for name, section in sections.items():
        lines += [f"[{name}] {section.__doc__}", ""]
        for title, key in _titled(name, section):
            allowed = " ".join(part for part in (key.kind, key.bounds, key.unit) if part)
            lines += [f"  {title}: {allowed}; default {key.shown_default()}", f"      {_told(key)}"]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def explained_in_markdown(sections: Mapping[str, type]) -> str:
    """Every section and key as Markdown: a heading and a table for each section."""
    lines: list[str] = []
    for name, section in sections.items():
        lines += [f"## `[{name}]`", "", str(section.__doc__), ""]
        lines += ["| key | what to write | unit | default | meaning |", "|---|---|---|---|---|"]
        for title, key in _titled(name, section):
            default = key.shown_default() if key.line else f"`{shown(key.default)}`"
            cells = (f"`{title}`", f"{key.kind} {key.bounds}".rstrip(), key.unit, default, _told(key))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _told(key: Key) -> str:
    """What a key means, and for which drivers."""
    return f"For {' and '.join(map(shown, key.only))}: {key.doc}" if key.only else key.doc


def _titled(name: str, section: type) -> list[tuple[str, Key]]:
    """The keys of a section; one that is a section of its own comes under that section's heading."""
    return [(f"[{name}.{key}]" if what.line else key, what) for key, what in keys(section).items()]


def shown(value: object) -> str:
    """A value as a TOML file would have it, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 60 else value[:57] + "...", ensure_ascii=False)
    return shortened(value)


def _name(key: str) -> str:
    """A key for a message: in quotes where it could not be told from the words around it."""
    return key if re.fullmatch(r"[\w-]{1,40}", key) else shown(key)


def contents(path: Path) -> str:
    """The text of a file.

    Raises:
        ConfigError: it cannot be read, or is no text in UTF-8; the message names it.
    """
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{path}: line {line}: is no text in UTF-8; save it as UTF-8") from error
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte in it
        why = getattr(error, "strerror", None) or str(error)
        raise ConfigError(f"{path}: cannot be read: {why}") from error


def toml(content: str, source: str) -> dict[str, Any]:
    """What a TOML text says; `source` is its file's name, for messages.

    Raises:
        ConfigError: it is no TOML; the message names the file and the line.
    """
    try:
        return tomllib.loads(content)
    except RecursionError as error:
        raise ConfigError(f"{source}: is nested too deeply; a few levels are all it needs") from error
    except ValueError as error:  # most are TOMLDecodeError; absurdly long numbers are plain ValueError
        what, _, place = str(error).partition(" (at ")
        if place == "end of document)":
            place = f"line {content.count(chr(10)) + 1})"
        where = f"{place[:-1]}: " if place else ""
        raise ConfigError(f"{source}: {where}is no TOML: {what}") from error
