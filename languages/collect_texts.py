"""Collect all texts for people from the sources: Python, JavaScript, HTML, and the games' files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.extract import extract

from languages.page_texts import IN_MANIFEST, MANIFEST, places, rules_texts

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "firmware_host" / "web" / "static"

_KEYWORDS = {"gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "gettext_noop": None}
_OPTIONS = {"parse_template_string": True}  # for JavaScript: texts within templates count, too
_TITLES = ("config/editions/*.toml", "config/maps/*.toml", "config/tiles/*.toml")


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text of the sources.

    Attributes:
        text: in English.
        many: its plural; "" if nothing is counted.
        meaning: the context that distinguishes it from equal words; "" if not needed.
    """

    text: str
    many: str = ""
    meaning: str = ""


def collect() -> dict[Text, set[str]]:
    """Return every text -> the files that use it, relative to the repository."""
    found: dict[Text, set[str]] = {}
    for file, text in _all():
        found.setdefault(text, set()).add(str(file.relative_to(ROOT)))
    return found


def _all() -> Iterator[tuple[Path, Text]]:
    for file in sorted((ROOT / "firmware_host").rglob("*.py")):
        yield from ((file, text) for text in _said(file, "python"))
    for file in sorted(STATIC.rglob("*.js")):
        yield from ((file, text) for text in _said(file, "javascript"))
    for file in sorted(STATIC.glob("*.html")):
        yield from ((file, Text(place.text)) for place in places(file.read_text("utf-8")))
    manifest = STATIC / MANIFEST
    yield from ((manifest, Text(json.loads(manifest.read_text("utf-8"))[key])) for key in IN_MANIFEST)
    for file in sorted(STATIC.glob("rules/*.json")):
        yield from ((file, Text(part[key])) for part, key in rules_texts(json.loads(file.read_text("utf-8"))))
    for pattern in _TITLES:
        for file in sorted(ROOT.glob(pattern)):
            title = tomllib.loads(file.read_text("utf-8")).get("title")
            if title:
                yield file, Text(title)


def _said(file: Path, language: str) -> Iterator[Text]:
    with file.open("rb") as source:
        for _, message, _, meaning in extract(language, source, keywords=_KEYWORDS, options=_OPTIONS):
            if isinstance(message, tuple):
                yield Text(message[0], message[1], meaning or "")
            else:
                yield Text(message, meaning=meaning or "")
