"""The head of the American map names every line in which it differs from the other London map (US-08)."""

from __future__ import annotations

import re

from firmware_host.config import shipped_files
from firmware_host.rules.network import Network
from tests.shipped_grounds import load_map

Line = tuple[str, int, int]


def lines(network: Network, numbers: dict[int, int]) -> set[Line]:
    """Transport and both stations of every link, the stations numbered anew."""
    ends = ((link.transport, *sorted(numbers.get(n, n) for n in (link.a, link.b))) for link in network.links)
    return {(transport, a, b) for transport, a, b in ends}


def named(text: str) -> set[Line]:
    return {(t, int(a), int(b)) for t, a, b in re.findall(r"(taxi|bus|underground|boat) (\d+)-(\d+)", text)}


def test_us_08_the_head_of_the_map_tells_all_that_differs() -> None:
    source = (shipped_files.folder() / "maps" / "london-us.toml").read_text(encoding="utf-8")
    head = " ".join(line.removeprefix("# ") for line in source.splitlines() if line.startswith("#"))
    numbers = {int(a): int(b) for a, b in re.findall(r"(\d+) is (\d+)", head)}
    europe, here = load_map("london"), load_map("london-us")
    assert {numbers.get(n, n) for n in europe.stations} == set(here.stations)
    ours, theirs = lines(here, {}), lines(europe, numbers)
    told = re.search(r"four lines differ: (.*) are drawn here alone, and (.*) there alone", head)
    assert told is not None
    assert (named(told[1]), named(told[2])) == (ours - theirs, theirs - ours)
    assert len(ours ^ theirs) == 4
