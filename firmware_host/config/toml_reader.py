"""The machinery of settings: each key is defined once (see `kinds`), and read and explained from that one definition.

`read` takes the content of a file for some sections and gathers everything that is wrong with it, so that a file is
mended in one go. A faulty key keeps its default meanwhile, and `Draft.sound` tells later checks not to complain of it
a second time.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from firmware_host.config.fields import ConfigKey, as_toml, keys, meant, name_of
from firmware_host.rules.data.file_reader import Complaints
from firmware_host.system.printable import printable


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


def complaint(error: Exception) -> str:
    """What an error says, in one line; of a configuration's mistakes each has its own. Pure."""
    mistakes = error.mistakes if isinstance(error, ConfigError) else (str(error),)
    return "\n".join(map(printable, mistakes))


class Draft(Complaints):
    """A configuration as far as it could be read.

    Attributes:
        sections: section name -> its object; a faulty key has its default.
    """

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.sections: dict[str, Any] = {}
        self._unsound: set[tuple[str, str]] = set()

    def complain(self, section: str, key: str, what: str) -> None:
        """Note a mistake. A section may be one within another ("lamps.log"); no key means all of it."""
        super().complain(section, key, what)
        outer, _, inner = section.partition(".")
        self._unsound.add((outer, inner or key))

    def sound(self, section: str, *names: str) -> bool:
        """Whether nothing was wrong with these keys of a section."""
        return not any((section, name) in self._unsound for name in names)

    def missing(self, sections: Iterable[str]) -> None:
        """Note sections whose content may stand under a misspelt name: nothing is to be said of them."""
        self._unsound |= {(section, "") for section in sections}

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
            draft.problems.append(_stray(name, value, sections))
            draft.missing(get_close_matches(name, sections, 1))
        elif not isinstance(value, dict):
            what = f"{as_toml(value)} is not a section; write [{name}] on a line of its own and its keys below"
            draft.problems.append(f"[{name}]: {what}")
    for name in sections:
        value = data.get(name)
        draft.sections[name] = _section(draft, name, sections, value if isinstance(value, dict) else {})
    return draft


def _section(draft: Draft, name: str, sections: Mapping[str, type], data: Mapping[str, Any]) -> Any:
    known = keys(sections[name])
    good = {}
    for key, value in data.items():
        if key not in known:
            draft.complain(name, name_of(key), f"unknown key; {_instead(name, key, sections)}")
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
        if only and section.driver not in only and draft.sound(name, "driver"):
            drivers = " and ".join(map(as_toml, only))
            what = f"with driver = {as_toml(section.driver)} nothing reads it; it is for {drivers}"
            draft.complain(name, key, what)
    return section


def _stray(name: str, value: object, sections: Mapping[str, type]) -> str:
    """The complaint about something at the top of the file that is no section of it."""
    if isinstance(value, dict):
        return f"[{name_of(name)}]: unknown section; {meant(name, sections)}"
    homes = [f"[{other}]" for other, section in sections.items() if name in keys(section)]
    where = f"it belongs below {' or '.join(homes)}" if homes else "every key belongs below its section"
    return f"{name_of(name)}: stands outside all sections; {where}"


def _instead(name: str, key: str, sections: Mapping[str, type]) -> str:
    """What the writer of an unknown key may have had in mind: a key of this section, or of another one."""
    known = keys(sections[name])
    homes = [f"[{other}]" for other, section in sections.items() if key in keys(section)]
    if homes and not get_close_matches(key, known, 1, 0.8):
        return f"it belongs below {' or '.join(homes)}"
    return meant(key, known)


def reference_text(sections: Mapping[str, type]) -> str:
    """Every section and key for a terminal; the sections' docstrings explain them."""
    lines: list[str] = []
    for name, section in sections.items():
        lines += [f"[{name}] {section.__doc__}", ""]
        for title, key in _titled(name, section):
            allowed = " ".join(part for part in (key.kind, key.bounds, key.unit) if part)
            lines += [f"  {title}: {allowed}; default {key.shown_default()}", f"      {_told(key)}"]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def reference_markdown(sections: Mapping[str, type]) -> str:
    """Every section and key as Markdown: a heading and a table for each section."""
    lines: list[str] = []
    for name, section in sections.items():
        lines += [f"## `[{name}]`", "", str(section.__doc__), ""]
        lines += ["| key | what to write | unit | default | meaning |", "|---|---|---|---|---|"]
        for title, key in _titled(name, section):
            default = key.shown_default() if key.line else f"`{as_toml(key.default)}`"
            cells = (f"`{title}`", f"{key.kind} {key.bounds}".rstrip(), key.unit, default, _told(key))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _told(key: ConfigKey) -> str:
    """What a key means, and for which drivers."""
    return f"For {' and '.join(map(as_toml, key.only))}: {key.doc}" if key.only else key.doc


def _titled(name: str, section: type) -> list[tuple[str, ConfigKey]]:
    """The keys of a section; one that is a section of its own comes under that section's heading."""
    return [(f"[{name}.{key}]" if what.line else key, what) for key, what in keys(section).items()]


LARGEST = 4_000_000
"""Bytes of a file that is read; the largest of those that are shipped has 60,000."""


def contents(path: Path) -> str:
    """The text of a file.

    Raises:
        ConfigError: it cannot be read, is no file, too large, or no text in UTF-8; the message names it.
    """
    try:
        if path.exists() and not path.is_dir() and not path.is_file():
            raise ConfigError(f"{path}: cannot be read: it is no file")  # a pipe or a device may have no end
        if path.exists() and path.stat().st_size > LARGEST:
            raise ConfigError(f"{path}: cannot be read: it has more than {LARGEST:,} bytes, which no file of ours has")
        return path.read_text(encoding="utf-8-sig")  # some editors put a mark at the beginning
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
