"""Whatever is asked for, one thing at a time is worked out, beside the server's loop and with rests."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from firmware_host.web.pages import render_queue
from firmware_host.web.pages.render_queue import KEPT, MOST, REST, Busy, RenderQueue


def test_work_is_done_beside_the_loop_and_one_thing_at_a_time() -> None:
    at_work, most_at_work, threads = 0, 0, set[int]()
    lock = threading.Lock()

    def work() -> None:
        nonlocal at_work, most_at_work
        with lock:
            at_work += 1
            most_at_work = max(most_at_work, at_work)
        threads.add(threading.get_ident())
        time.sleep(0.001)  # gives others every chance to begin
        with lock:
            at_work -= 1

    async def crowd() -> None:
        one = RenderQueue()
        await asyncio.gather(*(one.work(work) for _ in range(MOST)))

    asyncio.run(crowd())
    assert most_at_work == 1
    assert threading.get_ident() not in threads


def test_after_work_there_is_a_rest_of_several_times_its_length() -> None:
    worked, ended = 0.02, 0.0

    def work() -> None:
        nonlocal ended
        began = time.thread_time()
        while time.thread_time() < began + worked:
            pass
        ended = time.monotonic()

    async def twice() -> float:
        one = RenderQueue()
        await one.work(work)
        first = ended
        return await one.work(time.monotonic) - first

    assert asyncio.run(twice()) >= REST * worked


def test_too_many_are_told_to_come_again_and_those_who_wait_are_served() -> None:
    async def crowd() -> tuple[list[object], int]:
        one = RenderQueue()
        go_on = threading.Event()
        waiting = [asyncio.ensure_future(one.work(go_on.wait)) for _ in range(MOST)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await one.work(lambda: None)
        go_on.set()
        served = await asyncio.gather(*waiting)
        return list(served), await one.work(lambda: 7)

    assert asyncio.run(crowd()) == ([True] * MOST, 7)


def test_whoever_waits_too_long_is_told_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_queue, "PATIENCE", 0.05)

    async def crowd() -> tuple[object, int]:
        one = RenderQueue()
        go_on = threading.Event()
        first = asyncio.ensure_future(one.work(go_on.wait))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await one.work(lambda: None)
        go_on.set()
        return await first, await one.work(lambda: 7)

    assert asyncio.run(crowd()) == (True, 7)


def test_a_failure_is_its_askers_alone() -> None:
    def fail() -> bytes:
        raise LookupError("nothing there")

    async def ask() -> bytes:
        one = RenderQueue()
        with pytest.raises(LookupError, match="nothing there"):
            await one.get(1, "json", fail)
        return await one.get(1, "json", lambda: b"now")

    assert asyncio.run(ask()) == b"now"


def test_what_was_asked_for_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render_queue, "REST", 0.0)
    made: list[int] = []

    def of(number: int) -> Callable[[], bytes]:
        def make() -> bytes:
            made.append(number)
            return str(number).encode()

        return make

    async def ask() -> None:
        one = RenderQueue()
        for number in (*range(KEPT), 0, KEPT, 0, 1):  # 0 is asked for again in time, 1 is not
            assert await one.get(number, "json", of(number)) == str(number).encode()
        assert await one.get(0, "svg", of(-1)) == b"-1"

    asyncio.run(ask())
    assert made == [*range(KEPT), KEPT, 1, -1]
