"""Bring the catalogues up to date with the sources: `python -m languages.update_catalogues`.

What is new in the sources stands empty in the catalogues then, to be translated; what nobody says any more is gone.
"""

from __future__ import annotations

from pathlib import Path

import polib

from languages.collect_texts import Text, collect

HERE = Path(__file__).resolve().parent


def update(path: Path, texts: dict[Text, set[str]]) -> int:
    """Bring one catalogue up to date, and return how many texts it lacks."""
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


if __name__ == "__main__":
    found = collect()
    for one in sorted(HERE.glob("*.po")):
        print(f"{one.name}: {len(found)} texts, {update(one, found)} of them to be translated")  # noqa: T201
