"""Find the texts of an HTML page and of a game's rules, and replace those of a page with translations.

A text is the content of the outermost element with words of its own, as HTML, including other elements within it:
"Press <kbd>Enter</kbd>". The attributes in `WORDED` are texts, too. Elements marked `translate="no"` stay unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from html.parser import HTMLParser
from typing import Any

MANIFEST = "manifest.webmanifest"
"""The manifest of the installed page."""

IN_MANIFEST = ("description",)
"""The manifest's fields for people."""

WORDED = ("title", "aria-label", "placeholder", "alt", "content")
"""Attributes with text for people; `content` only of a description."""

_VOID = ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
_SILENT = ("script", "style", "svg")


@dataclass(frozen=True, slots=True)
class Place:
    """A text's place on a page: the first and last character, and whether it is an attribute."""

    first: int
    last: int
    text: str
    attribute: bool


@dataclass(slots=True)
class _Element:
    """An open element: the start of its content, and whether it has words of its own."""

    tag: str
    begins: int
    silent: bool
    worded: bool = field(default=False)


class _Reader(HTMLParser):
    """A parser that finds the places of a page's texts."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=False)
        self.places: list[Place] = []
        self._page = page
        self._lines = [0]
        for line in page.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._open: list[_Element] = []
        self.feed(page)
        self.close()

    def _here(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        tag_text = self.get_starttag_text() or ""
        silent = tag in _SILENT or ("translate", "no") in attrs or any(one.silent for one in self._open)
        if not silent:
            self._attributes(tag_text, attrs)
        if tag not in _VOID and not tag_text.endswith("/>"):
            self._open.append(_Element(tag, self._here() + len(tag_text), silent))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _attributes(self, tag_text: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name not in WORDED or not _has_words(value or "") or (name == "content" and not _describes(attrs)):
                continue
            first = self._here() + tag_text.index(f'{name}="') + len(name) + 2
            last = self._page.index('"', first)
            self.places.append(Place(first, last, value or "", attribute=True))

    def handle_data(self, data: str) -> None:
        if self._open and _has_words(data):
            self._open[-1].worded = True

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            element = self._open.pop()
            if element.worded and not element.silent:
                self._take(element)
            if element.tag == tag:
                return

    def _take(self, element: _Element) -> None:
        if any(one.worded for one in self._open):
            return  # part of the surrounding text
        last = self._here()
        self.places = [place for place in self.places if not (element.begins <= place.first and place.last <= last)]
        raw = self._page[element.begins : last]
        lead, tail = len(raw) - len(raw.lstrip()), len(raw) - len(raw.rstrip())
        text = " ".join(raw.split())
        self.places.append(Place(element.begins + lead, last - tail, text, attribute=False))


def places(page: str) -> list[Place]:
    """Return the place of each text of a page, in order."""
    return sorted(_Reader(page).places, key=lambda place: place.first)


def translated(page: str, code: str, say: Callable[[str], str]) -> str:
    """Return a page in another language.

    Args:
        page: the page, in English.
        code: the language, as in `<html lang>`.
        say: translates a text.
    """
    for place in reversed(places(page)):
        said = say(place.text)
        page = page[: place.first] + (escape(said) if place.attribute else said) + page[place.last :]
    return page.replace('<html lang="en"', f'<html lang="{code}"', 1)


def rules_texts(rules: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str]]:
    """Return each text of a game's rules: the object that has it, and its key there."""
    yield rules, "goal"
    for section in rules["sections"]:
        yield section, "title"
        yield from ((point, "text") for point in section["points"])


def _has_words(text: str) -> bool:
    return any(char.isalpha() for char in unescape(text))


def _describes(attrs: list[tuple[str, str | None]]) -> bool:
    return ("name", "description") in attrs
