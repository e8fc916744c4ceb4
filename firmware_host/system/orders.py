"""Read orders strictly: JSON objects from programs or pages, each kind with its own record.

The field `do` names the kind of order. This module only reads orders; the receiver carries them out.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from enum import Enum
from typing import Annotated, Any, NoReturn, get_args

import msgspec
from msgspec import Meta, Struct, structs

from firmware_host.system.plain_faults import plain_json_fault

_SHAPE = 'write an object such as {"do": "fault", "device": "lamps", "kind": "unplug"}'

Word = Annotated[str, Meta(min_length=1, max_length=32)]
"""A name, such as that of a pawn or a key."""


class BadOrder(Exception):
    """The error that a message is not a valid order. Its text says where, and what would be right."""


class Order(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base class of all orders."""


class FaultOrder(Order, frozen=True, tag="fault"):
    """The order to break or repair a part of a simulated table. See `hardware.sim.faults`."""

    device: Word
    kind: Word


def fields(kinds: Any) -> dict[str, tuple[str, ...]]:
    """Return the names of the fields of each kind of order: the word in `do` -> names."""
    records = get_args(kinds) or (kinds,)
    return {str(record.__struct_config__.tag): record.__struct_fields__ for record in records}


def parse(message: str | bytes, most: int) -> dict[str, Any]:
    """Return the JSON object in a message of at most `most` characters or bytes.

    Raises:
        BadOrder: the message is longer, or not a JSON object.
    """
    if len(message) > most:
        raise BadOrder(f"the order is too long; at most {most:,} bytes are allowed")
    try:
        text = message if isinstance(message, str) else message.decode()
        said = json.loads(text, parse_constant=_refuse_number, object_pairs_hook=_fields_once)
        json.dumps(said, ensure_ascii=False).encode()  # raises for an escape such as \ud800, which is not text
    except json.JSONDecodeError as error:
        where = f"the order is not valid JSON at character {error.pos + 1}"
        raise BadOrder(f"{where}: {plain_json_fault(error)}; {_SHAPE}") from None
    except UnicodeDecodeError:
        raise BadOrder("the order is not text in UTF-8; encode it as such") from None
    except UnicodeEncodeError:
        raise BadOrder("the order is not valid JSON: an escape such as \\ud800 alone is not a character") from None
    except (ValueError, RecursionError):
        raise BadOrder("the order is not valid JSON: a number is too long, or lists are too deep; shorten it") from None
    if not isinstance(said, dict):
        raise BadOrder(f"the order is not a JSON object; {_SHAPE}")
    return said


