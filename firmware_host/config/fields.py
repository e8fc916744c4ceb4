"""The kinds of keys that a configuration may have: what may stand under each, and what to say if something else does.

A section of a configuration is a frozen dataclass whose fields are made by the functions below. Each gives the field's
default, and hangs a `ConfigKey` on the field, by which `settings` reads it, complains of it and explains it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, make_dataclass, replace
from difflib import get_close_matches
from ipaddress import ip_address
from typing import Any, TypeVar

from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import Link, parse_link
from firmware_host.rules.network import shorten as shortened

Fault = tuple[str, str]
"""What is wrong with a value: the line within it ("" for the value as a whole), and the complaint."""

_MARK = "yardboard.key"
_ROW = re.compile(r"[1-9][0-9]{0,4}")
_N = TypeVar("_N", int, float)
_C = TypeVar("_C", bound=type)


@dataclass(frozen=True, slots=True)
class ConfigKey:
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
        return f"{as_toml(self.default)} {self.unit}".rstrip()


def number(default: _N, *, low: _N, high: _N, doc: str, unit: str = "") -> _N:
    """A key that holds a number from `low` to `high`, both allowed; a whole one if the default is whole."""
    wanted = type(default)
    kind = "a whole number" if wanted is int else "a number"

    def faults(value: Any) -> list[Fault]:
        if type(value) is not int and not (type(value) is float and wanted is float):
            return [("", f"{as_toml(value)} is not {kind}")]  # true is no number, 3.0 no whole one
        if not low <= value <= high:  # written like this, it refuses NaN too
            return [("", f"{as_toml(value)} is out of range")]
        return []

    key = ConfigKey(default, doc, kind, faults, f"from {low} to {high}", unit, wanted)
    return field(default=default, metadata={_MARK: key})


def choice(default: str, *, of: tuple[str, ...], doc: str) -> str:
    """A key that holds one of some words."""

    def faults(value: Any) -> list[Fault]:
        if isinstance(value, str) and value in of:
            return []
        near = get_close_matches(value, of, 1) if isinstance(value, str) else []
        meant = f" (did you mean {as_toml(near[0])}?)" if near else ""
        return [("", f"{as_toml(value)} is no known choice{meant}")]

    key = ConfigKey(default, doc, "one of", faults, ", ".join(map(as_toml, of)))
    return field(default=default, metadata={_MARK: key})


def text(default: str, *, doc: str) -> str:
    """A key that holds any text."""
    key = ConfigKey(default, doc, "a text in quotes", _faults_of_text)
    return field(default=default, metadata={_MARK: key})


def address(default: str, *, doc: str) -> str:
    """A key that holds an IP address in quotes. A name may mean anything tomorrow, and nothing at boot."""

    def faults(value: Any) -> list[Fault]:
        try:
            ip_address(value if isinstance(value, str) else "")
        except ValueError:
            return [("", f"{as_toml(value)} is not an address")]
        return []

    return field(default=default, metadata={_MARK: ConfigKey(default, doc, "an IP address in quotes", faults)})


def texts(default: tuple[str, ...], *, doc: str) -> tuple[str, ...]:
    """A key that holds a list of texts."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{as_toml(value)} is not a list")]
        return [fault for item in value for fault in _faults_of_text(item)]

    key = ConfigKey(list(default), doc, "a list of texts in quotes", faults, value=tuple)
    return field(default=default, metadata={_MARK: key})


def _faults_of_text(value: object) -> list[Fault]:
    if not isinstance(value, str):
        return [("", f"{as_toml(value)} is not a text")]
    return [] if value.isprintable() else [("", f"{as_toml(value)} holds a character that cannot be printed")]


def flag(default: bool, *, doc: str) -> bool:
    """A key that holds true or false; 0 and 1 are neither."""

    def faults(value: Any) -> list[Fault]:
        return [] if isinstance(value, bool) else [("", f"{as_toml(value)} is neither true nor false")]

    return field(default=default, metadata={_MARK: ConfigKey(default, doc, "true or false", faults)})


def integers(default: tuple[int, ...] = (), *, low: int, high: int, doc: str) -> tuple[int, ...]:
    """A key that holds a list of whole numbers from `low` to `high`."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{as_toml(value)} is not a list")]
        wrong = [item for item in value if type(item) is not int or not low <= item <= high]
        return [("", f"{as_toml(item)} does not belong in it") for item in wrong]

    key = ConfigKey(list(default), doc, "a list of whole numbers", faults, f"from {low} to {high}", value=tuple)
    return field(default=default, metadata={_MARK: key})


def links(*, doc: str) -> tuple[Link, ...]:
    """A key that holds a list of links such as ["taxi 13-14"], empty by default."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{as_toml(value)} is not a list")]
        return [("", why) for why in map(_why_no_link, value) if why]

    def value(items: list[str]) -> tuple[Link, ...]:
        return tuple(map(parse_link, items))

    key = ConfigKey([], doc, 'a list of links such as ["taxi 13-14"]', faults, value=value)
    return field(default=(), metadata={_MARK: key})


def _why_no_link(value: object) -> str:
    if not isinstance(value, str):
        return f"{as_toml(value)} is not a link"
    try:
        parse_link(value)
    except BadMap as error:
        return str(error)
    return ""


