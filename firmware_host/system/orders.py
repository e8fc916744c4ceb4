"""Read orders: JSON objects by which a program or a page asks for something, each kind a small record, read strictly.

An order says what it is in its field `do`. What comes of it is decided where it is carried out.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated, Any, NoReturn, get_args

import msgspec
from msgspec import Meta, Struct, structs

Word = Annotated[str, Meta(min_length=1, max_length=32)]
"""A name, such as that of a pawn or a key."""


class BadOrder(Exception):
    """A message that is no order; its text says where, and what would be right, for whoever sent it."""


class Order(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """One thing that is asked for."""


class FaultOrder(Order, frozen=True, tag="fault"):
    """Break something at a simulated table, or mend it; see `hardware.sim.faults`."""

    device: Word
    kind: Word


def fields(kinds: Any) -> dict[str, tuple[str, ...]]:
    """Return the orders that a record or a union of records stands for: word -> fields."""
    records = get_args(kinds) or (kinds,)
    return {str(record.__struct_config__.tag): record.__struct_fields__ for record in records}


def parse(message: str | bytes, most: int) -> dict[str, Any]:
    """Return the JSON object in a message of at most `most` characters or bytes.

    Raises:
        BadOrder: it is longer, or something else.
    """
    if len(message) > most:
        raise BadOrder(f"an order has at most {most} bytes")
    try:
        said = json.loads(message if isinstance(message, str) else message.decode(), parse_constant=_refuse_number)
        json.dumps(said, ensure_ascii=False).encode()  # raises for an escape such as \ud800, which is no text
    except json.JSONDecodeError as error:
        raise BadOrder(f"no JSON: {error}") from None
    except UnicodeDecodeError:
        raise BadOrder("an order is text in UTF-8") from None
    except UnicodeEncodeError:
        raise BadOrder("no JSON that can be read: half of a pair of surrogates is no character") from None
    except (ValueError, RecursionError):
        raise BadOrder("no JSON that can be read: a number is too long, or it is nested too deep") from None
    if not isinstance(said, dict):
        raise BadOrder('an order is one JSON object, such as {"do": "fault", "device": "lamps", "kind": "unplug"}')
    return said


def _refuse_number(name: str) -> NoReturn:
    raise BadOrder(f"no JSON: {name} is no number")


def read(said: dict[str, Any], kinds: Any) -> Any:
    """Return the record of an order.

    Args:
        said: the order as it was sent.
        kinds: the record that is expected, or a union of those that are known.

    Raises:
        BadOrder: it is none of them, or a field of it is missing, foreign, of a wrong type or out of bounds.
    """
    try:
        return msgspec.convert(said, kinds)
    except msgspec.ValidationError as error:
        raise BadOrder(_complaint(said.get("do"), str(error), kinds)) from None


def _complaint(word: object, error: str, kinds: Any) -> str:
    known = fields(kinds)
    if not isinstance(word, str) or word not in known:
        return f"do: one of {', '.join(known)}"
    what, _, where = error.partition(" - at `$.")
    field = where.rstrip("`")
    words = _words(kinds, word, field)
    what = f"one of {', '.join(words)}" if words else f"{what[0].lower()}{what[1:]}"
    where = f"{field}: " if field else ""
    return f"{word}: {where}{what}; it takes {', '.join(known[word]) or 'no field'}"


def _words(kinds: Any, word: str, field: str) -> list[str]:
    """Return the words that a field of an order may be; none if it is not one of a few words."""
    records = get_args(kinds) or (kinds,)
    record = next(one for one in records if one.__struct_config__.tag == word)
    kind = next((one.type for one in structs.fields(record) if one.name == field), None)
    return [str(one.value) for one in kind] if isinstance(kind, type) and issubclass(kind, Enum) else []
