"""Define the allowed values of configuration keys, and the errors for other values.

A section of a configuration is a frozen dataclass whose fields are created by the functions below. Each function
returns the field's default with a `ConfigKey`, which is used to read, check and explain the field.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, make_dataclass, replace
from datetime import date, time
from ipaddress import ip_address
from itertools import islice
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from firmware_host.rules.errors import BadMap
from firmware_host.rules.network import Link, parse_link, shorten
from firmware_host.system.secret_texts import hide_secrets, is_password_hash

Fault = tuple[str, str]
"""A fault of a value: the line within it ("" for the value as a whole), and the message."""


class CompleteFault(str):
    """The message of a fault that already says what would be right, so that nothing is added to it."""

    __slots__ = ()


_MARK = "yardboard.key"
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*")
_LONGEST_HOST = 253
_TOPIC = re.compile(r"[a-zA-Z0-9_-]{1,32}(/[a-zA-Z0-9_-]{1,32}){0,3}")
_MOST_ENTRIES = 6  # of a list or section that a message repeats
_ROW = re.compile(r"0|[1-9][0-9]{0,4}")
_TEXT = {"type": "string"}
_N = TypeVar("_N", int, float)
_V = TypeVar("_V")
_C = TypeVar("_C", bound=type)


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """The definition of one configuration key: its allowed values, its default and its meaning.

    Attributes:
        default: the value if the key is missing, as a file would give it.
        doc: the meaning of the key, in one line for people.
        kind: the kind of value, in words: "a whole number".
        faults: returns every fault of a value in a file.
        bounds: the allowed range: "from 3 to 6"; empty if everything is allowed.
        unit: the unit's symbol, such as "ms"; empty if there is none.
        value: converts a valid value of a file to the program's value.
        line: the form of a line, such as "station = input", for a key that is a section of its own; else empty.
        only: the drivers of the section for which the key is read; empty for all drivers.
        secret: whether the value must not appear on pages, in reports and in messages.
        wiring: whether the key names or wires devices, so that no page may change it. None if the key is not marked:
            then it counts as wiring if a driver reads it.
        schema: the allowed values as JSON Schema, for forms and for editors.
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
    secret: bool = False
    wiring: bool | None = None
    schema: Mapping[str, Any] = field(default_factory=dict)

    def right(self) -> str:
        """Return the end of an error message, which names the allowed values and the default, unless it is empty."""
        default = "" if self.default in ([], {}) else f" (default {self.shown_default()})"
        return f"write {self.allowed}{default}"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return " ".join(part for part in (self.kind, self.bounds, self.unit) if part)

    def shown_default(self) -> str:
        """Return the default value as a file would give it, with its unit."""
        if self.line:
            return "no lines"
        return f"{as_toml(self.default)} {self.unit}".rstrip()


def number(default: _N, *, low: _N, high: _N, doc: str, unit: str = "") -> _N:
    """Define a key for a number from `low` to `high`. A whole default allows only whole numbers."""
    wanted = type(default)
    kind = "a whole number" if wanted is int else "a number"

    def wrong(value: Any) -> str:
        if type(value) is not int and not (type(value) is float and wanted is float):
            return _not_a_number(value, kind)  # true is not a number, 3.0 not a whole one
        return "" if low <= value <= high else f"{as_toml(value)} is out of range"  # so is NaN

    schema = {"type": "integer" if wanted is int else "number", "minimum": low, "maximum": high}
    return _single(default, doc, kind, wrong, schema, bounds=f"from {low} to {high}", unit=unit, value=wanted)


def choice(default: str, *, of: tuple[str, ...], doc: str, refusal: Callable[[str], str] = lambda _: "") -> str:
    """Define a key whose value is one of the words `of`.

    `refusal` returns why another text is wrong, or "" to say only that it is not a known word.
    """

    def wrong(value: Any) -> str:
        if isinstance(value, str) and value in of:
            return ""
        if isinstance(value, str) and (why := refusal(value)):
            return f"{as_toml(value)} {why}"
        if type(value) is int and str(value) in of:
            return CompleteFault(f"{value} has no quotes; write {as_toml(str(value))}")
        return f"{as_toml(value)} is not a known word"

    return _single(default, doc, "one of", wrong, {"enum": list(of)}, bounds=", ".join(map(as_toml, of)))


