"""Turn a configuration into a form, and a form's changes into the file's new text.

Comments, order and unchanged lines of the file stay as they are. `schema` decides what the form shows. The form shows
the devices and their wiring, but cannot change them: two exchanged screens would show everyone where Mister X is. Root
refuses such a change, too. Nor can the form change other keys that only root may change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import tomlkit
from msgspec import Meta, Struct
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AbstractTable, Table

from firmware_host.config.allowed_values import ConfigKey, keys
from firmware_host.config.drivers.registry import DEVICES
from firmware_host.config.loader import parse
from firmware_host.config.schema import SECTIONS
from firmware_host.config.toml_file import ConfigError, toml
from firmware_host.system.secret_texts import hide_secrets

_OF_ROOT = {("journal", "path"), ("mqtt", "password_file")}
"""The keys that root refuses to change for a page."""

Word = Annotated[str, Meta(max_length=64)]
_List = Annotated[list[str | int], Meta(max_length=200)]
_Rows = Annotated[dict[Word, str | int | bool], Meta(max_length=200)]


class BadChange(ConfigError):
    """The error that a change is one that no form offers. The file is unchanged."""


class SettingChange(Struct, frozen=True, forbid_unknown_fields=True):
    """One change of a form. The value null removes the key from the file, so that its default applies."""

    section: Word
    key: Word
    value: bool | int | float | str | _List | _Rows | None


class SettingChanges(Struct, frozen=True, forbid_unknown_fields=True):
    """All changes that a page sends, and the digest of the file from which its form was made."""

    digest: Annotated[str, Meta(max_length=64)]
    changes: Annotated[list[SettingChange], Meta(min_length=1, max_length=200)]


def is_editable(section: str, name: str, key: ConfigKey) -> bool:
    """Return whether a form may change a key. Pure."""
    return not (key.wiring or key.secret or (section, name) in _OF_ROOT)


def form_sections(text: str, source: str) -> list[dict[str, Any]]:
    """Return the sections of a configuration as JSON values for a form, each with its fields. Pure.

    The values do not contain secrets, only whether the file has a value for them.

    Raises:
        ConfigError: the text is not valid TOML.
    """
    data = toml(text, source)
    return [
        {
            "name": section,
            "doc": str(kind.__doc__),
            "device": section in DEVICES,
            "fields": [_field(section, name, key, data.get(section)) for name, key in keys(kind).items()],
        }
        for section, kind in SECTIONS.items()
    ]


def _field(section: str, name: str, key: ConfigKey, content: Any) -> dict[str, Any]:
    given = isinstance(content, dict) and name in content
    value = content[name] if given else None
    secret = key.secret or (isinstance(value, str) and hide_secrets(value) != value)
    return {
        "key": name,
        "doc": key.doc,
        "unit": key.unit,
        "schema": key.schema,
        "default": None if secret else key.default,
        "value": None if secret else value,
        "given": given,
        "secret": secret,
        "editable": not secret and is_editable(section, name, key),
        "only": key.only,
    }


def apply_changes(text: str, changes: Iterable[SettingChange], source: str) -> str:
    """Return a configuration's text with changes.

    The result may be an unusable configuration, see `complaints`.

    Raises:
        BadChange: there is no such key, no form may change it, or the file is written in a way that prevents it.
        ConfigError: the text is not valid TOML.
    """
    toml(text, source)  # its errors are the clearer ones
    try:
        document = tomlkit.parse(text)
        for change in changes:
            _apply(document, change, source)
        return tomlkit.dumps(document)
    except (TOMLKitError, TypeError, ValueError) as error:
        if isinstance(error, ConfigError):
            raise
        raise BadChange(f"{source}: a form cannot make this change: {error}; edit the file itself") from None


def _apply(document: tomlkit.TOMLDocument, change: SettingChange, source: str) -> None:
    section, name, value = change.section, change.key, change.value
    key = keys(SECTIONS[section]).get(name) if section in SECTIONS else None
    if key is None or not is_editable(section, name, key):
        raise BadChange(f"{source}: [{section}] {name}: forms cannot change this; edit the file itself")
    table = document.get(section)
    if table is None:
        if value is None:
            return
        table = tomlkit.table()
        document.append(section, table)
    if not isinstance(table, AbstractTable | tomlkit.container.OutOfOrderTableProxy):
        raise BadChange(f"{source}: [{section}]: is not a section; edit the file itself")
    if value is None:
        table.pop(name, None)
    elif isinstance(value, dict) and isinstance(rows := table.get(name), Table):
        for row in [row for row in rows if row not in value]:
            del rows[row]
        rows.update({row: item for row, item in value.items() if rows.get(row) != item})
    elif isinstance(value, dict):
        rows = tomlkit.inline_table()
        rows.update(value)
        _set(document, section, name, rows)
    else:
        _set(document, section, name, value)


def _set(document: tomlkit.TOMLDocument, section: str, name: str, value: Any) -> None:
    """Set a key of a section. A new key comes after the last key of the section.

    It is placed before comments at the end, which belong to the next section.
    """
    parts = [item for key, item in document.body if key is not None and key.key == section]
    table = next((item for item in parts if isinstance(item, Table) and not item.is_super_table()), None)
    if table is None or name in document[section]:
        document[section][name] = value
        return
    body, after = table.value.body, []
    while body and body[-1][0] is None:
        after.append(body.pop()[1])
    table.append(name, value)
    for item in reversed(after):
        table.value.append(None, item)


_PLACE = re.compile(r"\[(\w+)(?:\.(\w+))?\](?: ([^:]*))?: (.*)", re.DOTALL)

FieldComplaint = tuple[str, str, str]
"""The section and key of a field, each "" for none, and what is wrong with it, without secrets."""


def complaints(text: str, file: Path) -> list[FieldComplaint]:
    """Return each mistake in the text of a configuration. This reads the files that the text names.

    Args:
        text: the text of the configuration.
        file: the path where the text is or will be stored.
    """
    try:
        parse(text, file.name, folder=file.parent)
    except ConfigError as error:
        return [_placed(hide_secrets(mistake.removeprefix(f"{file.name}: "))) for mistake in error.mistakes]
    return []


def _placed(mistake: str) -> FieldComplaint:
    found = _PLACE.fullmatch(mistake)
    if found is None or found[1] not in SECTIONS:
        return "", "", mistake
    section, inner, key, what = found.groups()
    if inner is not None:
        return section, inner, f"{key}: {what}" if key else what
    named = (key or "").partition(",")[0]
    return (section, named, what) if named in keys(SECTIONS[section]) else (section, "", mistake)
