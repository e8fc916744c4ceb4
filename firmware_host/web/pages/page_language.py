"""Choose the language of a page: the one that its user chose, else the best that the browser accepts.

The address of a page's WebSocket names the page's language. So its messages keep that language even if the user chooses
another one on another page.
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers

from firmware_host.system.language import ENGLISH, LANGUAGES

COOKIE = "language"
"""The cookie that stores the user's choice of language."""

_LONGEST = 512
"""The most characters of a header that are read."""


def page_language(headers: Headers, query: bytes = b"") -> str:
    """Return the code of the language in which to answer a request, such as "de"."""
    named = query.decode("latin-1").removeprefix("language=")
    if named in LANGUAGES:
        return named
    chosen = _chosen(headers.get("cookie", "")[:_LONGEST])
    return chosen if chosen in LANGUAGES else _preferred(headers.get("accept-language", "")[:_LONGEST])


def _chosen(cookies: str) -> str:
    jar = SimpleCookie()
    try:
        jar.load(cookies)
    except CookieError:
        return ""
    return jar[COOKIE].value if COOKIE in jar else ""


def _preferred(accepted: str) -> str:
    """Return the available language that a browser likes best (RFC 9110, 12.5.4)."""
    wanted = []
    for place, part in enumerate(accepted.split(",")):
        tag, _, quality = part.strip().partition(";")
        code = tag.strip().partition("-")[0].lower()
        if code in LANGUAGES and (weight := _weight(quality)) > 0:
            wanted.append((-weight, place, code))
    return min(wanted)[2] if wanted else ENGLISH


def _weight(quality: str) -> float:
    """Return how much a browser likes a language, from 0 to 1."""
    name, _, value = quality.replace(" ", "").partition("=")
    if not name:
        return 1.0
    try:
        return float(value) if name == "q" else 0.0
    except ValueError:
        return 0.0
