"""What people are called is kept with the beginning of a game; journals without names read as they did."""

from __future__ import annotations

import json

import pytest

from firmware_host.journal.entries import names_of, seal_entry
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import MEMORY
from firmware_host.rules.setup import Setup
from tests.rules.boards import CLASSIC, london, setup_of

NETWORK = london().network


def setup() -> Setup:
    return setup_of(london(), *NETWORK.start_cards[:5])


def test_names_are_read_again_beside_the_seats() -> None:
    with Journal.open(MEMORY) as journal:
        assert journal.names == {}
        journal.begin(setup(), 1.0, seats={"1": "hard"}, names={"mr_x": "Ada", "2": "李雷"})
        assert journal.names == {"mr_x": "Ada", "2": "李雷"}
        assert journal.seats == {"1": "hard"}
        game = journal.newest([CLASSIC], NETWORK)
        assert game is not None
        assert game.setup == setup()
        journal.begin(setup(), 2.0)
        assert journal.names == {}


@pytest.mark.parametrize("nonsense", [3, "Ada", ["mr_x"], {"mr_x": 3}, {"mr_x": "x" * 21}, {"mr_x": "A\nda"}, None])
def test_nonsense_about_names_is_left_out_and_no_game_is_lost_for_it(nonsense: object) -> None:
    text = json.dumps({**setup().to_record(), "names": nonsense})
    store = SqliteStore.open(MEMORY)
    store.submit([(1, 1.0, "begin", text, seal_entry("", 1, 1.0, "begin", text))])
    with Journal(store) as journal:
        assert journal.names == {}
        assert journal.newest([CLASSIC], NETWORK) is not None


def test_a_name_that_is_none_takes_no_other_with_it() -> None:
    assert names_of({"names": {"mr_x": "A\nda", "2": "Ben"}}) == {"2": "Ben"}
