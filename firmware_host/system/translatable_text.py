"""Keep a text in English, as logs and states want it, so that it can be said in any language when somebody reads it."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.system.language import gettext


class TranslatableText(str):
    """A text in English that knows what it was made of. It is compared and written down as any other."""

    __slots__ = ("text", "values")

    text: str
    values: Mapping[str, object]


def translatable(text: str, /, **values: object) -> TranslatableText:
    """Return a text, marked by `gettext_noop`, with its places in braces filled."""
    made = TranslatableText(text.format_map(values))
    made.text, made.values = text, values
    return made


def say(text: str) -> str:
    """Return a text in the language that texts are said in now; one that no catalogue has stays as it is."""
    if isinstance(text, TranslatableText):
        return gettext(
            text.text, **{name: say(value) if isinstance(value, str) else value for name, value in text.values.items()}
        )
    return gettext(text) if text else ""


def reason_of(error: Exception) -> str:
    """Return why something was refused as it can be said later: an error's text, and what that was made of."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, str) else str(error)