def _fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of a JSON object. Refuse one that is there twice, because json.loads would drop the first."""
    said = dict(pairs)
    if len(said) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise BadOrder(f"the order gives {json.dumps(twice)} twice; keep one of them")
    return said


def _refuse_number(name: str) -> NoReturn:
    raise BadOrder(f"the order is not valid JSON: {name} is not a number; write digits")


def read(said: dict[str, Any], kinds: Any) -> Any:
    """Return the record for an order, given as a JSON object.

    Args:
        said: the order as it was sent.
        kinds: the record of the expected order, or a union of records.

    Raises:
        BadOrder: the order is none of these kinds, or a field is missing, unknown, of a wrong type or out of bounds.
    """
    try:
        return msgspec.convert(said, kinds)
    except msgspec.ValidationError as error:
        raise BadOrder(_complaint(said, str(error), kinds)) from None


def _complaint(said: dict[str, Any], error: str, kinds: Any) -> str:
    word, known = said.get("do"), fields(kinds)
    if not isinstance(word, str) or word not in known:
        orders = f"orders are {', '.join(known)}"
        if not isinstance(word, str):
            return f'"do": {"must be a text" if "do" in said else "is missing"}; {orders}'
        from difflib import get_close_matches  # noqa: PLC0415 - only for typos

        near = get_close_matches(word.lower(), known, 1)
        return f'"do": unknown order {quoted(word)}; {f"did you mean {near[0]}?" if near else orders}'
    where, what = plain_fault(error)
    if where.endswith("[...]"):
        where = _entry(said, where.removesuffix("[...]"), kinds)
    given = _value(said, where)
    if isinstance(given, str):
        what = with_text(what, given)
    if isinstance(given, int | float) and abs(given) < _LARGEST_SHOWN and ", not " not in what:
        what += f", not {given:.15g}"
    words = _words(kinds, word, where)
    if words:
        what = f"must be one of {', '.join(words)}" + (f", not {quoted(given)}" if isinstance(given, str) else "")
    if where:
        return f"{word}: {where}: {what}"
    return f"{word}: {what}; it takes {', '.join(known[word]) or 'no field'}"


def _value(said: dict[str, Any], where: str) -> object:
    """Return the value at a place in an order, such as "ms" or "deal.red". None if there is no such place."""
    value: Any = said
    for name in where.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


_NOT_A_TEXT = ", not a text"


def with_text(what: str, given: str) -> str:
    """Show the given text in a fault that says only that it is a text. If it is a number in quotes, say so."""
    if not what.endswith(_NOT_A_TEXT):
        return what
    right, such = what.removesuffix(_NOT_A_TEXT), ""
    if "number" in right and re.fullmatch(
        r"-?[0-9]{1,15}" if "whole" in right else r"-?[0-9]{1,15}(\.[0-9]{1,15})?", given
    ):
        right, such = f"{right.removesuffix(' or null')} without quotes", f", such as {given}"
    return f"{right}{such}, not {quoted(given)}"


def _entry(said: dict[str, Any], field: str, kinds: Any) -> str:
    """Return the place of the first faulty entry of an order's object, such as "deal.red"."""
    for name, value in said[field].items():
        try:
            msgspec.convert({**said, field: {name: value}}, kinds)
        except msgspec.ValidationError:
            return f"{field}.{name:.{LONGEST_QUOTE}}"
    return field


_LARGEST_SHOWN = 10**15  # a number that an error repeats is below it

LONGEST_QUOTE = 40
"""Characters of a wrong word that an error repeats."""

_EXPECTED = re.compile(r"Expected `([\w |]+)`(?: (of length )?(>=|<=|>|<)? ?([\d.]+))?(?:, got `(\w+)`)?")
_FIELD = re.compile(r"Object (missing required|contains unknown) field `(.*)`")
_TYPES = {
    "int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false", "array": "a list",
    "object": "an object",
}  # fmt: skip
_BOUNDS = {">=": "at least", "<=": "at most", ">": "more than", "<": "less than"}


def quoted(word: str) -> str:
    """Return a word in JSON's quotes, shortened if it is long."""
    return json.dumps(word if len(word) <= LONGEST_QUOTE else f"{word[:LONGEST_QUOTE]}…", ensure_ascii=False)


def plain_fault(error: str) -> tuple[str, str]:
    """Convert the text of a msgspec error to the faulty field and a plain description of the fault. Pure.

    The field is "" if the fault concerns the whole record.
    """
    what, _, where = error.partition(" - at `$")
    if found := _EXPECTED.fullmatch(what):
        kinds, length, bound, limit, got = found.groups()
        right = " or ".join(_TYPES.get(kind, kind) for kind in kinds.split(" | "))
        if length:
            least = f"{_BOUNDS[bound]} " if bound else ""
            right += f" of {least}{limit} {'characters' if kinds == 'str' else 'entries'}"
        elif bound:
            right += f", {_BOUNDS[bound]} {float(limit):.15g}"
        given = "a number with a fraction" if got == "float" else _TYPES.get(got, got)
        what = f"must be {right}{f', not {given}' if got else ''}"
    elif found := _FIELD.fullmatch(what):
        what = f'"{found[2]}" is missing' if found[1].startswith("missing") else f'unknown field "{found[2]}"'
    return where.rstrip("`").lstrip("."), what


def _words(kinds: Any, word: str, field: str) -> list[str]:
    """Return the words that are allowed in a field of an order. Empty if the field may have any text."""
    records = get_args(kinds) or (kinds,)
    record = next(one for one in records if one.__struct_config__.tag == word)
    kind = next((one.type for one in structs.fields(record) if one.name == field), None)
    return [str(one.value) for one in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []
