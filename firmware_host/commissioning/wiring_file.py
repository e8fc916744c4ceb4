"""Store a half-learned wiring beside the configuration, and move it into that file once it is complete.

A configuration names every station's input or none, so it has no place for half a wiring. Until a wiring is complete
its lines are kept in a separate file, `london.learning.toml` beside `london.toml`, and the configuration stays as it
was. Both files are replaced atomically: a power cut leaves the old one or the new one, never half of one.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import Comment, InlineTable, Table

from firmware_host.config import allowed_values, toml_file
from firmware_host.config import loader as configs
from firmware_host.config.loader import Config
from firmware_host.config.toml_file import ConfigError
from firmware_host.system.files import replace_file

SECTIONS = {"switches": ("switches", "wiring"), "lamps": ("lamps", "wiring"), "log": ("lamps", "log")}
"""A wiring to learn -> its section in the configuration."""

_NOTHING = "nothing"  # key under [lamps], only in the learning file: lamps at no station and no window


@dataclass(slots=True)
class Notes:
    """The part of a board's wiring that has been learned so far.

    Attributes:
        switches: station -> input.
        lamps: station -> lamp.
        log: window of the log -> lamp.
        nothing: the lamps known to be dead, or at no station and no window.
    """

    switches: dict[int, int] = field(default_factory=dict)
    lamps: dict[int, int] = field(default_factory=dict)
    log: dict[int, int] = field(default_factory=dict)
    nothing: set[int] = field(default_factory=set)

    def of(self, what: str) -> dict[int, int]:
        """Return the lines for one of `SECTIONS`."""
        return {"switches": self.switches, "lamps": self.lamps, "log": self.log}[what]


def in_config(config: Config, what: str) -> Mapping[int, int]:
    """Return a configuration's lines for one of `SECTIONS`: all of them, or none if it has the usual order."""
    return {"switches": config.switches.wiring, "lamps": config.lamps.wiring, "log": config.lamps.log}[what]


def rows(config: Config, what: str) -> tuple[int, ...]:
    """Return the numbers for which a wiring needs a line: the stations, or the windows of the log."""
    return tuple(range(1, config.edition.windows + 1)) if what == "log" else tuple(config.network.stations)


def missing(config: Config, what: str, lines: Collection[int]) -> list[int]:
    """Return the stations or windows for which a wiring has no line yet."""
    return [row for row in rows(config, what) if row not in lines]


def find_shared(lines: Mapping[str, int]) -> dict[int, list[str]]:
    """Return each input or lamp that has several lines: number -> the stations or windows in the lines. Pure."""
    at: dict[int, list[str]] = {}
    for thing, end in lines.items():
        at.setdefault(end, []).append(thing)
    return {end: things for end, things in at.items() if len(things) > 1}


