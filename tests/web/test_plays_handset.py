"""The door to the handset's page: with the token, without, with a wrong or a used one; and who takes over from whom."""

from __future__ import annotations

import json
from dataclasses import replace

from firmware_host.simulator import SimulatedTable
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay

WORDS = "() => document.querySelector('#words').textContent.trim() !== ''"
SAYS_WHY = "() => document.querySelector('#line').textContent.trim() !== ''"


def screens(page: Visitor) -> list[dict[str, object]]:
    """The pictures of the handset's screen that a page was sent."""
    said = [json.loads(frame) for frame in page.frames if isinstance(frame, str)]
    return [message for message in said if message["kind"] == "handset"]


def test_the_token_opens_it_and_is_nowhere_to_be_seen_afterwards(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    token = table.token()
    page = visit(table.url, f"handset#{token}")
    page.wait(WORDS)
    assert screens(page)
    assert page.page.url == f"{table.url}handset"
    assert token not in page.page.content()
    assert token not in page.received()
    assert page.context.cookies() == []
    page.page.reload()  # the session goes on without it
    page.wait(WORDS)


def test_without_the_token_or_with_a_wrong_or_used_one_it_stays_shut(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"))
    used = table.token()
    visit(table.url, f"handset#{used}").wait(WORDS)
    for token in ("", "#" + "ä" * 3000, f"#{used}"):
        page = visit(table.url, f"handset{token}")
        page.excuse(r"status of 4\d\d")
        page.wait(SAYS_WHY)
        assert not screens(page)


def test_whoever_opens_the_page_sees_the_screen_though_it_has_gone_dark_long_ago(lay: Lay, visit: Visit) -> None:
    def asleep(p: SimulatedTable) -> None:
        p.new_game()
        p.advance(1000 * (p.config.handset.blank_after_s + 1))
        assert p.handset_lines() == []

    table = lay(shipped("classic"), begin=asleep)
    page = visit(table.url, f"handset#{table.token()}")
    page.wait(WORDS)
    assert screens(page)[0]["pixels"] is None


def test_a_screen_that_goes_dark_says_how_to_light_it_and_any_key_does(lay: Lay, visit: Visit) -> None:
    config = shipped("classic")
    table = lay(replace(config, handset=replace(config.handset, blank_after_s=5)))
    page = visit(table.url, f"handset#{table.token()}")
    page.says("#line", "Press a key to light it")
    page.press("handset.down")
    page.connected()
