"""Make what the program and its pages read: catalogues for Python and JavaScript, and whole pages in every language."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polib

from firmware_host.system.language import ENGLISH, LANGUAGES
from firmware_host.web.pages.page_bundles import imported_files
from languages.page_texts import IN_MANIFEST, MANIFEST, rules_texts, translated

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "firmware_host"
STATIC = PACKAGE / "web" / "static"
GETTEXT = STATIC / "wording" / "gettext.js"
"""The script that translates texts in the page."""

COMPILED = PACKAGE / "system" / "catalogues"
FOR_PAGES = STATIC / "languages"

HEAD = """\
    <meta charset="utf-8" />
    <meta name="color-scheme" content="dark light" />
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/static/{name}.css" />
    <script type="module" blocking="render" src="/static/theme.js"></script>
    <script type="module" src="/static/{name}.js"></script>
"""
"""What the head of every page begins with; a page's sheet and script have its name."""

_MEANING = "\x04"
"""Separates a text's meaning from the text in a key, as in gettext's own files."""


_NAMES = """\
/**
 * The languages by their ISO 639-1 code -> what they call themselves; written by languages/compile_catalogues.py.
 * @type {{Record<string, string>}}
 */
export const LANGUAGES = {{
{names}}};
"""


def make() -> list[Path]:
    """Make the files of every language, and the list of languages for the pages. Return the folders of their pages."""
    FOR_PAGES.mkdir(exist_ok=True)
    names = "".join(f"  {code}: {json.dumps(name, ensure_ascii=False)},\n" for code, name in LANGUAGES.items())
    (FOR_PAGES / "names.js").write_text(_NAMES.format(names=names), "utf-8")
    pages = {page.name: _with_head(page) for page in sorted(STATIC.glob("*.html"))}
    english = _write(ENGLISH, pages | _rules({}))
    return [english, *(_make(HERE / name, pages) for name in sorted(path.name for path in HERE.glob("*.po")))]


def _with_head(page: Path) -> str:
    return page.read_text("utf-8").replace("<head>\n", f"<head>\n{HEAD.format(name=page.stem)}", 1)


def _write(code: str, files: dict[str, str]) -> Path:
    """Write the files of a language into its folder, and remove those that are gone."""
    folder = FOR_PAGES / code
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    for gone in {old.name for old in folder.iterdir()} - files.keys():
        (folder / gone).unlink()
    return folder


def _make(path: Path, pages: dict[str, str]) -> Path:
    code, catalogue = path.stem, polib.pofile(str(path), wrapwidth=0)
    COMPILED.mkdir(exist_ok=True)
    catalogue.save_as_mofile(str(COMPILED / f"{code}.mo"))
    said: dict[str, str] = {entry.msgid: entry.msgstr for entry in catalogue if entry.msgstr and not entry.msgctxt}
    manifest = json.loads((STATIC / MANIFEST).read_text("utf-8"))
    files = {**_rules(said), MANIFEST: _manifest(manifest, code, said)}
    for name, page in pages.items():
        scripts = imported_files(STATIC / name.replace(".html", ".js"))
        texts = name.replace(".html", ".json") if GETTEXT in scripts else ""
        files[name] = _page(page, code, said, texts)
        if texts:
            files[texts] = _dump(_page_texts(scripts, catalogue))
    return _write(code, files)


def _page_texts(scripts: list[Path], catalogue: polib.POFile) -> dict[str, str | list[str]]:
    """Return the translations for a page's scripts: key -> text, or the texts for one and for many."""
    quoted = {part for file in scripts for part in file.read_text("utf-8").split('"')}
    texts: dict[str, str | list[str]] = {}
    for entry in catalogue:
        if entry.msgid not in quoted:
            continue
        key = entry.msgid if entry.msgctxt is None else entry.msgctxt + _MEANING + entry.msgid
        texts[key] = [entry.msgstr_plural[0], entry.msgstr_plural[1]] if entry.msgid_plural else entry.msgstr
    return {key: text for key, text in texts.items() if text and all(text)}


def _rules(said: dict[str, str]) -> dict[str, str]:
    """Return the files with the rules of each game in a language."""
    files = {}
    for path in sorted(STATIC.glob("rules/*.json")):
        rules = json.loads(path.read_text("utf-8"))
        for part, key in rules_texts(rules):
            part[key] = said.get(part[key], part[key])
        files[f"rules_{path.name}"] = _dump(rules)
    return files


def _dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _manifest(manifest: dict[str, Any], code: str, said: dict[str, str]) -> str:
    """Return the manifest of the installed page in a language."""
    texts = {key: said.get(manifest[key], manifest[key]) for key in IN_MANIFEST}
    return json.dumps({**manifest, "lang": code, **texts}, ensure_ascii=False, indent=2)


def _page(page: str, code: str, said: dict[str, str], texts: str) -> str:
    """Return a page in a language; `texts` names the file with the texts of its scripts, if they have any."""
    say: Callable[[str], str] = lambda text: said.get(text, text)  # noqa: E731
    said_so = translated(page, code, say).replace(f"/static/{MANIFEST}", f"/static/languages/{code}/{MANIFEST}")
    if not texts:
        return said_so
    ahead = f'<link rel="preload" id="texts" as="fetch" href="/static/languages/{code}/{texts}" crossorigin />'
    return said_so.replace("</head>", f"  {ahead}\n  </head>", 1)
