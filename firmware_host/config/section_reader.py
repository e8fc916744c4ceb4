"""Read a configuration's sections. Report unknown sections and keys, and keys of other drivers.

All mistakes are collected, so that a user can correct them together. A faulty key keeps its default meanwhile, and
`Draft.sound` prevents later checks from reporting it a second time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from firmware_host.config.allowed_values import CompleteFault, as_toml, guess, keys, name_of, nearest
from firmware_host.rules.data.file_reader import Complaints

NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]{0,31}")
"""The valid names of a user's own section."""


class Draft(Complaints):
    """The readable part of a configuration, and the mistakes in it.

    Attributes:
        sections: section name -> its object, or for named sections a mapping of names to objects. A faulty key has its
            default.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.sections: dict[str, Any] = {}
        self._unsound: set[tuple[str, str]] = set()

    def complain(self, section: str, key: str, what: str) -> None:
        """Record a mistake at a section's key, or in the section if `key` is "".

        A nested section is named like "lamps.log".
        """
        super().complain(section, key, what)
        outer, _, inner = section.partition(".")
        self._unsound.add((outer, inner or key))

    def sound(self, section: str, *names: str) -> bool:
        """Return whether these keys of a section have no mistake."""
        return not any((section, name) in self._unsound for name in names)

    def missing(self, sections: Iterable[str]) -> None:
        """Record that sections may be missing only because of a misspelt name. To `sound_in` they are faulty."""
        self._unsound |= {(section, "") for section in sections}

    def sound_in(self, *sections: str) -> bool:
        """Return whether these sections have no mistake."""
        return not any(section in sections for section, _ in self._unsound)


def read(
    sections: Mapping[str, type], data: Mapping[str, Any], source: str, named: Mapping[str, type] | None = None
) -> Draft:
    """Read all sections of a parsed TOML file.

    Mistakes in the file raise no error; the draft lists them.

    Args:
        sections: the possible sections: name -> dataclass of keys.
        data: the content.
        source: the file's name, for messages.
        named: the same as `sections`, for sections that may occur several times, each with a name.
    """
    draft, named = Draft(source), named or {}
    for name, value in data.items():
        if name not in sections and not (name in named and isinstance(value, dict)):
            draft.problems.append(_unknown_section(name, value, {**sections, **named}))
            draft.missing([meant] if (meant := nearest(name, sections)) else [])
        elif not isinstance(value, dict):
            what = f"{as_toml(value)} is not a section; write [{name}] on a line of its own and its keys below"
            draft.problems.append(f"[{name}]: {what}")
    for name in sections:
        value = data.get(name)
        draft.sections[name] = _section(draft, name, sections, value if isinstance(value, dict) else {})
    for name, kind in named.items():
        value = data.get(name)
        draft.sections[name] = _named_sections(draft, name, kind, sections, value if isinstance(value, dict) else {})
    return draft


def _named_sections(
    draft: Draft, name: str, kind: type, sections: Mapping[str, type], data: Mapping[str, Any]
) -> dict[str, Any]:
    """Read the sections that users name, such as `[players.NAME]`: name -> settings."""
    found = {}
    for own, value in data.items():
        if not NAME.fullmatch(own):
            draft.complain(
                name, name_of(own), "is not a name; write a letter, followed by at most 31 letters, digits, - and _"
            )
        elif not isinstance(value, dict):
            what = f"{as_toml(value)} is not a section; write [{name}.{own}] on a line of its own and its keys below"
            draft.complain(name, own, what)
        else:
            full = f"{name}.{own}"
            found[own] = _section(draft, full, {**sections, full: kind}, value)
    return found


def _section(draft: Draft, name: str, sections: Mapping[str, type], data: Mapping[str, Any]) -> Any:
    known = keys(sections[name])
    good = {}
    for key, value in data.items():
        if key not in known:
            draft.complain(name, name_of(key), f"unknown key; {_guess_key(name, key, sections)}")
            continue
        faults = known[key].faults(value)
        for line, what in faults:
            place = (f"{name}.{key}", line) if line else (name, key)
            right = known[key].right()
            if known[key].line and not line:
                right = f"write [{name}.{key}] on a line of its own, and below it {known[key].allowed}"
            draft.complain(*place, what if isinstance(what, CompleteFault) else f"{what}; {right}")
        if not faults:
            good[key] = known[key].value(value)
    section = sections[name](**good)
    for key in good:
        only = known[key].only
        if only and section.driver not in only and draft.sound(name, "driver"):
            drivers = " or ".join(map(as_toml, only))
            what = f"the driver {as_toml(section.driver)} does not use this key; delete it, or write driver = {drivers}"
            draft.complain(name, key, what)
    return section


def _unknown_section(name: str, value: object, sections: Mapping[str, type]) -> str:
    """Return the mistake for an unknown entry at the top of the file."""
    if isinstance(value, dict):
        near = nearest(name, sections)
        hint = f"did you mean [{near}]?" if near else guess(name, sections)
        return f"[{name_of(name)}]: unknown section; {hint}"
    homes = [f"[{other}]" for other, section in sections.items() if name in keys(section)]
    where = f"it belongs below {' or '.join(homes)}" if homes else "every key belongs below its section"
    return f"{name_of(name)}: is outside all sections; {where}"


def _guess_key(name: str, key: str, sections: Mapping[str, type]) -> str:
    """Suggest the key that was probably meant by an unknown key, in this section or another."""
    known = keys(sections[name])
    homes = [] if "." in name else [f"[{other}]" for other, section in sections.items() if key in keys(section)]
    if homes and nearest(key, known, 0.8) is None:
        return f"it belongs below {' or '.join(homes)}"
    return guess(key, known)
