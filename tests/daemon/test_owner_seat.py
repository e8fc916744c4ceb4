"""The owner's page of a table that is run: it does what needs no hidden knowledge, and counts like the table's keys."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.recording.tape import BadTape
from firmware_host.recording.tape_recording import note_of, read_command
from firmware_host.referee.scene import BACK, CONFIRM, Phase
from firmware_host.rules.actions import MR_X
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.table.commands import Command, PressKey
from firmware_host.ui.handset_menu import keys_for
from firmware_host.web.feeds.page_orders import ChooseOrder, GiveUpOrder, KeyOrder, NewGameOrder, UndoOrder
from tests.daemon.owned_table import OwnedTable
from tests.table.cases import shipped
from tests.web.page_table import all_of

RULES = ("classic", "dice", "junior")


@pytest.fixture
def owned(tmp_path: Path) -> Iterator[OwnedTable]:
    """A classic table without a game."""
    with OwnedTable(shipped("classic"), tmp_path) as table:
        table.simulated.advance(500)
        yield table


def played(rules: str, home: Path, *, from_page: bool, moves: int = 14) -> tuple[OwnedTable, list[tuple[str, str]]]:
    """A table at which people have played, and its journal; the table's keys were pressed there, or on the page."""
    home.mkdir()
    with OwnedTable(shipped(rules), home) as table:
        if from_page:
            table.press_from_page()
        table.simulated.advance(500)
        table.simulated.hardware.press(CONFIRM)
        table.simulated.advance(500)
        people = SimulatedPeople(table.simulated, random.Random(5))
        people.set_up()
        for _ in range(moves):
            if table.simulated.public.outcome is None:
                people.play()
        return table, table.entries()


@pytest.mark.parametrize("rules", RULES)
def test_the_journal_is_the_same_by_keys_and_by_page(rules: str, tmp_path: Path) -> None:
    _, by_keys = played(rules, tmp_path / "keys", from_page=False)
    table, by_page = played(rules, tmp_path / "page", from_page=True)
    assert by_keys == by_page
    assert len(by_page) > 10
    assert table.refused == []


def test_the_page_begins_the_game_that_it_names_and_people_sit_there_by_name(owned: OwnedTable) -> None:
    owned.ask(NewGameOrder("classic", players=3, seats={MR_X: "easy"}, names={"1": "Ben"}), 500)
    scene = owned.simulated.table.scene()
    assert (scene.phase, dict(scene.seats)[MR_X], dict(scene.names)) == (Phase.SET_UP, "easy", {"1": "Ben"})
    said = json.loads(all_of(owned.server.public)["table"])
    assert said["begun"] == 1


def test_a_game_that_is_not_of_this_board_is_refused_and_nothing_changes(owned: OwnedTable) -> None:
    for order in (
        NewGameOrder("dice"),
        NewGameOrder("../../etc/passwd"),
        NewGameOrder("classic", players=6, seats={"nobody": "easy"}),
        NewGameOrder("classic", names={"7": "Eve"}),
        NewGameOrder("classic", names={"1": "x" * 60}),
    ):
        owned.ask(order, 500)
        assert owned.refusal()
        assert owned.simulated.table.game is None


def test_the_page_gives_a_game_up_and_only_one_in_play(owned: OwnedTable) -> None:
    owned.ask(GiveUpOrder())
    assert owned.refusal() == "Not now: there is no game in play"
    owned.press(CONFIRM)
    owned.simulated.advance(500)
    assert owned.simulated.table.game is not None
    owned.ask(GiveUpOrder())
    assert owned.simulated.table.game is None
    assert owned.entries()[-1][0] == "abandon"


@pytest.mark.parametrize("order", [GiveUpOrder(begun=1), NewGameOrder("classic", begun=1)])
def test_a_game_that_the_page_did_not_know_is_neither_given_up_nor_replaced(
    owned: OwnedTable, order: GiveUpOrder | NewGameOrder
) -> None:
    for _ in range(2):
        owned.ask(NewGameOrder("classic"), 500)
    owned.ask(order, 500)
    assert owned.refusal() == "The table asks for something else by now"
    assert owned.simulated.table.game is not None
    assert owned.simulated.table.journal.newest_begun == 2


