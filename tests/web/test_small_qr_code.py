"""The code for a small screen: any link of a board fits, and what is read from it opens the same page."""

from __future__ import annotations

import pytest

from firmware_host.ui.handset_page_kinds import LARGEST_CODE
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.qr_modules import QUIET, qr_modules, small_qr_modules


@pytest.mark.parametrize(
    "origin", ["http://255.255.255.255:65535/", "http://yardboard.local:8199/", "http://10.0.0.1:80/"]
)
def test_every_link_of_a_board_fits(origin: str) -> None:
    code = small_qr_modules(f"{origin}seat#{HandsetToken(lambda: 0.0).new_token()}")
    assert 21 <= len(code) <= LARGEST_CODE
    assert {len(row) for row in code} == {len(code)}


def test_a_link_that_needs_more_room_has_no_code() -> None:
    assert small_qr_modules("http://a-name-that-is-far-too-long-for-any-screen.example.org:8199/seat#" + "t" * 22) == ()
    assert small_qr_modules("http://[2001:db8:1234:5678:9abc:def0:1234:5678]:8199/seat#" + "t" * 22) == ()


def test_a_link_without_a_host_that_has_capitals_has_the_usual_code() -> None:
    link = "http://[fd00::1]:80/seat#token"
    assert small_qr_modules(link) == tuple(row[QUIET:-QUIET] for row in qr_modules(link)[QUIET:-QUIET])
