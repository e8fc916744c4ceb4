"""Read the types in `firmware_host/web/messages.d.ts`, and compare values with them.

The file has interfaces, which may extend another one, and names for other types. Each field is on its own line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import firmware_host.web

FILE = Path(firmware_host.web.__file__).parent / "messages.d.ts"
PLAIN: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "boolean": (bool,),
    "unknown": (object,),
}


@dataclass(frozen=True)
class Field:
    type: str
    required: bool


@cache
def interfaces() -> dict[str, dict[str, Field]]:
    """Return the fields of all interfaces, those of extended interfaces included."""
    found: dict[str, dict[str, Field]] = {}
    pattern = re.compile(r"^export interface (\w+)(?: extends (\w+))? \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
    for name, base, body in pattern.findall(_code()):
        fields = re.findall(r"^  (\w+)(\??): (.+);$", body, re.MULTILINE)
        assert len(fields) == len(body.splitlines()), f"{name} has a line that is no field"
        found[name] = found.get(base, {}) | {field: Field(type_, not may) for field, may, type_ in fields}
    return found


@cache
def names() -> dict[str, str]:
    """Return the names of other types -> these types."""
    return dict(re.findall(r"^export type (\w+) = (.+);$", _code(), re.MULTILINE))


def not_as_told(message: dict[str, Any]) -> list[str]:
    """Return the differences between a message and its kind's type."""
    said = {name: value for name, value in message.items() if name != "kind"}
    return differences(said, "Tick" if message["kind"] == "beat" else interfaces()["Messages"][message["kind"]].type)


def differences(value: Any, type_: str, where: str = "") -> list[str]:
    """Return the differences between a JSON value and a type: where, and what is there; nothing if all is well."""
    if " | " in type_:
        tried = [differences(value, one, where) for one in type_.split(" | ")]
        return [] if [] in tried else min(tried, key=len)
    if type_ in names():
        return differences(value, names()[type_], where)
    each = dict(enumerate(value)) if isinstance(value, list) else None
    if type_.endswith("[]"):
        return _of_all(each, type_.removesuffix("[]"), where)
    if record := re.fullmatch(r"Record<string, (.+)>", type_):
        return _of_all(value, record[1], where)
    if fields := interfaces().get(type_):
        return _of_interface(value, fields, type_, where)
    if type_.startswith("["):
        parts = type_.strip("[]").split(", ")
        return _of_interface(each, {place: Field(part, True) for place, part in enumerate(parts)}, type_, where)
    kinds = PLAIN.get(type_)
    fits = value == json.loads(type_) if kinds is None else isinstance(value, kinds)
    return [] if fits and not (type_ == "number" and isinstance(value, bool)) else [f"{where}: {value!r} is no {type_}"]


def _of_all(each: Any, type_: str, where: str) -> list[str]:
    if not isinstance(each, dict):
        return [f"{where}: {each!r} does not hold several"]
    return [found for key, one in each.items() for found in differences(one, type_, f"{where}.{key}")]


def _of_interface(value: Any, fields: Mapping[Any, Field], name: str, where: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{where}: {value!r} is no {name}"]
    required = {field for field, one in fields.items() if one.required}
    found = [f"{where}: {name} has no {field}" for field in value.keys() - fields.keys()]
    found += [f"{where}: {name} wants {field}" for field in required - value.keys()]
    return found + [
        more
        for field in value.keys() & fields.keys()
        for more in differences(value[field], fields[field].type, f"{where}.{field}")
    ]


def _code() -> str:
    """Return the file without its comments, which are on lines of their own, and without empty lines."""
    bare = re.sub(r"^\s*(/\*.*?\*/|//[^\n]*)$", "", FILE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"\n\s*\n", "\n", bare)