def text(default: str, *, doc: str) -> str:
    """Define a key for any text."""
    return _single(default, doc, "a text in quotes", _wrong_text, _TEXT)


def password_hash(*, doc: str) -> str:
    """Define a key for the hash of a password, empty by default. No error shows its value."""

    def wrong(value: Any) -> str:
        good = isinstance(value, str) and (not value or is_password_hash(value))
        return "" if good else "is not the hash of a password (and not shown, because it may be secret)"

    return _single("", doc, "a hash that `yardboard owner-password` prints, in quotes", wrong, _TEXT, secret=True)


def broker(*, doc: str) -> str:
    """Define a key for the address of an MQTT broker, empty by default.

    The address may not contain a user or a password.
    """

    def wrong(value: Any) -> str:
        try:
            address = urlsplit(value if isinstance(value, str) else " ")
            good = address.scheme in ("mqtt", "mqtts") and address.hostname and address.port != 0
        except ValueError:
            good = False
        if value == "" or (good and address.netloc.isascii() and value.rstrip("/").endswith(f"//{address.netloc}")):
            right = "contains a user or a password; write these as user and password_file"
            return "" if "@" not in value else CompleteFault(right)
        kind = "a broker's address" if isinstance(value, str) else "a text in quotes"
        return f"{hide_secrets(as_toml(value))} is not {kind}"

    kind = 'an address such as "mqtt://homeassistant.local" or "mqtts://10.0.0.2:8883"'
    return _single("", doc, kind, wrong, _TEXT)


def mqtt_topic(default: str, *, doc: str, empty: bool = False) -> str:
    """Define a key for an MQTT topic without wildcards. If `empty` is True, the topic may be empty."""

    def wrong(value: Any) -> str:
        good = isinstance(value, str) and (_TOPIC.fullmatch(value) or (empty and not value))
        return "" if good else f"{as_toml(value)} is not a topic"

    kind = 'up to four words of letters, digits, - and _ with / between them, such as "house/table"'
    return _single(default, doc, kind, wrong, _TEXT)


def address(default: str, *, doc: str) -> str:
    """Define a key for an IP address, as text.

    Host names are not allowed, because they may not resolve while the machine starts.
    """

    def wrong(value: Any) -> str:
        try:
            ip_address(value if isinstance(value, str) else "")
        except ValueError:
            return f"{as_toml(value)} is not an IP address"
        return ""

    return _single(default, doc, 'an IP address in quotes, such as "0.0.0.0" for all networks', wrong, _TEXT)


def hosts(*, doc: str) -> tuple[str, ...]:
    """Define a key for a list of host names, empty by default. Letters beyond ASCII are allowed."""

    def encoded(item: str) -> str:
        return item.lower().removesuffix(".").encode("idna").decode("ascii")

    def wrong(item: Any) -> str:
        try:
            name = encoded(item) if isinstance(item, str) else ""
        except UnicodeError:
            name = ""
        if len(name) <= _LONGEST_HOST and _HOST.fullmatch(name) and not name.rpartition(".")[2].isdigit():
            return ""
        right = 'write it without http:// and without a port, such as "table.fritz.box"'
        return CompleteFault(f"{as_toml(item)} is not a host's name; {right}")

    return _list((), doc, 'a list of names such as ["table.fritz.box"]', wrong, _TEXT, convert=encoded)


def flag(default: bool, *, doc: str) -> bool:
    """Define a key for true or false. 0 and 1 are not allowed."""

    def wrong(value: Any) -> str:
        return "" if isinstance(value, bool) else f"{as_toml(value)} is neither true nor false"

    return _single(default, doc, "true or false", wrong, {"type": "boolean"})


