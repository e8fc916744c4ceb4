"""Compile the whole search in advance: it takes long, and memory that is not freed."""

from __future__ import annotations

import fcntl
import random
from pathlib import Path

from firmware_host.players.search import tree
from firmware_host.players.search.compiling import are_compiled
from firmware_host.players.search.search_player import SearchPlayer
from firmware_host.rules.network import Link, Network, Station
from firmware_host.rules.pursuit.edition import Edition
from firmware_host.rules.secret import Secret
from firmware_host.rules.setup import Setup


def is_compiled() -> bool:
    """Return whether this code has compiled and cached the whole search on this machine."""
    return are_compiled(tree.search.stats.cache_path)


def compile_search() -> None:
    """Compile and cache what is missing. If several processes call this, one works and the others wait."""
    where = tree.search.stats.cache_path
    if where is None:  # numba caches nothing here
        return
    folder = Path(where)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "compiling.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_compiled():
            SearchPlayer(_smallest(), rng=random.Random(1), enough=lambda *_: True)  # noqa: S311 - nothing is chosen


def _smallest() -> Setup:
    """Return a game on a map of three stations. The compiled code is the same for every map."""
    stations = {number: Station(number, 0.0, 0.0) for number in (1, 2, 3)}
    links = (Link(1, 2, "taxi"), Link(2, 3, "taxi"))
    edition = Edition(
        name="smallest", title="smallest", map="", seats={2: (("red",),)}, order="fixed", windows=3, options={},
        hand=(1, 1, 1), mr_x_hand=None, blacks=0, doubles=0, surfacing=frozenset(), last_chance=False, cards=(1, 2, 3),
        mr_x_cards=(),
    )  # fmt: skip
    network = Network("smallest", "smallest", 1.0, (1, 2, 3), stations, links, {})
    return Setup(edition, network, {"red": 1}, {"red": 1}, Secret(3))
