"""On a slow line a page waits once: for itself, and then for all that it needs to begin, in one go."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import pytest

from firmware_host.system.language import LANGUAGES
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.web.feeds.board_outline import bends, lines, outline
from firmware_host.web.pages.page_bundles import SHARED, BundleError, bundle
from firmware_host.web.transport import connection_limits
from tests.shipped_grounds import load_map
from tests.web.page_weight import STATIC, bundles, sent
from tests.web.served import Served, served

ENGLISH_PAGES = STATIC / "languages" / "en"
PAGES = sorted(page.name for page in ENGLISH_PAGES.glob("*.html"))
AT_ONCE = 6
"""Files that a browser fetches from one address at the same time."""

NEEDED = r'<(?:script|link rel="(?:stylesheet|preload|modulepreload|icon)") [^>]*(?:src|href)="(/[^"]+)"'
NEXT = r'^(?:import|export)\b[^;"]*"([^"]+)"|\bimport\("([^"]+)"|@import[^;"]*"([^"]+)"|\burl\("?([^"#)][^")]*)'


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    """A table to which one address may connect as often as a fast machine does here."""
    with pytest.MonkeyPatch.context() as patch, served() as running:
        patch.setattr(connection_limits, "ARRIVALS", 1_000_000)
        yield running


def test_a_file_that_a_script_or_sheet_needs_is_asked_for_by_the_page_itself(table: Served) -> None:
    """So the chain of what a page waits for before it begins has two links: the page, and its files."""
    for code in LANGUAGES:
        for name in PAGES:
            _, _, page = table.fetch(f"/static/languages/{code}/{name}")
            asked = set(re.findall(NEEDED, page))
            assert len(asked) <= AT_ONCE, (code, name)
            for file in (one for one in asked if one.endswith((".js", ".css"))):
                text = table.fetch(file)[2]
                later = {next(filter(None, found.groups())) for found in re.finditer(NEXT, text, re.MULTILINE)}
                later = {one for one in later if not one.endswith(".woff2")}  # text is shown before its font has come
                assert {f"/static/{one.removeprefix('./').removeprefix('/static/')}" for one in later} <= asked, file


def test_a_page_in_another_language_asks_for_its_texts_if_its_scripts_say_any(table: Served) -> None:
    for name in PAGES:
        scripts = [file for one in bundles(ENGLISH_PAGES / name).values() for file in one.sources]
        speaks = STATIC / "wording" / "gettext.js" in scripts
        texts = f"/static/languages/de/{name.replace('.html', '.json')}"
        assert (texts in table.fetch(f"/static/languages/de/{name}")[2]) == speaks, name


def test_a_pages_scripts_are_at_most_200_kilobytes() -> None:
    for name in PAGES:
        made = bundles(ENGLISH_PAGES / name).items()
        assert sum(sent(one) for file, one in made if file.endswith(".js")) <= 200_000, name


def test_what_a_page_must_know_of_a_board_to_draw_it_is_short() -> None:
    board = BoardMap(load_map("london"))
    said = {**outline(board, None, lambda station: station), "lines": lines(board), "bends": bends(board)}
    assert len(json.dumps(said, separators=(",", ":"))) <= 25_000


def write(folder: Path, **texts: str) -> Path:
    """Write modules, each under its name with a slash for "__"; return the entry."""
    for name, text in texts.items():
        file = folder / f"{name.replace('__', '/')}.js"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return folder / "entry.js"


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    """Also where modules have the same names inside, wait for something, or are imported twice."""
    one = """// one
export const list = [];
const own = await Promise.resolve("one"); // or another
export async function say() {
  return own;
}
"""
    two = """import { list as all } from "../a/one.js";
/**
 * Two.
 */
export class Two {}
const own = "two";
all.push(own);
"""
    both = """import {
  list,
  say,
} from "./a/one.js";
import { Two } from "./b/two.js";
import "./b/two.js";
const own = "entry";
console.log(JSON.stringify([list, await say(), Two.name, own]));
"""
    entry = write(tmp_path, a__one=one, b__two=two, entry=both)
    made = bundle(entry)
    assert [file.name for file in made.sources] == ["one.js", "two.js", "entry.js"]
    assert "//" not in made.text
    assert " * Two." not in made.text
    (tmp_path / "bundle.mjs").write_text(made.text)
    node = Path(sys.executable).with_name("node")
    said = run([node, tmp_path / "bundle.mjs"], capture_output=True, text=True, check=True).stdout
    assert said == '[["two"],"one","Two","entry"]\n'


def test_modules_of_the_script_before_are_imported_from_it_and_not_evaluated_twice(tmp_path: Path) -> None:
    write(tmp_path, theme='import "./a/set.js";\n', a__set="export const chosen = {};\n")
    entry = write(tmp_path, entry='import { chosen } from "./a/set.js";\nchosen.day = true;\n')
    assert 'import { shared } from "./theme.js";' in bundle(entry).text
    assert "chosen = {}" not in bundle(entry).text
    assert "export const shared = { a$set };" in bundle(tmp_path / SHARED).text


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ({"entry": 'import * as all from "./a.js";\n', "a": ""}, "a bundle cannot have 'import"),
        ({"entry": 'import { a } from "./a.js";\n', "a": "export let a = 1;\n"}, "a bundle cannot have 'export let"),
        ({"entry": 'await import("./a.js");\n', "a": ""}, "a bundle cannot have 'await import"),
        ({"entry": "say(`a\nb`);\n"}, "a bundle cannot have 'say(`a'"),
        ({"entry": 'import "./a.js";\n'}, "a.js, which does not exist"),
        ({"entry": 'import "./a.js";\n', "a": 'import "./entry.js";\n'}, "entry.js -> a.js -> entry.js"),
    ],
)
def test_a_module_that_cannot_be_bundled_is_refused(tmp_path: Path, texts: dict[str, str], why: str) -> None:
    with pytest.raises(BundleError, match=re.escape(why)):
        bundle(write(tmp_path, **texts))


def test_a_sheet_comes_with_the_sheets_that_it_imports_in_their_order(tmp_path: Path) -> None:
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "a.css").write_text("/* a */\na { top: 0 }\n")
    (tmp_path / "b.css").write_text('@import "styles/a.css";\nb { top: 0 }\n')
    assert bundle(tmp_path / "b.css").text == "a { top: 0 }\nb { top: 0 }\n"
    (tmp_path / "styles" / "a.css").write_text('a { background: url("../b.svg") }\n')
    with pytest.raises(BundleError, match="cannot have"):
        bundle(tmp_path / "b.css")