def texts(default: tuple[str, ...], *, such: tuple[str, ...], doc: str) -> tuple[str, ...]:
    """Define a key for a list of texts. Errors show `such` as an example."""
    return _list(default, doc, f"a list of texts in quotes, such as {as_toml([*such])}", _wrong_text, _TEXT)


def integers(default: tuple[int, ...] = (), *, low: int, high: int, doc: str) -> tuple[int, ...]:
    """Define a key for a list of whole numbers from `low` to `high`."""

    def wrong(item: Any) -> str:
        if type(item) is not int:
            return _not_a_number(item)
        return "" if low <= item <= high else f"{as_toml(item)} is out of range"

    schema = {"type": "integer", "minimum": low, "maximum": high}
    return _list(default, doc, "a list of whole numbers", wrong, schema, bounds=f"from {low} to {high}")


def links(*, doc: str) -> tuple[Link, ...]:
    """Define a key for a list of map links such as ["taxi 13-14"], empty by default."""

    def wrong(item: Any) -> str:
        if isinstance(item, list):
            return CompleteFault(f"{as_toml(item)} is a list within the list; leave out its brackets")
        if not isinstance(item, str):
            return f"{as_toml(item)} is not a link"
        try:
            parse_link(item)
        except BadMap as error:
            return CompleteFault(error)
        return ""

    return _list((), doc, 'a list of links such as ["taxi 13-14"]', wrong, _TEXT, convert=parse_link)


def table(row: str, entry: str, *, first: int = 1, high: int, doc: str) -> Mapping[int, int]:
    """Define a key that is itself a section of lines `row = entry`, empty by default.

    Rows have numbers from `first` up, entries run from 0 to `high`.
    """

    def faults(key: str, item: Any) -> list[Fault]:
        if not _ROW.fullmatch(key) or int(key) < first:
            what = f"{as_toml(key)} is not a {row}; write a whole number from {first} up"
            return [(name_of(key), CompleteFault(what))]
        return _faults_of_entry(key, item, high)

    def value(lines: dict[str, int]) -> dict[int, int]:
        return {int(key): item for key, item in lines.items()}

    kind, bounds = f"lines of {row} = {entry}, whole numbers", f"with the {entry} from 0 to {high}"
    rows = {"patternProperties": {"^(0|[1-9][0-9]{0,4})$": _number_to(high)}, "additionalProperties": False}
    return _section(f"{row} = {entry}", doc, kind, faults, rows, bounds=bounds, value=value)


def pins(names: tuple[str, ...], *, high: int, doc: str) -> Mapping[str, int]:
    """Define a key that is itself a section of lines `name = pin`. Pins run from 0 to `high`."""

    def faults(key: str, item: Any) -> list[Fault]:
        if key not in names:
            return [(name_of(key), CompleteFault(f"there is no such key; {guess(key, names)}"))]
        return _faults_of_entry(key, item, high)

    rows = {"properties": {name: _number_to(high) for name in names}, "additionalProperties": False}
    return _section("key = GPIO", doc, "lines of key = GPIO", faults, rows, bounds=f"from 0 to {high}")


def pairs(names: tuple[str, ...], *, doc: str) -> Mapping[str, str]:
    """Define a key that is itself a section of lines `"name" = "name"`, empty by default.

    Both names must be in `names`.
    """

    def faults(key: str, item: Any) -> list[Fault]:
        unknown = [word for word in (key, item) if word not in names]
        return [
            (name_of(key), CompleteFault(f"{as_toml(word)} is not a key; {guess(str(word), names)}"))
            for word in unknown
        ]

    rows = {"properties": {key: {"enum": list(names)} for key in names}, "additionalProperties": False}
    return _section(
        '"key" = "key"', doc, 'lines of "key" = "key"', faults, rows, bounds=f'such as "{names[-1]}" = "{names[0]}"'
    )


