"""The texts of an HTML page are found, and others put in their place."""

from __future__ import annotations

import pytest

from firmware_host.system.language import ENGLISH, LANGUAGES, gettext, in_language
from languages.collect_texts import STATIC
from languages.compile_catalogues import FOR_PAGES
from languages.page_texts import places, translated

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta name="viewport" content="width=device-width" />
    <title>Yardboard</title>
    <script>const words = "none of these";</script>
  </head>
  <body data-page="table">
    <p id="turn"></p>
    <p>Press <kbd>Enter</kbd>,
       then wait.</p>
    <button type="button" aria-label="The &quot;board&quot;"><span>Undo</span><svg><title>x</title></svg></button>
    <code translate="no">make run</code><br />12:30
  </body>
</html>
"""


def test_a_text_is_all_that_the_outermost_element_with_words_holds() -> None:
    assert [place.text for place in places(PAGE)] == [
        "Yardboard", "Press <kbd>Enter</kbd>, then wait.", 'The "board"', "Undo",
    ]  # fmt: skip


def test_a_page_in_another_language_differs_in_its_texts_and_its_language_alone() -> None:
    said = translated(PAGE, "xx", lambda text: f"[{text}]")
    assert '<html lang="xx">' in said
    assert "<p>[Press <kbd>Enter</kbd>, then wait.]</p>" in said
    assert 'aria-label="[The &quot;board&quot;]"' in said
    assert '<code translate="no">make run</code><br />12:30' in said
    assert [place.text for place in places(said)] == [f"[{place.text}]" for place in places(PAGE)]


@pytest.mark.parametrize("name", sorted(path.name for path in STATIC.glob("*.html")))
def test_a_page_that_is_said_in_english_again_is_the_same(name: str) -> None:
    page = (STATIC / name).read_text("utf-8")
    once = translated(page, "en", str)
    assert places(page)
    assert [place.text for place in places(once)] == [place.text for place in places(page)]


@pytest.mark.parametrize("code", sorted(LANGUAGES.keys() - {ENGLISH}))
def test_a_page_says_what_its_catalogue_has_for_it_and_not_for_the_same_words_elsewhere(code: str) -> None:
    with in_language(code):
        for page in STATIC.glob("*.html"):
            wanted = [" ".join(gettext(place.text).split()) for place in places(page.read_text("utf-8"))]
            compiled = (FOR_PAGES / code / page.name).read_text("utf-8")
            said = [" ".join(place.text.split()) for place in places(compiled)]
            assert said == wanted, "make .venv/.ready makes the pages anew"


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_has_one_head_with_its_own_sheet_and_script_and_title(code: str) -> None:
    for page in STATIC.glob("*.html"):
        head, _, body = (FOR_PAGES / code / page.name).read_text("utf-8").partition("</head>")
        for name in ("charset=", 'name="viewport"', 'name="color-scheme"', 'rel="icon"', "<title", "/static/theme.js"):
            assert head.count(name) == 1, (page.name, name)
        assert head.count(f"/static/{page.stem}.css") == head.count(f'"/static/{page.stem}.js"') == 1, page.name
        assert "<script" not in body, page.name


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_page_says_in_which_language_it_is(code: str) -> None:
    pages = {page.name for page in STATIC.glob("*.html")}
    assert {page.name for page in (FOR_PAGES / code).glob("*.html")} == pages, "no page stays that is gone"
    for page in STATIC.glob("*.html"):
        assert '<html lang="en"' in page.read_text("utf-8"), page.name
        assert f'<html lang="{code}"' in (FOR_PAGES / code / page.name).read_text("utf-8"), page.name
