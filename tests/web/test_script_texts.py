"""The pages' scripts say what people read through gettext, where it is found and translated; and in which languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import firmware_host.web
from firmware_host.system.language import LANGUAGES
from firmware_host.web.pages.page_bundles import imported_files
from languages.collect_texts import collect

STATIC = Path(firmware_host.web.__file__).parent / "static"
ROOT = STATIC.parents[2]
SCRIPTS = sorted(STATIC.rglob("*.js"))

COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$|(?<=[;,{}\]]) //.*?$", re.DOTALL | re.MULTILINE)
MARKED = re.compile(r'\b[np]?gettext\(\s*"[^"]*"(?:,\s*"[^"]*")?')
CALL = re.compile(r'\b(?:ngettext|gettext)\(\s*"([^"]*)"|\bpgettext\(\s*"[^"]*",\s*"([^"]*)"')
THROWN = re.compile(r'\bError\((?:"[^"]*"|`[^`]*`)\)')
"""What only developers read; but some errors are shown, and their texts are marked."""
LITERAL = re.compile(r'"([^"\n]*)"|`([^`]*)`')
SENTENCE = re.compile(r" ?[A-Z][a-z']*[,:;]? [A-Za-z“$]|.*\$\{[^}]*\}(?:'s)?[,:;]? [a-z]+ (?:[a-z]|\$\{)", re.DOTALL)
"""How the words begin that people read: with a capital; or, around what is filled in, two of them side by side."""
READ = re.compile(
    r'(?:\b(?:textContent|title|alt|placeholder) ?[=:]|"aria-label":|\b(?:srOnly|addPanel|dialog|opener)\(|\},)'
    r' ?(?:[^",()]*[,?] )?"([A-Z][a-z]+[^"]*)"'
)
"""Where even a single word is read."""

KEPT = {"Yardboard"}
"""What is said alike in every language."""


def unmarked(source: str) -> list[str]:
    """Return what a script lets people read that is not marked to be said in their language."""
    rest = THROWN.sub("", MARKED.sub("", COMMENT.sub("", source)))
    literals = [one or other for one, other in LITERAL.findall(rest)]
    said = [text for text in literals if SENTENCE.match(text)] + READ.findall(rest)
    return [text for text in dict.fromkeys(said) if text not in KEPT]


def test_no_script_says_anything_in_english_alone() -> None:
    found = {script.name: unmarked(script.read_text(encoding="utf-8")) for script in SCRIPTS}
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('words.textContent = "It is dark.";', ["It is dark."]),
        ('button.textContent = open ? gettext("Look") : "";', []),
        ('make("h2", {}, "Rules")', ["Rules"]),
        ('make("h2", {}, gettext("Rules of the game"))', []),
        ('make("svg", { "aria-label": "Code" })', ["Code"]),
        ("say(`${pawnName(pawn)} cannot go there now.`);", ["${pawnName(pawn)} cannot go there now."]),
        ('const label = `Rules of ${game}`; // "Rules of Classic"', ["Rules of ${game}"]),
        ('ngettext("One more die", "Some more dice", count)', []),
        ("const line = `M${x} ${y}H${width} L${x} ${y}`;", []),
        ('throw new Error("There is no such element");', []),
    ],
)
def test_what_is_not_marked_is_found(source: str, found: list[str]) -> None:
    assert unmarked(source) == found


def test_every_text_that_is_marked_reaches_the_catalogues() -> None:
    """Whatever collects them must understand how it is written: within a template literal it finds none."""
    collected = {(file, text.text) for text, files in collect().items() for file in files}
    for script in SCRIPTS:
        source = COMMENT.sub("", script.read_text(encoding="utf-8"))
        for one, other in CALL.findall(source):
            assert (str(script.relative_to(ROOT)), one or other) in collected


@pytest.mark.parametrize("code", sorted(LANGUAGES.keys() - {"en"}))
def test_a_page_loads_the_texts_of_its_scripts_in_its_language_and_few_others(code: str) -> None:
    for page in sorted(STATIC.glob("*.html")):
        source = "".join(COMMENT.sub("", file.read_text("utf-8")) for file in imported_files(page.with_suffix(".js")))
        said = {one or other for one, other in CALL.findall(source)}
        file = STATIC / "languages" / code / f"{page.stem}.json"
        texts = json.loads(file.read_text("utf-8")) if file.exists() else {}
        loaded = {key.rpartition("\x04")[2] for key in texts}
        assert said <= loaded, page.stem
        assert len(loaded - said) < 20, page.stem  # words of its scripts that are texts of others


@pytest.mark.long
def test_the_rules_of_games_reach_the_catalogues() -> None:
    rules = {str(path.relative_to(ROOT)) for path in STATIC.glob("rules/*.json")}
    assert rules <= {file for files in collect().values() for file in files}


def test_the_pages_know_the_languages_that_there_are() -> None:
    source = (STATIC / "languages" / "names.js").read_text(encoding="utf-8")
    listed = re.search(r"export const LANGUAGES = \{(.*?)\}", source, re.DOTALL)
    assert listed is not None
    assert dict(re.findall(r'(\w+): "([^"]+)"', listed.group(1))) == LANGUAGES


def test_no_style_sheet_says_words_for_there_they_are_of_one_language() -> None:
    said: dict[str, list[str]] = {}
    for sheet in sorted(STATIC.rglob("*.css")):
        contents = re.findall(r"content: ([^;]*);", sheet.read_text(encoding="utf-8"))
        said[sheet.name] = re.findall(r'"[^"]*[A-Za-z]{2}[^"]*"', " ".join(contents))
    assert {name: words for name, words in said.items() if words} == {}
