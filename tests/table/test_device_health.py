"""What is told of devices that ail: once per change, steadily, and with what the game has to know."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from firmware_host.referee.scene import Health
from firmware_host.table.device_health import CALM, OFTEN, RETRY, WHILE, Devices
from firmware_host.ui.fault_wording import health_words
from tests.amount import amount

DAY = time.mktime((2026, 11, 21, 20, 14, 0, 0, 0, -1))


def devices(*names: str) -> Devices:
    return Devices(names or ("lamps",), 0.0, lambda: DAY)


def told(d: Devices) -> list[str]:
    return [f"{name}: {health}" for name, health in d.news()]


def flap(d: Devices, name: str, *, until: float, every: float = 0.05, since: float = 0.0) -> Iterator[float]:
    """A device that is lost and back again and again; gives each instant."""
    now, there = since, True
    while now < until:
        now, there = now + every, not there
        if there:
            d.ok(name, now)
        else:
            d.lost(name, "no answer", now)
        yield now


def test_each_change_is_told_once() -> None:
    d = devices("lamps", "keys")
    assert not told(d)
    d.lost("lamps", "lamps: gone", 1.0)
    assert told(d) == ["lamps: lost: gone"]
    d.lost("lamps", "gone", 2.0)
    assert not told(d)
    d.degraded("lamps", "dim", 3.0)
    d.lost("keys", "cut", 3.0)
    assert told(d) == ["lamps: degraded: dim", "keys: lost: cut"]
    d.ok("lamps", 4.0)
    d.ok("keys", 4.0)
    assert told(d) == ["lamps: ok", "keys: ok"]
    assert not told(d)


def test_a_state_has_its_reason_and_since_when_on_both_clocks() -> None:
    d = devices()
    d.lost("lamps", "gone", 7.0)
    d.lost("lamps", "another reason", 8.0)
    assert d["lamps"] == Health("lost", "another reason", 7.0, DAY)
    assert health_words(d["lamps"]) == "lost since Sat 20:14: another reason"
    assert d.report() == {"lamps": {"state": "lost", "reason": "another reason", "since": 7.0}}


def test_another_state_has_a_later_time_on_both_clocks() -> None:
    wall = iter([DAY, DAY + 7, DAY + 9])
    d = Devices(("lamps",), 0.0, lambda: next(wall))
    d.lost("lamps", "gone", 7.0)
    d.degraded("lamps", "dim", 9.0)
    assert d["lamps"] == Health("degraded", "dim", 9.0, DAY + 9)


def test_a_lost_device_is_tried_again_by_and_by() -> None:
    d = devices()
    d.lost("lamps", "gone", 1.0)
    assert not d.usable("lamps", 1.0 + RETRY - 0.01)
    assert d.usable("lamps", 1.0 + RETRY)


def test_all_is_ok_while_every_device_works_and_no_failure_of_any_is_reported() -> None:
    d = devices("lamps", "keys")
    assert d.all_ok
    d.lost("lamps", "gone", 1.0)
    d.degraded("keys", "noise", 1.0)
    assert not d.all_ok
    d.ok("lamps", 2.0)
    assert not d.all_ok
    d.ok("keys", 2.0)
    assert d.all_ok


def test_a_device_that_is_lost_now_and_then_is_told_as_it_is() -> None:
    d = devices()
    for n in range(10):
        d.lost("lamps", "gone", n * WHILE)
        assert told(d) == ["lamps: lost: gone"]
        assert d.away("lamps")
        d.ok("lamps", n * WHILE + 1)
        assert told(d) == ["lamps: ok"]
        assert not d.away("lamps")


def test_a_device_that_flaps_for_minutes_is_told_a_few_times_and_then_that_it_comes_and_goes() -> None:
    d, lines = devices(), []
    for _ in flap(d, "lamps", until=300):
        lines += told(d)
    assert lines == ["lamps: lost: no answer", "lamps: ok"] * OFTEN + ["lamps: degraded: comes and goes: no answer"]


def test_the_fourth_failure_within_half_a_minute_is_reported_as_coming_and_going() -> None:
    d, lines = devices(), []
    for second in range(0, 28, 8):
        d.lost("lamps", "no answer", second)
        lines += told(d)
        d.ok("lamps", second + 4)
        lines += told(d)
    assert lines == ["lamps: lost: no answer", "lamps: ok"] * 3 + ["lamps: degraded: comes and goes: no answer"]


def test_a_failure_half_a_minute_ago_does_not_count_any_more() -> None:
    d = devices()
    for now in (0.0, 1.0, 2.0, WHILE):
        d.ok("lamps", now)
        d.lost("lamps", "gone", now)
        assert told(d) == ["lamps: lost: gone"]
        d.ok("lamps", now + 0.5)
        assert told(d) == ["lamps: ok"]


def test_a_device_that_comes_and_goes_is_away_until_it_has_been_there_for_a_while_but_told_for_longer() -> None:
    d = devices()
    for now in flap(d, "lamps", until=10):  # noqa: B007 - the last instant
        pass
    d.lost("lamps", "no answer", now)
    told(d)
    d.ok("lamps", now + 0.1)
    d.ok("lamps", now + CALM - 0.1)
    assert d.away("lamps")
    d.changed = False
    d.ok("lamps", now + CALM)
    assert not d.away("lamps")
    assert d.changed
    assert d["lamps"].state == "degraded"
    assert not told(d)
    d.ok("lamps", now + WHILE + 0.2)
    assert told(d) == ["lamps: ok"]


def test_one_that_flapped_and_then_stays_away_is_told_as_lost_in_the_end() -> None:
    d = devices()
    for now in flap(d, "lamps", until=10):  # noqa: B007 - the last instant
        pass
    told(d)
    while now < 10 + WHILE + 1:
        now += RETRY
        d.lost("lamps", "no answer", now)
        assert d.away("lamps")
    assert told(d) == ["lamps: lost: no answer"]


def test_a_lost_device_whose_reason_changes_all_the_time_stays_lost_and_is_told_now_and_then() -> None:
    d, lines, now = devices(), [], 0.0
    while now < 300:
        now += RETRY
        d.lost("lamps", f"reason {now}", now)
        lines += told(d)
        assert d["lamps"].state == "lost"
        assert d["lamps"].since == RETRY
    assert len(lines) <= OFTEN * (300 / WHILE + 1)
    d.ok("lamps", now + 1)
    assert told(d) == ["lamps: ok"]


def test_one_switch_more_is_told_within_seconds_however_many_were_told_just_before() -> None:
    d = devices("switches")
    for number in range(1, 6):
        d.degraded("switches", f"{number} masked", number / 10)
    assert told(d) == [f"switches: degraded: {OFTEN} masked"]
    d.degraded("switches", "5 masked", OFTEN / 10 + CALM - 0.01)
    assert not told(d)
    d.degraded("switches", "5 masked", OFTEN / 10 + CALM)
    assert told(d) == ["switches: degraded: 5 masked"]


def test_noise_makes_no_device_one_that_the_game_waits_for() -> None:
    d = devices()
    for n in range(10_000):
        if n % 2:
            d.ok("lamps", n / 200)
        else:
            d.degraded("lamps", "noise", n / 200)
        assert not d.away("lamps")
    assert str(d["lamps"]) == "degraded: comes and goes: noise"


@pytest.mark.parametrize("seed", range(amount(3, 20)))
def test_however_a_device_behaves_few_lines_are_told_and_in_the_end_the_truth(seed: int) -> None:
    chance, d, now, lines = random.Random(seed), devices(), 0.0, 0
    pace = chance.choice((0.01, 0.3, 3.0, 20.0))
    while now < 3600:
        now += chance.expovariate(1 / pace)
        act = chance.choice((d.lost, d.degraded, None))
        if act is None:
            d.ok("lamps", now)
        else:
            act("lamps", f"reason {chance.randrange(3)}", now)
            assert d.away("lamps") or act != d.lost
        lines += len(told(d))
    assert lines <= 2 * (OFTEN + 1) * (3600 / WHILE + 1)
    for _ in range(2):
        now += WHILE
        d.ok("lamps", now)
    assert d["lamps"].state == "ok"
    assert not d.ailing
    assert not d.away("lamps")
