"""Who sits where is kept with the beginning of a game; games that people alone play are written as they always were."""

from __future__ import annotations

import json

import pytest

from firmware_host.journal.entries import seal_entry
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import MEMORY, UnplayableGame
from firmware_host.rules.setup import Setup
from tests.rules.boards import CLASSIC, london, setup_of

NETWORK = london().network


def setup() -> Setup:
    return setup_of(london(), *NETWORK.start_cards[:5])


def test_who_sits_where_is_read_again() -> None:
    with Journal.open(MEMORY) as journal:
        assert journal.seats == {}
        journal.begin(setup(), 1.0, seats={"mr_x": "hard", "2": "deep/strong"})
        assert journal.seats == {"mr_x": "hard", "2": "deep/strong"}
        game = journal.newest([CLASSIC], NETWORK)
        assert game is not None
        assert game.setup == setup()
        journal.begin(setup(), 2.0)
        assert journal.seats == {}


def test_a_game_that_people_alone_play_is_written_as_before_there_were_seats() -> None:
    with Journal.open(MEMORY) as journal:
        journal.begin(setup(), 1.0)
        (_, _, text), *_ = journal.newest_entries()
    assert text == json.dumps(setup().to_record(), separators=(",", ":"))


@pytest.mark.parametrize("nonsense", [3, "hard", ["mr_x"], {"mr_x": 3}, {"mr_x": None}, None])
def test_nonsense_about_seats_is_refused_and_not_quoted(nonsense: object) -> None:
    text = json.dumps({**setup().to_record(), "seats": nonsense})
    store = SqliteStore.open(MEMORY)
    store.submit([(1, 1.0, "begin", text, seal_entry("", 1, 1.0, "begin", text))])
    with Journal(store) as journal, pytest.raises(UnplayableGame, match=r"entry 1 has no valid list of seats$"):
        _ = journal.seats
