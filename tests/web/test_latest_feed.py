"""The newest of each kind, from the table's thread to the clients' loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from firmware_host.web.feeds.latest_feed import Feed, Message

PATIENCE = 60.0
"""Real seconds that anything may take."""


def on_a_loop(play: Callable[[Feed], Awaitable[None]]) -> None:
    """Do something with a feed on a loop of its own."""

    async def run() -> None:
        feed = Feed()
        feed.attach(asyncio.get_running_loop())
        async with asyncio.timeout(PATIENCE):
            await play(feed)
        feed.detach()

    asyncio.run(run())


def taken(feed: Feed, seen: dict[str, int]) -> list[Message]:
    """All that a client takes now, one after the other."""
    messages = []
    while (due := feed.next(seen)) is not None:
        kind, seen[kind], message = due
        messages.append(message)
    return messages


def said(message: Message) -> Callable[[], Message]:
    return lambda: message


def test_whoever_comes_late_gets_the_newest_of_each_kind() -> None:
    feed = Feed()
    for n in range(3):
        feed.put("board", said(f"board {n}"))
        feed.put("scene", said(f"scene {n}"))
    assert taken(feed, {}) == ["board 2", "scene 2"]


def test_nothing_is_sent_twice() -> None:
    feed, seen = Feed(), dict[str, int]()
    feed.put("scene", said("one"))
    assert taken(feed, seen) == ["one"]
    assert taken(feed, seen) == []
    feed.put("scene", said("two"))
    assert taken(feed, seen) == ["two"]


def test_what_grew_old_while_another_message_was_sent_is_never_sent() -> None:
    feed, seen = Feed(), dict[str, int]()
    feed.put("board", said("board"))
    feed.put("scene", said("old"))
    kind, version, message = feed.next(seen) or pytest.fail("nothing is due")
    assert message == "board"
    seen[kind] = version
    feed.put("scene", said("new"))
    assert taken(feed, seen) == ["new"]


def test_a_slow_client_gets_every_kind_though_all_of_them_change_meanwhile() -> None:
    feed, seen = Feed(), dict[str, int]()
    got: list[str] = []
    for n in range(30):
        for kind in ("lamps", "pawns", "scene"):
            feed.put(kind, said(f"{kind} {n}"))
        due = feed.next(seen)
        assert due is not None
        kind, seen[kind], _ = due
        got.append(kind)
    assert [got.count(kind) for kind in ("lamps", "pawns", "scene")] == [10, 10, 10]


def test_of_what_comes_anew_together_the_first_put_goes_first_however_often_it_was_sent_before() -> None:
    feed, seen = Feed(), dict[str, int]()
    feed.put("scene", said("scene 0"))
    for n in range(3):
        feed.put("lamps", said(f"lamps {n}"))
        taken(feed, seen)
    feed.put("lamps", said("lamps of a move"))
    feed.put("scene", said("scene of a move"))
    assert taken(feed, seen) == ["lamps of a move", "scene of a move"]


def test_a_new_board_comes_before_the_lamps_that_shine_on_it() -> None:
    feed, seen = Feed(), dict[str, int]()
    feed.put("board", said("board 1"))
    for n in range(5):
        feed.put("lamps", said(f"lamps {n}"))
        taken(feed, seen)
    feed.put("board", said("board 2"))
    feed.put("lamps", said("lamps of board 2"))
    assert taken(feed, seen) == ["board 2", "lamps of board 2"]


def test_a_message_is_made_once_for_all_clients_and_not_at_all_for_none() -> None:
    feed, made = Feed(), list[str]()

    def make(name: str) -> Callable[[], Message]:
        return lambda: made.append(name) or name  # type: ignore[func-returns-value]

    feed.put("scene", make("never asked for"))
    feed.put("scene", make("asked for"))
    assert [taken(feed, {}) for _ in range(3)] == [["asked for"]] * 3
    assert made == ["asked for"]


def test_whoever_waits_is_woken_by_what_is_put_in_another_thread() -> None:
    async def play(feed: Feed) -> None:
        seen: dict[str, int] = {}
        waiting = asyncio.ensure_future(feed.changed(seen))
        await asyncio.sleep(0)
        assert not waiting.done()
        thread = threading.Thread(target=feed.put, args=("scene", said("now")))
        thread.start()
        await waiting
        thread.join()
        assert taken(feed, seen) == ["now"]

    on_a_loop(play)


def test_no_wake_up_is_lost_however_fast_messages_are_put() -> None:
    last, clients = 5_000, 5

    async def follow(feed: Feed) -> list[int]:
        seen: dict[str, int] = {}
        numbers: list[int] = []
        while not numbers or numbers[-1] < last:
            await feed.changed(seen)
            kind, version, message = feed.next(seen) or pytest.fail("woken for nothing")
            seen[kind] = version
            if kind == "count":
                numbers.append(int(message))
        return numbers

    async def play(feed: Feed) -> None:
        def put_all() -> None:
            for n in range(last + 1):
                feed.put(f"kind {n}" if n % 1000 == 0 else "other", said("another"))  # kinds come while others read
                feed.put("count", said(str(n)))

        thread = threading.Thread(target=put_all)
        thread.start()
        followed = await asyncio.gather(*(follow(feed) for _ in range(clients)))
        thread.join()
        for numbers in followed:
            assert numbers == sorted(set(numbers)), "none twice, none older than the one before"

    on_a_loop(play)


def test_a_client_that_gives_up_waiting_takes_nothing_from_the_others() -> None:
    async def play(feed: Feed) -> None:
        quitter, other = (asyncio.ensure_future(feed.changed({})) for _ in range(2))
        await asyncio.sleep(0)
        quitter.cancel()
        await asyncio.gather(quitter, return_exceptions=True)
        feed.put("scene", said("now"))
        await other

    on_a_loop(play)


def test_a_feed_may_be_put_into_before_its_loop_runs_and_after_it_has_ended() -> None:
    feed = Feed()
    feed.put("scene", said("before"))

    async def run() -> None:
        feed.attach(asyncio.get_running_loop())
        await feed.changed({})

    asyncio.run(run())
    feed.put("scene", said("the loop is closed, and the feed does not know it"))
    feed.detach()
    feed.put("scene", said("after"))
    assert taken(feed, {}) == ["after"]