class WiringFile:
    """The file beside a configuration that stores the learned part of a wiring.

    Args:
        path: the configuration's file.
        config: its content.
        inputs: how many inputs the switches have.
        lamps: how many lamps the chain has.

    Attributes:
        path: the notes' file; it does not exist while there are no notes.
        notes: the noted wiring.
        contradictions: contradictions that were removed from the notes, a line each for people.

    Raises:
        ConfigError: the file cannot be used; the error lists every mistake in it.
    """

    def __init__(self, path: Path, config: Config, *, inputs: int, lamps: int) -> None:
        self.path = path.with_suffix(".learning.toml")
        self._config = path
        self._ends = {"switches": inputs, "lamps": lamps, "log": lamps}
        self.contradictions: list[str] = []
        self.notes = self._read(config) if self.path.exists() else Notes()
        self._kept = _text(self._config.name, self.notes)

    def known(self, config: Config, what: str) -> Mapping[int, int]:
        """Return the known part of a wiring: the learned lines if there are any, else the configured ones."""
        return self.notes.of(what) or in_config(config, what)

    def save(self) -> None:
        """Write the notes to the file if they have changed. If there are none, delete the file.

        Raises:
            OSError: the file cannot be written.
        """
        text = _text(self._config.name, self.notes)
        if text == self._kept:
            return
        if self.notes == Notes():
            self.path.unlink(missing_ok=True)
        else:
            write_in_place(self.path, text)
        self._kept = text

    def check(self) -> None:
        """Check that both files can be written, before the person starts to learn.

        Raises:
            OSError: a file cannot be written; its `filename` says which.
        """
        for path in (self.path.resolve(), self._config.resolve()):
            with _report_as(path):
                if path.exists() and not os.access(path, os.W_OK):  # it could be replaced, but is meant to be read-only
                    raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
                tempfile.NamedTemporaryFile(prefix=f".{path.name}.", dir=path.parent).close()

    def adopt(self, whats: Iterable[str]) -> Config:
        """Move complete learned wirings into the configuration's file. Return the new configuration.

        Everything else in the file stays the same; only a missing last line end is added.

        Raises:
            ConfigError: the file with these lines is not a valid configuration, has no place for them, or does not fit
                the devices; both files are unchanged.
            OSError: the configuration cannot be read or written and both files are unchanged, or it is written and the
                notes cannot be.
        """
        wirings = {what: self.notes.of(what) for what in whats}
        with self._config.open(encoding="utf-8", newline="") as file:  # keeps its line endings
            before = file.read()
        mark = "\ufeff" if before.startswith("\ufeff") else ""  # written by some editors, see `toml_file.contents`
        after = with_wirings(before.removeprefix(mark), wirings)
        config = configs.parse(after, str(self._config), folder=self._config.parent)
        if any(in_config(config, what) != lines for what, lines in wirings.items()):
            what = "the wiring cannot be written into it; write its sections as [switches.wiring], [lamps.wiring]"
            raise ConfigError(f"{self._config}: {what}")
        for used, what, kind in ((config.layout.inputs, "switches", "input"), (config.layout.lamps, "lamps", "lamp")):
            if used > self._ends[what]:
                there = f"there are {kind}s 0 to {self._ends[what] - 1}"
                raise ConfigError(f"{self._config}: with this wiring {kind} {used - 1} would be used; {there}")
        write_in_place(self._config, mark + after)
        for lines in wirings.values():
            lines.clear()
        if not self.notes.lamps and not self.notes.log:
            self.notes.nothing.clear()
        self.save()
        return config

    def _read(self, config: Config) -> Notes:
        data = toml_file.toml(toml_file.contents(self.path), str(self.path))
        known = {(section, key) for section, key in (*SECTIONS.values(), ("lamps", _NOTHING))}
        strange = [
            f"[{section}] {key}".rstrip()
            for section, value in data.items()
            for key in (value if isinstance(value, dict) else [""])
            if (section, key) not in known
        ]
        right = ", ".join(f"[{section}] {key}" for section, key in sorted(known))
        wrong = [f"{self.path}: {place}: does not belong in this file; known are {right}" for place in strange]
        notes = Notes()
        for what, (section, key) in SECTIONS.items():
            if f"[{section}]" not in strange:
                lines = data.get(section, {}).get(key, {})
                notes.of(what).update(self._lines(lines, what, rows(config, what), wrong))
        nothing = data.get("lamps", {}).get(_NOTHING, []) if "[lamps]" not in strange else []
        if isinstance(nothing, list) and all(type(lamp) is int and 0 <= lamp < self._ends["lamps"] for lamp in nothing):
            notes.nothing.update(nothing)
        else:
            wrong.append(f"{self.path}: [lamps] {_NOTHING}: must be a list of lamps, 0 to {self._ends['lamps'] - 1}")
        if wrong:
            raise ConfigError(*wrong, f"{self.path}: correct it, or delete it to start over")
        self._strike_out(notes, {"switches": notes.switches}, "input")
        self._strike_out(notes, {"lamps": notes.lamps, "log": notes.log}, "lamp")
        return notes

    def _lines(self, lines: Any, what: str, known: Collection[int], wrong: list[str]) -> dict[int, int]:
        place, most = f"[{'.'.join(SECTIONS[what])}]", self._ends[what]
        if not isinstance(lines, dict):
            wrong.append(f"{self.path}: {place}: must be a section with lines such as 58 = 12")
            return {}
        good = {}
        for row, end in lines.items():
            if not (row.isdecimal() and int(row) in known and type(end) is int and 0 <= end < most):
                line = f"{row} = {allowed_values.as_toml(end)}"
                wrong.append(
                    f"{self.path}: {place} {line}: must be a row of this board and a number from 0 to {most - 1}"
                )
            else:
                good[int(row)] = end
        return good

    def _strike_out(self, notes: Notes, wirings: Mapping[str, Mapping[int, int]], kind: str) -> None:
        """Remove lines that contradict each other, so that their questions are asked again."""
        named = {(what, row): end for what, lines in wirings.items() for row, end in lines.items()}
        at = {f"{'window' if what == 'log' else 'station'} {row}": end for (what, row), end in named.items()}
        for end, things in find_shared(at).items():
            self.contradictions.append(f"{kind} {end} is noted for {' and '.join(things)}: they are asked for again")
            for what, row in [line for line, other in named.items() if other == end]:
                del notes.of(what)[row]


