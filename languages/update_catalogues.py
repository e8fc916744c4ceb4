"""Update the catalogues from the sources: `python -m languages.update_catalogues`.

It adds each new text without a translation and drops the texts that the sources no longer have. A language of
`LANGUAGES` that has no catalogue gets one without translations.
"""

from __future__ import annotations

from pathlib import Path

import polib

from firmware_host.system.language import ENGLISH, LANGUAGES
from languages.collect_texts import Text, collect

HERE = Path(__file__).resolve().parent


def update(path: Path, texts: dict[Text, set[str]]) -> int:
    """Update one catalogue, and return how many texts lack a translation."""
    old = {_key(entry): entry for entry in polib.pofile(str(path), wrapwidth=110)}
    new = polib.POFile(wrapwidth=110)
    new.metadata = polib.pofile(str(path)).metadata
    for text in sorted(texts):
        entry = polib.POEntry(
            msgid=text.text, msgctxt=text.meaning or None, occurrences=[(file, "") for file in sorted(texts[text])]
        )
        known = old.get((text.text, text.meaning))
        if text.many:
            entry.msgid_plural = text.many
            entry.msgstr_plural = dict(known.msgstr_plural) if known and known.msgstr_plural else {0: "", 1: ""}
        elif known:
            entry.msgstr = known.msgstr
        if known:
            entry.tcomment, entry.flags = known.tcomment, known.flags
        new.append(entry)
    new.save(str(path))
    return len(new.untranslated_entries())


def _key(entry: polib.POEntry) -> tuple[str, str]:
    return entry.msgid, entry.msgctxt or ""


def begin(path: Path) -> None:
    """Write an empty catalogue, `pt.po`. Its plurals are those of English until somebody changes them."""
    new = polib.POFile(wrapwidth=110)
    new.metadata = {
        "Language": path.stem,
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    new.save(str(path))


if __name__ == "__main__":
    found = collect()
    for missing in LANGUAGES.keys() - {ENGLISH} - {path.stem for path in HERE.glob("*.po")}:
        begin(HERE / f"{missing}.po")
    for one in sorted(HERE.glob("*.po")):
        print(f"{one.name}: {len(found)} texts, {update(one, found)} of them to be translated")  # noqa: T201
