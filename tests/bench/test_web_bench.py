"""What `yardboard bench --web` prints: every line, and honest verdicts. How fast this machine is, is no matter."""

from __future__ import annotations

import pytest

from firmware_host.bench.measurements import BenchError
from firmware_host.bench.web_bench import CROWD, HEADING, Passes, WebRounds, crowd, rows, table
from firmware_host.web.server import serve_spectators

LINES = {
    "a pass, time of a core, average": True,
    "a pass by the clock, average": True,
    "a pass by the clock, p50": False,
    "a pass by the clock, p99": False,
    "a scan begins too late by, p50": False,
    "a scan begins too late by, p99": False,
}


def test_every_figure_is_measured_alone_and_with_spectators() -> None:
    _, heading, *lines, last, meaning = table(rounds=WebRounds(rounds=1, seconds=0.4))
    lines = [line for line in lines if not line.startswith("others used ")]
    assert heading == HEADING
    assert [line[:40].strip() for line in lines] == list(LINES)
    for line in lines:
        alone, watched, times = (float(word) for word in line[40:].replace("µs", "").split()[:3])
        assert alone > 0
        assert watched > 0
        assert times == pytest.approx(watched / alone, abs=0.02, rel=0.1)
    assert meaning.startswith("A pass is one look")
    had = float(last.split()[3])
    assert had > 10, "the lamps breathe thirty times a second, and each of them is to see that"


def test_the_median_of_the_rounds_counts() -> None:
    def passes(*micros: float) -> list[Passes]:
        return [Passes([each * 1e-6], [each * 2e-6], [each * 3e-6]) for each in micros]

    found = {row.what: row for row in rows(passes(10, 20, 90), passes(21, 22, 70))}
    assert {what: row.goal for what, row in found.items()} == LINES
    pass_ = found["a pass, time of a core, average"]
    assert (pass_.alone, pass_.watched) == pytest.approx((20, 22))
    late = found["a scan begins too late by, p99"]
    assert (late.alone, late.watched) == pytest.approx((60, 66))


def test_a_crowd_that_does_not_get_in_gives_no_figure() -> None:
    server = serve_spectators("127.0.0.1", 0, ())
    server.stop()
    with pytest.raises(BenchError, match=f"{CROWD} spectators"), crowd(server.port, CROWD):
        raise AssertionError("they are in")
