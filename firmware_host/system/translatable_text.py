"""Keep a text in English, for logs and states, together with the parts for later translation."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.system.language import gettext


class TranslatableText(str):
    """An English text that knows its parts. It compares and prints like any other text."""

    __slots__ = ("text", "values")

    text: str
    values: Mapping[str, object]


def translatable(text: str, /, **values: object) -> TranslatableText:
    """Fill the places in braces of a text marked by `gettext_noop`, and keep the parts."""
    made = TranslatableText(text.format_map(values))
    made.text, made.values = text, values
    return made


def say(text: str) -> str:
    """Translate a text into the current language; one without a translation stays English."""
    if isinstance(text, TranslatableText):
        return gettext(
            text.text, **{name: say(value) if isinstance(value, str) else value for name, value in text.values.items()}
        )
    return gettext(text) if text else ""


def reason_of(error: Exception) -> str:
    """Return an error's text for later translation."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, str) else str(error)