def free_rows(line: str, *, doc: str) -> Mapping[str, str | int | bool]:
    """Define a key that is itself a section of lines such as "seat = player", which are checked elsewhere."""

    def faults(key: str, item: Any) -> list[Fault]:
        good = type(item) in (str, int, bool)
        return [] if good else [(name_of(key), f"{as_toml(item)} is not a text, a whole number, true or false")]

    rows = {"additionalProperties": {"type": ["string", "integer", "boolean"]}}
    return _section(line, doc, f"lines of {line}", faults, rows, wiring=False)


def wired(key: _V) -> _V:
    """Mark a key that names devices or their wiring. No page may change such a key."""
    return _copy(cast("Field[Any]", key), wiring=True)  # type: ignore[no-any-return]


def adjustable(key: _V) -> _V:
    """Mark a driver's key that the owner's page may change, because it does not affect the wiring."""
    return _copy(cast("Field[Any]", key), wiring=False)  # type: ignore[no-any-return]


def _single(
    default: _V,
    doc: str,
    kind: str,
    wrong: Callable[[Any], str],
    schema: Mapping[str, Any],
    *,
    bounds: str = "",
    unit: str = "",
    value: Callable[[Any], Any] = lambda value: value,
    secret: bool = False,
) -> _V:
    """Create a key with one value. `wrong` returns the fault of a value, or ""."""

    def faults(value: Any) -> list[Fault]:
        return [("", what) for what in [wrong(value)] if what]

    key = ConfigKey(default, doc, kind, faults, bounds, unit, value, secret=secret, schema=schema)
    return field(default=default, metadata={_MARK: key})


def _list(
    default: tuple[_V, ...],
    doc: str,
    kind: str,
    wrong: Callable[[Any], str],
    item: Mapping[str, Any],
    *,
    bounds: str = "",
    convert: Callable[[Any], _V] = lambda item: item,
) -> tuple[_V, ...]:
    """Create a key with a list of values. `wrong` returns the fault of one value, or "".

    `item` is the JSON Schema of one value.
    """

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, list):
            return [("", f"{as_toml(value)} is not a list")]
        return [("", what) for what in map(wrong, value) if what]

    schema = {"type": "array", "items": item}
    key = ConfigKey(
        list(default), doc, kind, faults, bounds, value=lambda items: tuple(map(convert, items)), schema=schema
    )
    return field(default=default, metadata={_MARK: key})


def _section(
    line: str,
    doc: str,
    kind: str,
    wrong: Callable[[str, Any], list[Fault]],
    rows: Mapping[str, Any],
    *,
    bounds: str = "",
    value: Callable[[Any], Any] = lambda value: value,
    wiring: bool = True,
) -> dict[Any, Any]:
    """Create a key that is a section of lines such as `line`. `wrong` returns the faults of one line.

    `rows` is the JSON Schema of the lines.
    """

    def faults(value: Any) -> list[Fault]:
        if not isinstance(value, dict):
            return [("", f"{as_toml(value)} is not a section")]
        return [fault for key, item in value.items() for fault in wrong(key, item)]

    schema = {"type": "object", **rows}
    key = ConfigKey({}, doc, kind, faults, bounds, value=value, line=line, wiring=wiring, schema=schema)
    return field(default_factory=dict, metadata={_MARK: key})


