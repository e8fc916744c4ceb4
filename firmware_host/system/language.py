"""Say texts in the language that they are read in, by gettext: the English texts are the keys to all others.

The language holds for a thread, or for an asyncio task and those that it starts: a page's request is answered in the
page's language, the table draws its screens in its own. Everywhere else it is English, as in logs and protocols.

The other languages are kept in `languages/*.po` and compiled when the package is built; see `languages/README.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
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

_ITALIAN_ARTICLE = re.compile(r"\b([Ii]|[Aa]|[Dd]a|[Dd]e|[Nn]e|[Ss]u)l (?=\{(\w+)\})")
"""An Italian article before a place: "sul {station}"."""

_BEGINS_WITH_A_VOWEL = re.compile(r"(?:1|8|11|8\d)(?!\d)")
"""A number whose Italian word begins with a vowel: uno, otto, undici, ottanta."""

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
    return _filled(_catalogue(_language.get()).gettext(text), values)


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Return the first text for one of something, else the second: `ngettext("1 die", "{count} dice", 2)`."""
    return _filled(_catalogue(_language.get()).ngettext(one, many, count), {"count": count, **values})


def pgettext(meaning: str, text: str, /, **values: object) -> str:
    """Return a text that other languages say in another way elsewhere; `meaning` tells translators what this one is."""
    return _filled(_catalogue(_language.get()).pgettext(meaning, text), values)


def gettext_noop(text: str, /) -> str:
    """Return a text as it is: it is only marked for translators, and said later."""
    return text


def _filled(text: str, values: Mapping[str, object]) -> str:
    if not values:
        return text
    return (_elided(text, values) if _language.get() == "it" else text).format_map(values)


def _elided(text: str, values: Mapping[str, object]) -> str:
    """Join an Italian article to a number that begins with a vowel: "dall’87", but "dal 67"."""

    def join(article: re.Match[str]) -> str:
        stem, place = article.groups()
        if not _BEGINS_WITH_A_VOWEL.match(str(values[place])):
            return article[0]
        return {"I": "L’", "i": "l’"}.get(stem, f"{stem}ll’")

    return _ITALIAN_ARTICLE.sub(join, text)


@cache
def _catalogue(code: str) -> NullTranslations:
    if code == ENGLISH:
        return NullTranslations()
    return GNUTranslations(BytesIO((CATALOGUES / f"{code}.mo").read_bytes()))
