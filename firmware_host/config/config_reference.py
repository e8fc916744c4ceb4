"""Explain every key of a configuration, for a terminal and for docs/configuration.md."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.config.allowed_values import ConfigKey, as_toml, keys
from firmware_host.config.schema import NAMED, SECTIONS

_PREFACE = """\
# Configuration

<!-- Written by `make docs` from firmware_host/config: schema.py and drivers/. -->

A configuration is a TOML file. A missing key has its default value, so an empty file is the simulator with five
players on London. `config/simulator.toml` is the complete example with all defaults. `yardboard check-config FILE`
lists all errors of a file.

`yardboard sim` accepts a file without devices. `yardboard run`, and so the service, refuses it, because a power cut
may have emptied the file. To run a simulated table with it, set `driver = "sim"`.
"""


def as_text() -> str:
    """Return the explanation for a terminal: what to write, unit, bounds, default and meaning."""
    lines: list[str] = []
    for name, section in _sections():
        lines += [f"[{name}] {section.__doc__}", ""]
        for title, key in _titled_keys(name, section):
            lines += [f"  {title}: {key.allowed}; default {key.shown_default()}", f"      {_meaning(key)}"]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def as_markdown() -> str:
    """Return the content of docs/configuration.md: a heading and a table for each section."""
    lines = [_PREFACE]
    for name, section in _sections():
        lines += [f"## `[{name}]`", "", str(section.__doc__), ""]
        lines += ["| key | what to write | unit | default | meaning |", "|---|---|---|---|---|"]
        for title, key in _titled_keys(name, section):
            default = key.shown_default() if key.line else f"`{as_toml(key.default)}`"
            cells = (f"`{title}`", f"{key.kind} {key.bounds}".rstrip(), key.unit, default, _meaning(key))
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _sections() -> Iterator[tuple[str, type]]:
    """Yield the sections with their names in a file."""
    yield from SECTIONS.items()
    yield from ((f"{name}.NAME", section) for name, section in NAMED.items())


def _meaning(key: ConfigKey) -> str:
    return f"For {' and '.join(map(as_toml, key.only))}: {key.doc}" if key.only else key.doc


def _titled_keys(name: str, section: type) -> list[tuple[str, ConfigKey]]:
    """Return a section's keys with their titles. A key that is a section of its own has a heading."""
    return [(f"[{name}.{title}]" if key.line else title, key) for title, key in keys(section).items()]
