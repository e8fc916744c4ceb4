"""Collect all texts that people read from the sources: Python, the pages' JavaScript and HTML, and the games' files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babel.messages.extract import extract

from languages.page_texts import IN_MANIFEST, MANIFEST, places

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "firmware_host" / "web" / "static"

_KEYWORDS = {"gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "gettext_noop": None, "gettextNoop": None}
_OPTIONS = {"parse_template_string": True}  # JavaScript's: what is said within a template is said, too
_TITLES = ("config/editions/*.toml", "config/maps/*.toml", "config/tiles/*.toml")


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text of the sources.

    Attributes:
        text: in English.
        many: the same of more than one thing; "" where nothing is counted.
        meaning: what tells it from the same words elsewhere; "" where nothing has to.
    """

    text: str
    many: str = ""
    meaning: str = ""


def collect() -> dict[Text, set[str]]:
    """Return every text -> the files in which it is said, from the repository's folder on."""
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
        yield from ((file, Text(text)) for text in _of_rules(json.loads(file.read_text("utf-8"))))
    for pattern in _TITLES:
        for file in sorted(ROOT.glob(pattern)):
            title = tomllib.loads(file.read_text("utf-8")).get("title")
            if title:
                yield file, Text(title)


def _of_rules(rules: dict[str, Any]) -> Iterator[str]:
    """Return what the rules of a game say, as the pages tell them."""
    yield rules["goal"]
    for section in rules["sections"]:
        yield section["title"]
        yield from (point["text"] for point in section["points"])


def _said(file: Path, language: str) -> Iterator[Text]:
    with file.open("rb") as source:
        for _, message, _, meaning in extract(language, source, keywords=_KEYWORDS, options=_OPTIONS):
            if isinstance(message, tuple):
                yield Text(message[0], message[1], meaning or "")
            else:
                yield Text(message, meaning=meaning or "")
