"""A chain of chips that reads all ones, all zeros or out of step in the middle of a game: nothing of it is played."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.ui.prompts import prompt
from tests.hardware.drivers.shift_register_model import Chain
from tests.wired.wired_tables import Wired, build, seated

START = {MR_X: 100, "red": 13, "yellow": 26, "green": 50, "blue": 53}


def stuck(level: int) -> Callable[[Chain], None]:
    return lambda chain: setattr(chain, "miso_stuck", level)


def slips(kind: str, first: int, edges: int) -> Callable[[Chain], None]:
    return lambda chain: setattr(chain, kind, set(range(first, first + edges)))


def mend(chain: Chain) -> None:
    chain.miso_stuck, chain.deaf_edges, chain.spikes = None, set(), set()


GLITCHES = [
    (stuck(0), "every bit of the chain is 0"),
    (stuck(1), "every bit of the chain is 1"),
    (slips("spikes", 40, 1), "the sentinel comes 1 bit early"),
    (slips("deaf_edges", 3, 1), "the sentinel comes 1 bit late"),
    (slips("spikes", 0, 5), "the sentinel comes 5 bits early"),
    (slips("deaf_edges", 0, 8), "the chain is one chip longer than 26"),
]


def glitched(table: Wired, spoil: Callable[[Chain], None], said: str) -> None:
    """A glitch of 3 s with red in the hand; then red is set down, and the table accepts that and nothing else."""
    chain, before = table.board.chain, len(table.daemon.game.actions)
    table.table.pick_up("red")
    table.advance(500)
    spoil(chain)
    table.advance(10)
    health = table.daemon.health()["switches"]
    assert health["state"] != "ok"
    assert said in str(health["reason"])
    table.advance(3000)
    assert prompt(table.daemon.scene()).text.startswith("Paused: the switches")
    assert len(table.daemon.game.actions) == before
    mend(chain)
    table.advance(600)
    assert len(table.daemon.game.actions) == before
    table.table.put(13, "red")
    table.advance(1000)
    assert prompt(table.daemon.scene()).text == "Red moves"
    assert table.daemon.scene().masked == frozenset()


@pytest.mark.parametrize(("spoil", "said"), GLITCHES, ids=[said.replace(" ", "_") for _, said in GLITCHES])
def test_a_chain_that_is_not_whole_is_lost_and_named_within_two_passes_and_nothing_is_played(
    spoil: Callable[[Chain], None], said: str
) -> None:
    with seated(Wired, build("london-spi"), start=START) as (table, players):
        players.set_up()
        players.play(MrXMove(Secret(101), "taxi"))
        glitched(table, spoil, said)
        assert players.play(PawnMove("red", 23, "taxi")) == PawnMove("red", 23, "taxi")
        assert len(table.daemon.game.actions) == 2
