"""Mister X's seat over a restart: kept for the same game and the same page, and else for nobody."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import DamagedJournal
from firmware_host.rules.setup import Setup
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.kept_seat import NAME, KeptSeat
from tests.rules.boards import london, setup_of

NETWORK = london().network


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def setup() -> Setup:
    return setup_of(london(), *NETWORK.start_cards[:5])


def taken(token: HandsetToken, nonce: str) -> str:
    """The session of a page that has opened the seat with a link."""
    session = token.exchange(token.new_token(), nonce)
    assert session is not None
    return session


def test_a_page_that_was_replaced_never_has_the_seat_again_even_if_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, clock = tmp_path / "journal.sqlite", Clock()
    with Journal.open(file) as journal:
        journal.begin(setup(), 1.0)
        token = HandsetToken(clock)
        seat = KeptSeat(token, file)
        seat.follow_game(journal.newest_begun, journal.begun_at)
        former = taken(token, "one page")
        seat.keep()
        assert former in (tmp_path / NAME).read_text()
        clock.now = 1000.0
        taken(token, "another page")

        def full(*_: object) -> None:
            raise OSError(28, os.strerror(28))

        monkeypatch.setattr("firmware_host.web.seats.kept_seat.replace_file", full)
        seat.keep()
        again = HandsetToken(clock)
        KeptSeat(again, file)
        assert again.session is None


def test_a_game_that_cannot_be_read_is_nobody_s_from_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "journal.sqlite"
    with Journal.open(file) as journal:
        journal.begin(setup(), 1.0)
        seat = KeptSeat(HandsetToken(Clock()), file)
        seat.follow_game(journal.newest_begun, journal.begun_at)
        assert seat.follow_game(journal.newest_begun, journal.begun_at)
        journal.begin(setup(), 2.0)

        def damaged(_: Journal) -> float:
            raise DamagedJournal("it cannot be read")

        monkeypatch.setattr(Journal, "begun_at", damaged)
        assert not seat.follow_game(journal.newest_begun, journal.begun_at)
        assert seat.follow_game(journal.newest_begun, journal.begun_at)  # said once