def table(row: str, entry: str, *, high: int, doc: str) -> Mapping[int, int]:
    """A key that is a section of lines `row = entry`, empty by default; entries run from 0 to `high`."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{as_toml(value)} is not a section of its own")]
        found: list[Fault] = []
        for key, item in value.items():
            if not _ROW.fullmatch(key):
                found.append((name_of(key), f"a {row} is called by a number from 1 up"))
            elif type(item) is not int:
                found.append((key, f"{as_toml(item)} is not a whole number"))
            elif not 0 <= item <= high:
                found.append((key, f"{as_toml(item)} is out of range"))
        return found

    def value(lines: dict[str, int]) -> dict[int, int]:
        return {int(key): item for key, item in lines.items()}

    kind, bounds = f"lines of {row} = {entry}, two whole numbers", f"with {entry}s from 0 to {high}"
    key = ConfigKey({}, doc, kind, faults, bounds, value=value, line=f"{row} = {entry}")
    return field(default_factory=dict, metadata={_MARK: key})


def pins(names: tuple[str, ...], *, high: int, doc: str) -> Mapping[str, int]:
    """A key that is a section of lines `name = pin` for some of `names`, empty by default; pins are 0 to `high`."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{as_toml(value)} is not a section of its own")]
        found: list[Fault] = []
        for key, item in value.items():
            if key not in names:
                found.append((name_of(key), f"there is no such key on the table; {meant(key, names)}"))
            elif type(item) is not int:
                found.append((key, f"{as_toml(item)} is not a whole number"))
            elif not 0 <= item <= high:
                found.append((key, f"{as_toml(item)} is out of range"))
        return found

    key = ConfigKey({}, doc, "lines of key = GPIO", faults, f"from 0 to {high}", line="key = GPIO")
    return field(default_factory=dict, metadata={_MARK: key})


def pairs(names: tuple[str, ...], *, doc: str) -> Mapping[str, str]:
    """A key that is a section of lines `"name" = "name"`, both out of `names`, empty by default."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{as_toml(value)} is not a section of its own")]
        strange = [(key, word) for key, item in value.items() for word in (key, item) if word not in names]
        return [(name_of(key), f"{as_toml(word)} is no key of the table") for key, word in strange]

    key = ConfigKey({}, doc, 'lines of "key" = "key"', faults, f"such as {names[0]}", line='"key" = "key"')
    return field(default_factory=dict, metadata={_MARK: key})


def free_rows(row: str, *, doc: str) -> Mapping[str, str | int | bool]:
    """A key that is a section of lines `row = value`; which rows there are is known elsewhere. Empty by default."""

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{as_toml(value)} is not a section of its own")]
        wrong = [(key, item) for key, item in value.items() if type(item) not in (str, int, bool)]
        return [(name_of(key), f"{as_toml(item)} is no text, whole number, true or false") for key, item in wrong]

    key = ConfigKey({}, doc, f"lines of {row} = value", faults, "", line=f"{row} = value")
    return field(default_factory=dict, metadata={_MARK: key})


def as_in(section: type, name: str) -> Any:
    """Return a field like that of another class: both read the same key."""
    return _copy(next(field for field in fields(section) if field.name == name))


def keys(section: type) -> dict[str, ConfigKey]:
    """Return the keys of a section class, in order."""
    return {f.name: f.metadata[_MARK] for f in fields(section)}


def with_keys_of(readers: Mapping[str, tuple[type, Container[str]]], after: str = "driver") -> Callable[[_C], _C]:
    """Give a section class the keys that its drivers read, each marked with the drivers that do.

    Args:
        readers: name of a driver -> the class of its keys, and those of them that it does not read itself.
        after: the key of the section behind which they stand.

    Raises:
        TypeError: two drivers have different keys of one name.
    """
    found: dict[str, tuple[Field[Any], tuple[str, ...]]] = {}
    for driver, (settings, unread) in readers.items():
        for one in fields(settings):
            other, only = found.get(one.name, (one, ()))
            if other.metadata[_MARK] != one.metadata[_MARK]:
                raise TypeError(f"{driver}: {one.name} is the key of another driver; take it from there with as_in")
            found[one.name] = other, only if one.name in unread else (*only, driver)

    def widen(section: _C) -> _C:
        own = [(f.name, f.type, _copy(f)) for f in fields(section)]
        place = 1 + [name for name, *_ in own].index(after)
        of_drivers = [(name, f.type, _copy(f, only)) for name, (f, only) in found.items()]
        namespace = {"__doc__": section.__doc__, "__module__": section.__module__}
        both = [*own[:place], *of_drivers, *own[place:]]
        return make_dataclass(section.__name__, both, namespace=namespace, frozen=True, slots=True)  # type: ignore[return-value]

    return widen


def _copy(one: Field[Any], only: tuple[str, ...] = ()) -> Any:
    key: ConfigKey = one.metadata[_MARK]
    metadata = {_MARK: replace(key, only=only) if only else key}
    if one.default_factory is not MISSING:
        return field(default_factory=one.default_factory, metadata=metadata)
    return field(default=one.default, metadata=metadata)


def meant(word: str, known: Iterable[str]) -> str:
    """A guess at the name that was meant, or else all that are known."""
    names = list(known)
    near = get_close_matches(word, names, 1)
    return f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"


def as_toml(value: object) -> str:
    """A value as a TOML file would have it, shortened where it is long."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 60 else value[:57] + "...", ensure_ascii=False)
    return shortened(value)


def name_of(key: str) -> str:
    """A key for a message: in quotes where it could not be told from the words around it."""
    return key if re.fullmatch(r"[\w-]{1,40}", key) else as_toml(key)
