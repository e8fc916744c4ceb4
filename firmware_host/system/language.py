"""Say texts in the language that they are read in, by gettext: the English texts are the keys to all others.

The language holds for a thread, or for an asyncio task and those that it starts: a page's request is answered in the
page's language, the table draws its screens in its own. Everywhere else it is English, as in logs and protocols.

The other languages are kept in `languages/*.po` and compiled when the package is built; see `languages/README.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

ENGLISH = "en"

LANGUAGES = {
    ENGLISH: "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
}
"""The languages that there are, by their ISO 639-1 code -> what they call themselves."""

CATALOGUES = Path(__file__).resolve().parent / "catalogues"
"""Where the compiled catalogues lie: `de.mo`."""

Lines = Callable[[], Sequence[str]]
"""Gives lines in the language that it is called in."""

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the code of the language that texts are said in now."""
    return _language.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Say all texts within in a language of `LANGUAGES`."""
    before = _language.set(code)
    try:
        yield
    finally:
        _language.reset(before)


def gettext(text: str, /, **values: object) -> str:
    """Return a text, its places in braces filled: `gettext("{pawn} moves", pawn="Red")`."""
    said = _catalogue(_language.get()).gettext(text)
    return said.format_map(values) if values else said


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the first text for one of something, else the second: `ngettext("1 die", "{count} dice", 2)`."""
    said = _catalogue(_language.get()).ngettext(one, many, count)
    return said.format_map({"count": count, **values})


def pgettext(meaning: str, text: str, /, **values: object) -> str:
    """Return a text that other languages say in another way elsewhere; `meaning` tells translators what this one is."""
    said = _catalogue(_language.get()).pgettext(meaning, text)
    return said.format_map(values) if values else said


def gettext_noop(text: str, /) -> str:
    """Return a text as it is: it is only marked for translators, and said later."""
    return text


@cache
def _catalogue(code: str) -> NullTranslations:
    if code == ENGLISH:
        return NullTranslations()
    return GNUTranslations(BytesIO((CATALOGUES / f"{code}.mo").read_bytes()))
