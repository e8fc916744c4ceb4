"""What the page on playing quotes is what the table says in the stories."""

from __future__ import annotations

import re

import pytest

from firmware_host.ui.drawing import public_display
from firmware_host.ui.prompt_wording import prompt
from tests.docs.pages import FENCE, PAGES, blocks, text_of
from tests.docs.stories import STORIES


@pytest.fixture(scope="module")
def told() -> tuple[set[str], set[str]]:
    """What the public display said in all the stories, a sentence each; and every screen of the handset, as text."""
    sentences: set[str] = set()
    screens_seen: set[str] = set()
    for story in STORIES:
        for simulated in story():
            scene, handset = simulated.table.scene(), simulated.handset_lines()
            sentences |= {prompt(scene).text, *public_display.display_lines(scene), *handset, " ".join(handset)}
            screens_seen.add("\n".join(handset))
    return sentences, screens_seen


def test_the_table_says_what_the_page_on_playing_quotes(told: tuple[set[str], set[str]]) -> None:
    sentences, _ = told
    prose = FENCE.sub("", text_of("playing.md"))
    quoted = re.findall(r"^> (.+)$", prose, re.MULTILINE)
    quoted += [words for words in re.findall(r"`([^`]+)`", prose) if re.match(r"[A-Z]\w*:? ", words)]
    assert len(quoted) >= 30
    assert [quote for quote in quoted if not any(" ".join(quote.split()) in said for said in sentences)] == []


def test_the_handset_shows_what_the_page_on_playing_lists(told: tuple[set[str], set[str]]) -> None:
    _, handsets = told
    page = next(page for page in PAGES if page.name == "playing.md")
    lists = [block.text.rstrip("\n") for block in blocks(page) if block.language == "text"]
    assert len(lists) >= 4
    assert [shown for shown in lists if shown not in handsets] == []
