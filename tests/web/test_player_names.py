"""What people are called: written at the new game, shown on every page, refused in words; it goes to everybody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import parse
from firmware_host.simulator import SimulatedTable
from firmware_host.ui.drawing.public_display import content_of
from firmware_host.web.feeds.page_orders import NewGameOrder
from tests.table.cases import shipped
from tests.web.chromium import Visit
from tests.web.open_table import Lay
from tests.web.page_table import Room


def test_names_go_to_everybody_and_to_mister_x_alike() -> None:
    table = Room()
    names = {"mr_x": "Ada", "detectives": "The Yard", "2": "Ben"}
    table.ask(NewGameOrder("classic", players=4, names=names), ms=2000)
    told = {"mr_x": "Ada", "1": "The Yard", "2": "Ben", "3": "The Yard"}
    assert table.heard("scene")["names"] == told
    assert table.heard("seat", private=True)["scene"]["names"] == told


@pytest.mark.parametrize(
    ("names", "why"),
    [
        ({"mr_x": "x" * 30}, "names: mr_x: 30 characters; a name has at most 20"),
        ({"1": "Ben\x07"}, "names: 1: a name has no control characters; write letters, digits, blanks and signs"),
        ({"detectives": "Ben"}, "names: detectives: a computer plays there; names are for people"),
    ],
)
def test_what_is_no_name_is_refused_in_words(names: dict[str, str], why: str) -> None:
    table = Room()
    table.ask(NewGameOrder("classic", seats={"detectives": "easy"}, names=names))
    assert table.refusal() == why


def test_the_configuration_names_who_plays_where_people_sit() -> None:
    config = parse('[game.names]\nmr_x = "Ada"\ndetectives = "The Yard"\n', "table.toml")
    simulated = SimulatedTable(config)
    simulated.new_game(players=3, seats={"1": "easy"})
    assert simulated.scene.names == {"mr_x": "Ada", "2": "The Yard"}
    simulated.new_game(players=3, names={})
    assert simulated.scene.names == {}


def test_names_outlast_a_power_cut(tmp_path: Path) -> None:
    simulated = SimulatedTable(shipped("classic"), journal=tmp_path / "journal.sqlite")
    simulated.new_game(players=3, names={"mr_x": "Ada"})
    simulated.restart()
    assert simulated.scene.names == {"mr_x": "Ada"}


def test_the_display_tells_names_in_the_letters_that_it_has() -> None:
    simulated = SimulatedTable(shipped("classic"))
    simulated.new_game(players=4, seats={"3": "easy"}, names={"mr_x": "Zoé", "1": "Ben", "2": "李雷"})
    assert content_of(simulated.scene).tally in ("3 easy · X Zoé · 1 Ben", "3 easy · X Zoe · 1 Ben")


@pytest.mark.long
def test_a_name_is_written_at_the_first_page_and_read_at_the_table_and_on_mister_xs_map(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None, helped=True)
    page = visit(table.url)
    page.click("Around this table")
    page.page.get_by_label("Mister X is called").fill("Ada")
    page.page.get_by_label("The detectives are called").fill("<b>Ben</b>")
    page.page.locator('button[data-rules="classic"]').click()
    page.wait("() => document.querySelector('#tickets [data-owner=\"red\"] .person')?.textContent === '<b>Ben</b>'")
    page.page.locator('#tickets [data-owner="mr_x"] .person', has_text="Ada").wait_for()  # below, it is laid out late
    seat = visit(table.url, f"seat#{table.token()}")
    seat.wait("() => document.querySelector('#tickets [data-owner=\"mr_x\"] .person')?.textContent === 'Ada'")
    page.click("New game")
    page.click("Be Mister X")
    assert page.page.get_by_label("Your name").input_value() == "Ada"


@pytest.mark.long
def test_every_option_asks_for_the_name_of_each_person(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=lambda _: None, helped=True)
    page = visit(table.url)
    page.click("Around this table")
    page.page.get_by_label("The detectives are called").fill("Ben")
    page.click("Every option")
    first = page.page.get_by_label("Detective player 1 is called")
    assert first.input_value() == "Ben"
    first.fill("")
    page.page.get_by_label("Players, with Mister X").select_option("3")
    assert first.input_value() == ""
    page.page.get_by_label("Mister X is played by").select_option("easy")
    assert page.page.locator("#newgame .names input").count() == 2
    page.page.get_by_label("Detective player 2 is called").fill("Cleo")
    page.click("Begin", exact=True)
    page.wait("() => [...document.querySelectorAll('#tickets .person')].some(name => name.textContent === 'Cleo')")
    said: list[dict[str, Any]] = [json.loads(frame) for frame in page.sent]
    assert [order["names"] for order in said if order["do"] == "new_game"] == [{"2": "Cleo"}]
