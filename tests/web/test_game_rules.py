"""The rules of each game on the table's page: every shipped game has them, true to its box, with signs that exist."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import firmware_host.web
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay
from tests.web.test_page import opened

TOLD = Path(firmware_host.web.__file__).parent / "static" / "rules"
EDITIONS = Path(__file__).parents[2] / "config" / "editions"
BOXES = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted(EDITIONS.glob("*.toml"))}
SIGNS = (
    r"pawn (mr_x|red|yellow|green|blue|purple|white)|ticket (taxi|bus|underground|boat|black|double|helicopter)"
    r"|die (taxi|bus|underground|x)|mark"
)


def rules(game: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((TOLD / f"{game}.json").read_text(encoding="utf-8"))
    return told


def points(game: str) -> list[dict[str, Any]]:
    return [point for section in rules(game)["sections"] for point in section["points"]]


def test_every_game_that_ships_has_its_rules_and_no_other() -> None:
    assert {path.stem for path in TOLD.iterdir()} == set(BOXES)


@pytest.mark.parametrize("game", BOXES)
def test_the_rules_of_a_game_are_short_and_their_signs_exist(game: str) -> None:
    assert rules(game)["goal"]
    for point in points(game):
        assert 10 < len(point["text"]) < 330
        assert all(re.fullmatch(SIGNS, sign) for sign in point["signs"]), point


@pytest.mark.parametrize("game", BOXES)
def test_the_rules_of_a_game_say_what_its_box_says(game: str) -> None:
    """When he shows himself or hides, how many tickets there are, how many moves he has to survive."""
    box, text = BOXES[game], " ".join(point["text"] for point in points(game))
    windows = box.get("surfacing") or box.get("hidden") or []
    if windows:
        assert f"{', '.join(map(str, windows[:-1]))} and {windows[-1]}" in text
    if "taxi" in box.get("detective", {}):
        tickets = box["detective"]
        assert f"{tickets['taxi']} taxi, {tickets['bus']} bus and {tickets['underground']} underground tickets" in text
    if "surfacing" in box:
        assert (f"{box['rounds']} rounds" if "rounds" in box else f"{box['windows']} moves") in text
    fewest, most = min(map(int, box["seats"])), max(map(int, box["seats"]))
    assert re.search(rf"\b{fewest} (to|or) {most} play\b", text)


def heading(page: Visitor) -> str:
    page.see("#rules h3")
    return page.read("#rules .goal")


@pytest.mark.long
def test_the_rules_open_at_the_game_that_is_played_and_at_the_one_that_is_chosen(lay: Lay, visit: Visit) -> None:
    _, page = opened(lay, visit, "beginners")
    page.click("Rules", exact=True)
    assert heading(page) == rules("beginners")["goal"]
    page.page.select_option("#rules-of", "dice")
    page.wait("goal => document.querySelector('#rules .goal')?.textContent === goal", rules("dice")["goal"])
    assert page.page.locator("#rules .die").count() > 0
    assert page.page.locator("#rules .pawn").count() > 0


@pytest.mark.long
def test_the_rules_can_be_read_before_a_game_is_chosen(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None)
    page = visit(table.url)
    page.see("body[data-phase]")
    page.open_every_option()
    page.page.select_option("#new-box", "junior")
    page.click("Rules of this game")
    assert heading(page) == rules("junior")["goal"]
    page.page.keyboard.press("Escape")
    page.see("#newgame", state="visible")
