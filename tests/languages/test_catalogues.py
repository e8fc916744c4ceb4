"""Every text that people read is there in every language, and holds what its English text holds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import polib
import pytest

from firmware_host.system.language import ENGLISH, LANGUAGES
from languages.collect_texts import ROOT, Text, collect
from languages.update_catalogues import begin, update

CATALOGUES = ROOT / "languages"
_OTHERS = sorted(LANGUAGES.keys() - {ENGLISH})


@pytest.fixture(scope="module")
def texts() -> set[Text]:
    return set(collect())


def entries(code: str) -> list[polib.POEntry]:
    return list(polib.pofile(str(CATALOGUES / f"{code}.po")))


def forms(entry: polib.POEntry) -> list[str]:
    """What an entry says in its language: for one and for many where something is counted."""
    return [entry.msgstr_plural[0], entry.msgstr_plural[1]] if entry.msgid_plural else [entry.msgstr]


def places(text: str) -> Counter[str]:
    """What has to be in a text in whichever language: places for values, and tags of HTML."""
    return Counter(re.findall(r"\{\w+\}|</?[a-z][^>]*>", text))


def test_there_is_a_catalogue_for_each_language() -> None:
    assert sorted(path.stem for path in CATALOGUES.glob("*.po")) == _OTHERS


@pytest.mark.parametrize("code", _OTHERS)
def test_a_catalogue_holds_the_texts_of_the_sources_and_no_others(texts: set[Text], code: str) -> None:
    there = {Text(entry.msgid, entry.msgid_plural, entry.msgctxt or "") for entry in entries(code)}
    assert there == texts, "bring the catalogues up to date: python -m languages.update_catalogues"


def test_a_new_language_gets_a_catalogue_of_all_texts_and_an_update_keeps_its_translations(tmp_path: Path) -> None:
    sources, catalogue = collect(), tmp_path / "pt.po"
    begin(catalogue)
    assert update(catalogue, sources) == len(sources)
    entries = polib.pofile(str(catalogue))
    assert entries.metadata["Language"] == "pt"
    next(entry for entry in entries if entry.msgid == "Chase Mister X").msgstr = "Persegue Mister X"
    entries.save()
    assert update(catalogue, sources) == len(sources) - 1


@pytest.mark.parametrize("code", _OTHERS)
def test_no_text_lacks_its_translation(code: str) -> None:
    lacking = [entry.msgid for entry in entries(code) if not all(forms(entry)) or "fuzzy" in entry.flags]
    assert lacking == []


@pytest.mark.parametrize("code", _OTHERS)
def test_a_translation_has_the_places_of_its_text(code: str) -> None:
    for entry in entries(code):
        one, *many = forms(entry)
        assert places(one) <= places(entry.msgid) + places(entry.msgid_plural), entry.msgid
        assert not entry.msgid_plural or places(many[0]) == places(entry.msgid_plural), entry.msgid
        assert entry.msgid_plural or places(one) == places(entry.msgid), entry.msgid


@pytest.mark.parametrize("code", _OTHERS)
def test_a_translation_begins_and_ends_as_its_text_does(code: str) -> None:
    """Texts are joined to others: a full stop too many, or a space too few, would show."""
    for entry in entries(code):
        for said in forms(entry):
            ends = entry.msgid_plural or entry.msgid
            assert (said[:1].isspace(), said[-1:].isspace()) == (ends[:1].isspace(), ends[-1:].isspace()), entry.msgid
            assert said.endswith(".") == ends.endswith("."), entry.msgid


NARROW, WIDE = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"
MISPRINTS = {
    "de": r"|[”«»]|\bMister X’",
    "es": r"|[“”„]|^[^¿]*\?|^[^¡]*!",
    "fr": rf"|[“”„]|[^{NARROW}][;!?](?!\w)|[^{WIDE}]:(?=\s|$)|«[^{WIDE}]|[^{WIDE}]»",
    "it": r"|[“”„]",
    "nl": r"|[„«»]",
}
"""What a typesetter of the language would mark: foreign quotation marks, blanks that are missing or too wide."""


@pytest.mark.parametrize("code", _OTHERS)
def test_a_translation_is_set_as_its_language_is_printed(code: str) -> None:
    marked = [
        said
        for entry in entries(code)
        for said in forms(entry)
        if re.search("['\"]" + MISPRINTS.get(code, ""), re.sub(r"<[^>]*>", "", said))
    ]
    assert marked == []


BARE = {
    "it": r"\b(?:[Ss]u|[Dd]a|[Aa]|[Dd]i|[Ii]n|[Pp]er) \{(?:station|origin|from|to)\}",
    "fr": r"\b(?:[Vv]ers|[Dd]epuis|[Ss]ur|[Dd]e|[Àà]) \{(?:station|origin|from|to)\}",
}
"""Prepositions that want an article before the number of a station: "sul 67", "vers le 67"."""


@pytest.mark.parametrize("code", BARE)
def test_the_number_of_a_station_has_its_article(code: str) -> None:
    bare = [said for entry in entries(code) for said in forms(entry) if re.search(BARE[code], said)]
    assert bare == []


JARGON = re.compile(r"\bwindow \{|\{\w+\} windows|immobilis|\bignored\b|\bmasked\b|\bfugitive", re.IGNORECASE)
"""The program's own words, for which people at a table have others: a move of the log, a broken switch."""


def test_no_text_is_in_the_words_of_the_program(texts: set[Text]) -> None:
    assert [text.text for text in texts if JARGON.search(f"{text.text} {text.many}")] == []


def test_english_needs_no_catalogue() -> None:
    assert not Path(CATALOGUES / f"{ENGLISH}.po").exists()


@pytest.mark.parametrize("code", _OTHERS)
def test_each_pawn_has_a_letter_or_two_of_its_own(code: str) -> None:
    letters = [entry.msgstr for entry in entries(code) if entry.msgctxt == "letter of a pawn"]
    assert len({*letters, "X"}) == len(letters) + 1 == 9
    assert all(len(one) <= 2 for one in letters)