def _number_to(high: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": 0, "maximum": high}


def _wrong_text(value: Any) -> str:
    if not isinstance(value, str):
        return f"{as_toml(value)} is not a text"
    return "" if value.isprintable() else f"{as_toml(value)} holds a character that cannot be printed"


def _not_a_number(value: Any, kind: str = "a whole number") -> str:
    """Return what is wrong with a value that must be a number: perhaps only its quotes."""
    quoted = isinstance(value, str) and re.fullmatch(r"0[xX][0-9a-fA-F]+|[0-9]+(\.[0-9]+)?", value)
    return f"{as_toml(value)} is {'in quotes, but a number has none' if quoted else f'not {kind}'}"


def _faults_of_entry(key: str, item: Any, high: int) -> list[Fault]:
    if type(item) is int and 0 <= item <= high:
        return []
    what = f"{as_toml(item)} is out of range" if type(item) is int else _not_a_number(item)
    return [(key, CompleteFault(f"{what}; write a whole number from 0 to {high}"))]


def as_in(section: type, name: str) -> Any:
    """Return a copy of a field of another class, for a class that reads the same key."""
    return _copy(next(field for field in fields(section) if field.name == name))


def keys(section: type) -> dict[str, ConfigKey]:
    """Return the keys of a section's class, in order."""
    return {f.name: f.metadata[_MARK] for f in fields(section)}


def with_keys_of(readers: Mapping[str, tuple[type, Container[str]]], after: str = "driver") -> Callable[[_C], _C]:
    """Add the keys of its drivers to a section's class. Mark each with its drivers, and as wiring if not `adjustable`.

    Args:
        readers: name of a driver -> a class of keys, and the names of keys in it that this driver does not read.
        after: the section's own key after which to insert the drivers' keys.

    Raises:
        TypeError: two drivers have different keys with the same name.
    """
    found: dict[str, tuple[Field[Any], tuple[str, ...]]] = {}
    first: dict[str, type] = {}
    for driver, (settings, unread) in readers.items():
        for one in fields(settings):
            other, only = found.get(one.name, (one, ()))
            owner = first.setdefault(one.name, settings).__name__
            if other.metadata[_MARK] != one.metadata[_MARK]:
                same = f'{one.name}: {getattr(one.type, "__name__", one.type)} = as_in({owner}, "{one.name}")'
                raise TypeError(
                    f"driver {driver}: the key {one.name} differs from the one in {owner}; "
                    f"write {same}, or choose another name"
                )
            found[one.name] = other, only if one.name in unread else (*only, driver)

    def widen(section: _C) -> _C:
        own = [(f.name, f.type, _copy(f)) for f in fields(section)]
        place = 1 + [name for name, *_ in own].index(after)
        of_drivers = [
            (name, f.type, _copy(f, only=only, wiring=f.metadata[_MARK].wiring is not False))
            for name, (f, only) in found.items()
        ]
        namespace = {"__doc__": section.__doc__, "__module__": section.__module__}
        both = [*own[:place], *of_drivers, *own[place:]]
        return make_dataclass(section.__name__, both, namespace=namespace, frozen=True, slots=True)  # type: ignore[return-value]

    return widen


def _copy(one: Field[Any], **marks: Any) -> Any:
    """Return a copy of a field, with some attributes of its `ConfigKey` changed."""
    metadata = {_MARK: replace(one.metadata[_MARK], **marks)}
    if one.default_factory is not MISSING:
        return field(default_factory=one.default_factory, metadata=metadata)
    return field(default=one.default, metadata=metadata)


def nearest(word: str, known: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the known name that is most similar to a word.

    None if no name is similar enough: `likeness` is the least similarity, from 0 to 1.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only for typos

    return next(iter(get_close_matches(word, list(known), 1, likeness)), None)


def guess(word: str, known: Iterable[str]) -> str:
    """Suggest the known name that was probably meant, or list all known names."""
    names = list(known)
    near = nearest(word, names)
    return f"did you mean {near}?" if near else f"known are {', '.join(names)}"


def as_toml(value: object, levels: int = 3) -> str:
    """Format a value as in a TOML file, shortened if it is long or nested deeper than `levels`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value if len(value) <= 60 else value[:57] + "...", ensure_ascii=False)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list | dict):
        named = isinstance(value, dict)
        rows = value.items() if isinstance(value, dict) else enumerate(value)
        shown = [
            f"{name_of(str(key))} = " * named + as_toml(item, levels - 1)
            for key, item in islice(rows, _MOST_ENTRIES if levels else 0)
        ]
        inside = ", ".join([*shown, *["..."] * (len(value) > len(shown))])
        return f"{{ {inside} }}" if named else f"[{inside}]"
    return shorten(value)


def name_of(key: str) -> str:
    """Return a key's name for a message, in quotes if it contains unusual characters."""
    return key if re.fullmatch(r"[\w-]{1,40}", key) else as_toml(key)