def _text(config: str, notes: Notes) -> str:
    head = (
        f"# What `yardboard wiring learn` has learned of {config} so far; the next time it goes on from here.\n"
        f"# A wiring that is complete is moved into {config}. Delete this file to learn from the beginning.\n"
    )
    parts = [head]
    if notes.nothing:
        parts.append(f"[lamps]\n{_NOTHING} = {sorted(notes.nothing)}  # dead, or behind no station and no window\n")
    for what, (section, key) in SECTIONS.items():
        if notes.of(what):
            parts.append(f"[{section}.{key}]\n{_as_lines(notes.of(what).items())}")
    return "\n".join(parts)


def _as_lines(lines: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{row} = {end}\n" for row, end in sorted(lines))


def with_wirings(content: str, wirings: Mapping[str, Mapping[int, int]]) -> str:
    """Return a configuration's text with these lines in some of its `SECTIONS`. Pure.

    An existing line gets its new number and keeps its comment. An empty section is filled below its leading comments. A
    missing section is added at the end.
    """
    end = "\r\n" if "\r\n" in content else "\n"
    if content and not content.endswith("\n"):
        content += end
    document = tomlkit.parse(content)
    behind = ""
    for what, lines in wirings.items():
        section, key = SECTIONS[what]
        listed = _as_lines(lines.items()).replace("\n", end)
        table: Any = document.get(section, {}).get(key)
        if table:
            for row, number in lines.items():
                table[str(row)] = number
        elif isinstance(table, Table):
            body = table.value.body
            at = next((n for n, (_, item) in enumerate(body) if not isinstance(item, Comment)), len(body))
            body[at:at] = tomlkit.parse(listed).body
        else:
            if isinstance(table, InlineTable):  # wiring = {}
                del document[section][key]
            behind += f"{end}[{section}.{key}]{end}{listed}"
    return tomlkit.dumps(document) + behind


def write_in_place(path: Path, text: str) -> None:
    """Replace or create a file atomically: readers see the old or the new content, also after a power cut.

    The file keeps its mode, and its owner if this user may set that. A link stays a link.

    Raises:
        OSError: the file cannot be written and is unchanged; the error's `filename` says which.
    """
    path = path.resolve()
    with _report_as(path):
        replace_file(path, text.encode(), finish=partial(_copy_mode_and_owner, path))


@contextmanager
def _report_as(path: Path) -> Iterator[None]:
    """Report file errors within the `with` under this file's name, the only one that users know."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _copy_mode_and_owner(path: Path, file: int) -> None:
    """Give a file the mode of the file that it replaces, or 0644; as root, also its owner or the folder's."""
    old = path.stat() if path.exists() else None
    os.fchmod(file, 0o644 if old is None else old.st_mode & 0o7777)
    owner = old or path.parent.stat()
    if os.geteuid() == 0:  # under sudo: the file keeps the owner of the configuration
        os.fchown(file, owner.st_uid, owner.st_gid)
