"""The handset's one-time token: who opens the handset with it, and those who try too often."""

from __future__ import annotations

import time

import pytest

from firmware_host.system import boot_clock
from firmware_host.web.seats.handset_token import AGAIN, LASTS, TRIES, WITHIN, HandsetToken, TooManyTries
from firmware_host.web.server import Server
from tests.web.served import Clock, Idle

HERE, THERE = "made up here", "made up there"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def handset(clock: Clock) -> HandsetToken:
    return HandsetToken(clock)


# ---- tokens ----


def test_a_token_opens_the_handset_once(handset: HandsetToken) -> None:
    token = handset.new_token()
    session = handset.exchange(token, HERE)
    assert handset.holds_handset(session)
    assert handset.exchange(token, THERE) is None
    assert handset.holds_handset(session)


def test_a_page_that_has_lost_the_answer_is_given_it_again_for_a_while(handset: HandsetToken, clock: Clock) -> None:
    token = handset.new_token()
    session = handset.exchange(token, HERE)
    handset.new_token()
    clock.now += AGAIN - 1
    assert handset.exchange(token, HERE) == session
    for nonce in (THERE, "", HERE[:-1], "\ud800"):
        assert handset.exchange(token, nonce) is None
    clock.now += 1
    assert handset.exchange(token, HERE) is None


def test_no_answer_is_given_again_once_another_has_taken_over(handset: HandsetToken) -> None:
    token = handset.new_token()
    handset.exchange(token, HERE)
    session = handset.exchange(handset.new_token(), THERE)
    assert handset.exchange(token, HERE) is None
    assert handset.holds_handset(session)


@pytest.mark.parametrize("wrong", ["", " ", "x", "é", "\ud800", "ab" * 100])
def test_nothing_else_opens_it(handset: HandsetToken, wrong: str) -> None:
    assert handset.exchange(wrong, HERE) is None, "no token was made yet"
    token = handset.new_token()
    assert handset.exchange(wrong, THERE) is None
    assert handset.exchange(token + wrong, THERE) is None or wrong == ""
    assert not handset.holds_handset(wrong)
    assert not handset.holds_handset(None)


def test_tokens_and_sessions_are_long_and_all_different(handset: HandsetToken) -> None:
    made = [handset.new_token() for _ in range(50)] + [
        handset.exchange(handset.new_token(), HERE) or "" for _ in range(50)
    ]
    assert len(set(made)) == 100
    assert min(map(len, made)) >= 22, "128 bits"


def test_a_new_token_takes_the_place_of_the_one_before(handset: HandsetToken) -> None:
    old, new = handset.new_token(), handset.new_token()
    assert handset.exchange(old, HERE) is None
    assert handset.exchange(new, HERE)


def test_an_unused_token_and_the_seat_end_when_another_person_may_play_mister_x(handset: HandsetToken) -> None:
    session, unused = handset.exchange(handset.new_token(), HERE), handset.new_token()
    handset.offer_seat(free=False, ends=True)
    assert handset.exchange(unused, THERE) is None
    assert not handset.holds_handset(session)


def test_the_open_handset_stays_open_until_the_new_token_is_used(handset: HandsetToken) -> None:
    first = handset.exchange(handset.new_token(), HERE)
    token = handset.new_token()
    assert handset.holds_handset(first)
    second = handset.exchange(token, HERE)
    assert handset.holds_handset(second)
    assert not handset.holds_handset(first)


def test_a_token_waits_a_quarter_of_an_hour_for_its_scan(handset: HandsetToken, clock: Clock) -> None:
    assert LASTS == 15 * 60
    token = handset.new_token()
    clock.now += LASTS
    assert handset.exchange(token, HERE) is None
    token = handset.new_token()
    clock.now += LASTS - 1
    session = handset.exchange(token, HERE)
    clock.now += 100 * LASTS
    assert handset.holds_handset(session), "a session lasts as long as the table"


def test_a_link_grows_old_while_the_machine_sleeps(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = 0.0
    monkeypatch.setattr(boot_clock.time, "clock_gettime", lambda _: time.monotonic() + slept)
    server = Server("127.0.0.1", 0, Idle())
    try:
        token = server.handset_token.new_token()
        assert server.handset_token.waiting == token
        slept = 1.1 * LASTS
        assert server.handset_token.waiting is None
        assert server.handset_token.exchange(token, HERE) is None
    finally:
        server.stop()


# ---- those who try too often ----


def test_after_some_wrong_tokens_a_wrong_one_has_to_wait(handset: HandsetToken, clock: Clock) -> None:
    for _ in range(TRIES):
        assert handset.exchange("wrong", HERE) is None
    with pytest.raises(TooManyTries) as refused:
        handset.exchange("wrong", THERE)
    assert refused.value.wait == WITHIN
    clock.now += WITHIN - 1
    with pytest.raises(TooManyTries) as refused:
        handset.exchange("wrong", HERE)
    assert refused.value.wait == 1
    clock.now += 1
    assert handset.exchange("wrong", HERE) is None


def test_the_right_one_always_opens(handset: HandsetToken) -> None:
    token = handset.new_token()
    for _ in range(TRIES):
        handset.exchange("wrong", HERE)
    with pytest.raises(TooManyTries):
        handset.exchange("wrong", HERE)
    session = handset.exchange(token, HERE)
    assert handset.holds_handset(session)
    assert handset.exchange(token, HERE) == session, "also if it has to ask again"
    with pytest.raises(TooManyTries):
        handset.exchange(token, THERE)


def test_whoever_goes_on_trying_while_waiting_does_not_wait_longer(handset: HandsetToken, clock: Clock) -> None:
    for _ in range(TRIES):
        handset.exchange("wrong", HERE)
    for _ in range(59):
        clock.now += 1
        with pytest.raises(TooManyTries):
            handset.exchange("wrong", HERE)
    clock.now += 1
    assert handset.exchange("wrong", HERE) is None
