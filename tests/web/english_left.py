"""Find English texts on a page in another language."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import polib

from firmware_host.system.language import ENGLISH, LANGUAGES
from tests.amount import amount
from tests.web.chromium import Visitor

CATALOGUES = Path(__file__).parents[2] / "languages"

LOCALES = amount(("en-US",), ("en-US", *(f"{code}-{code.upper()}" for code in LANGUAGES if code != ENGLISH)))
"""The browsers' languages in which whole games are played."""

TEXTS = """() => {
  const texts = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if ((node.parentElement ?? document.body).closest('[translate="no"]')) continue;
    if (node.nodeType === Node.TEXT_NODE) texts.add(node.textContent.trim());
    else for (const name of ["aria-label", "title", "alt"]) texts.add(node.getAttribute(name)?.trim() ?? "");
  }
  return [...texts];
}"""
"""A script that returns all texts on a page, also those for screen readers, but no name common to all languages."""


@cache
def english_of(language: str) -> frozenset[str]:
    """Return the English texts that have another form in a language. Letters of pawns may be those of tiles."""
    entries = polib.pofile(str(CATALOGUES / f"{language}.po"))
    translated = {said for entry in entries for said in (entry.msgstr, *entry.msgstr_plural.values())}
    return frozenset(entry.msgid for entry in entries if len(entry.msgid) > 2 and "{" not in entry.msgid) - translated


def english_left(visitor: Visitor) -> set[str]:
    """Return the English texts on a page in another language."""
    language = visitor.page.evaluate("document.documentElement.lang")
    return set() if language == "en" else english_of(language) & set(visitor.page.evaluate(TEXTS))
