"""Translate texts into a reader's language by gettext. Texts are in English until somebody reads them.

The language is set per thread, or per asyncio task and its children: a page's request is answered in the page's
language, and the table draws its screens in the configured language. Logs and protocols are in English.

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
"""ISO 639-1 code -> the language's own name."""

CATALOGUES = Path(__file__).resolve().parent / "catalogues"
"""The folder of the compiled catalogues, such as `de.mo`."""

Lines = Callable[[], Sequence[str]]
"""Returns lines in the current language."""

_ITALIAN_ARTICLE = re.compile(r"\b([Ii]|[Aa]|[Dd]a|[Dd]e|[Nn]e|[Ss]u)l (?=\{(\w+)\})")
"""An Italian article before a place: "sul {station}"."""

_BEGINS_WITH_A_VOWEL = re.compile(r"(?:1|8|11|8\d)(?!\d)")
"""A number whose Italian word begins with a vowel: uno, otto, undici, ottanta."""

_language: ContextVar[str] = ContextVar("language", default=ENGLISH)


def language() -> str:
    """Return the code of the current language."""
    return _language.get()


@contextmanager
def in_language(code: str) -> Iterator[None]:
    """Set the current language, one of `LANGUAGES`, within the `with`."""
    before = _language.set(code)
    try:
        yield
    finally:
        _language.reset(before)


def gettext(text: str, /, **values: object) -> str:
    """Translate a text and fill in the values for its braces: `gettext("{pawn} moves", pawn="Red")`."""
    if not text:  # a catalogue would return its head
        return ""
    return _filled(_catalogue(_language.get()).gettext(text), values)


def ngettext(one: str, many: str, count: int, /, **values: object) -> str:
    """Translate a text for one thing or for several: `ngettext("1 die", "{count} dice", 2)`."""
    return _filled(_catalogue(_language.get()).ngettext(one, many, count), {"count": count, **values})


def pgettext(meaning: str, text: str, /, **values: object) -> str:
    """Translate a text that has several meanings. `meaning` says which one, for translators."""
    return _filled(_catalogue(_language.get()).pgettext(meaning, text), values)


def gettext_noop(text: str, /) -> str:
    """Mark a text to be translated later, and return it unchanged."""
    return text


def _filled(text: str, values: Mapping[str, object]) -> str:
    if not values:
        return text
    return (_elided(text, values) if _language.get() == "it" else text).format_map(values)


def _elided(text: str, values: Mapping[str, object]) -> str:
    """Contract an Italian article before a number that begins with a vowel: "dall’87", but "dal 67"."""

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


class TranslatableText(str):
    """An English string that remembers its parts, so that it can be translated later."""

    __slots__ = ("text", "values")

    text: str
    values: Mapping[str, object]


def translatable(text: str, /, **values: object) -> TranslatableText:
    """Fill in the values for the braces of a text that `gettext_noop` has marked.

    The result remembers the values, so that it can be translated later.
    """
    made = TranslatableText(text.format_map(values))
    made.text, made.values = text, values
    return made


def say(text: str) -> str:
    """Translate a text into the current language. A text without a translation stays English."""
    if isinstance(text, TranslatableText):
        return gettext(
            text.text, **{name: say(value) if isinstance(value, str) else value for name, value in text.values.items()}
        )
    return gettext(text)


def reason_of(error: Exception) -> str:
    """Return an error's text so that it can be translated later."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, str) else str(error)
