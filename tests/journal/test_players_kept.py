"""Who plays is kept with the beginning of a game: computers by their seats, people by their names."""

from __future__ import annotations

import json

import pytest

from firmware_host.journal.entries import names_of, seal_entry
from firmware_host.journal.journal import Journal
from firmware_host.journal.sqlite_store import SqliteStore
from firmware_host.journal.store_port import MEMORY, UnplayableGame
from tests.rules.boards import CLASSIC, london, setup_of

NETWORK = london().network
SETUP = setup_of(london(), *NETWORK.start_cards[:5])


def begun_with(**players: object) -> Journal:
    """A journal with one game, whose beginning says this of its players."""
    text = json.dumps({**SETUP.to_record(), **players})
    store = SqliteStore.open(MEMORY)
    store.submit([(1, 1.0, "begin", text, seal_entry("", 1, 1.0, "begin", text))])
    return Journal(store)


def test_seats_and_names_are_read_again_and_belong_to_their_game() -> None:
    with Journal.open(MEMORY) as journal:
        assert (journal.seats, journal.names) == ({}, {})
        journal.begin(SETUP, 1.0, seats={"1": "hard", "3": "deep/strong"}, names={"mr_x": "Ada", "2": "李雷"})
        assert journal.seats == {"1": "hard", "3": "deep/strong"}
        assert journal.names == {"mr_x": "Ada", "2": "李雷"}
        game = journal.newest([CLASSIC], NETWORK)
        assert game is not None
        assert game.setup == SETUP
        journal.begin(SETUP, 2.0)
        assert (journal.seats, journal.names) == ({}, {})
        (_, _, text), *_ = journal.newest_entries()
    assert text == json.dumps(SETUP.to_record(), separators=(",", ":")), "people alone: as before there were seats"


@pytest.mark.parametrize("nonsense", [3, "Ada", ["mr_x"], {"mr_x": 3}, {"mr_x": "x" * 21}, {"mr_x": "A\nda"}, None])
def test_nonsense_about_names_is_left_out_and_no_game_is_lost_for_it(nonsense: object) -> None:
    with begun_with(names=nonsense) as journal:
        assert journal.names == {}
        assert journal.newest([CLASSIC], NETWORK) is not None
    assert names_of({"names": {"mr_x": "A\nda", "2": "Ben"}}) == {"2": "Ben"}


@pytest.mark.parametrize("nonsense", [3, "hard", ["mr_x"], {"mr_x": 3}, {"mr_x": None}, None])
def test_nonsense_about_seats_is_refused_and_not_quoted(nonsense: object) -> None:
    with begun_with(seats=nonsense) as journal, pytest.raises(UnplayableGame, match=r"not an object of texts$"):
        _ = journal.seats