def test_two_owners_who_ask_for_a_game_at_the_same_time_begin_one_game(owned: OwnedTable) -> None:
    for page in (1, 2):
        owned.seat.orders.ask("owner", page, NewGameOrder("classic", begun=0), owned.refused.append)
    owned.simulated.advance(500)
    assert owned.refusal() == "The table asks for something else by now"
    assert owned.simulated.table.journal.newest_begun == 1


def test_a_key_that_answers_an_earlier_prompt_is_refused(owned: OwnedTable) -> None:
    for prompt in (None, "", "Red to 46?"):
        owned.ask(KeyOrder(CONFIRM, down=True, prompt=prompt))
        assert owned.refusal() == "The table asks for something else by now"
    assert owned.simulated.table.game is None


def test_two_owners_who_press_at_the_same_time_begin_one_game(owned: OwnedTable) -> None:
    text = json.loads(all_of(owned.server.public)["scene"])["prompt"]["text"]
    for page in (1, 2):
        owned.seat.orders.ask("owner", page, KeyOrder(CONFIRM, down=True, prompt=text), owned.refused.append)
    owned.simulated.advance(500)
    assert owned.refusal() == "The table asks for something else by now"
    assert owned.simulated.table.journal.newest_begun == 1


@pytest.mark.parametrize(
    "order", [ChooseOrder({"kind": "mr_x", "to": 1, "ticket": "taxi"}), KeyOrder("handset.select", True)]
)
def test_no_order_of_the_page_chooses_for_mister_x(owned: OwnedTable, order: ChooseOrder | KeyOrder) -> None:
    owned.ask(order)
    assert owned.refusal()


def test_no_key_of_the_page_confirms_what_mister_x_is_about_to_choose(owned: OwnedTable) -> None:
    simulated = owned.simulated
    owned.press(CONFIRM)
    people = SimulatedPeople(simulated, random.Random(5))
    people.set_up()
    simulated.advance(1000)
    assert simulated.public.mr_x_to_move
    simulated.hardware.press("handset.back")  # it is light, and shows its first page
    private = simulated.table.referee.private
    assert private is not None
    *keys, last = keys_for(simulated.table.handset.menu, private, private.choices.value[0])
    for key in keys:
        simulated.hardware.press(f"handset.{key}")
        simulated.advance(200)
    before = owned.entries()
    for key in (CONFIRM, BACK, "table.taxi", "table.bus", "table.underground"):
        owned.press(key)
        simulated.advance(2000)
    assert owned.entries() == before
    simulated.hardware.press(f"handset.{last}")
    simulated.advance(500)
    assert len(owned.entries()) == len(before) + 1, "all the time it wanted one key of his own"


def test_undo_takes_back_the_last_persons_move_and_says_why_it_cannot(owned: OwnedTable) -> None:
    owned.ask(UndoOrder(owned.simulated.prompt_text))
    assert owned.refusal() == "Not now: there is no game; begin one first"
    owned.ask(NewGameOrder("classic", players=3, seats={MR_X: "easy"}), 500)
    people = SimulatedPeople(owned.simulated, random.Random(5))
    people.set_up()
    owned.simulated.advance(5000)
    seen = owned.simulated.prompt_text
    people.play()
    owned.ask(UndoOrder(seen), 500)
    assert owned.refusal() == "The table asks for something else by now", "a move that the page has not seen stays"
    owned.ask(UndoOrder(owned.simulated.prompt_text), 500)
    assert owned.entries()[-1][0] == "take_back", (owned.refused, owned.entries())


def test_orders_wait_while_the_journal_writes_and_only_few_of_them(owned: OwnedTable) -> None:
    for _ in range(9):
        owned.seat.orders.ask("owner", 1, UndoOrder(), owned.refused.append)
    assert owned.refused == ["the table cannot keep up; slow down"]


def test_all_pages_get_the_games_of_this_board_and_a_table_without_an_owner_sends_none(owned: OwnedTable) -> None:
    said = json.loads(all_of(owned.server.public)["table"])
    assert [box["rules"] for box in said["boxes"]][:1] == ["classic"]
    assert said["simulated"] is False


def test_a_tape_repeats_the_keys_of_the_page_and_no_key_of_the_handset() -> None:
    def read(name: str, text: str) -> Command | None:
        return read_command(lambda wanted: text if wanted == name else None)

    note = note_of(PressKey(BACK))
    assert read(note.name, note.text) == PressKey(BACK)
    for key in ("handset.select", "table.nonsense", ""):
        with pytest.raises(BadTape):
            read(note.name, key)
