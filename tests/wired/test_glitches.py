"""A chain of chips that reads all ones, all zeros or out of step in the middle of a game: nothing of it is played."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_host.rules.actions import MR_X, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from firmware_host.ui.prompt_wording import prompt
from tests.hardware.drivers.shift_register_model import ShiftRegisterChain
from tests.wired.wired_tables import Wired, build, seated

START = {MR_X: 100, "red": 13, "yellow": 26, "green": 50, "blue": 53}


def stuck(level: int) -> Callable[[ShiftRegisterChain], None]:
    return lambda chain: setattr(chain, "miso_stuck", level)


def slips(kind: str, first: int, edges: int) -> Callable[[ShiftRegisterChain], None]:
    return lambda chain: setattr(chain, kind, set(range(first, first + edges)))


def mend(chain: ShiftRegisterChain) -> None:
    chain.miso_stuck, chain.deaf_edges, chain.spikes = None, set(), set()


GLITCHES = [
    (stuck(0), "every bit of the chain is 0"),
    (stuck(1), "every bit of the chain is 1"),
    (slips("spikes", 40, 1), "the sentinel comes 1 bit early"),
    (slips("deaf_edges", 3, 1), "the sentinel comes 1 bit late"),
    (slips("spikes", 0, 5), "the sentinel comes 5 bits early"),
    (slips("deaf_edges", 0, 8), "the chain is one chip longer than 26"),
]


def glitched(simulated: Wired, spoil: Callable[[ShiftRegisterChain], None], said: str) -> None:
    """A glitch of 3 s with red in the hand; then red is set down, and the table accepts that and nothing else."""
    chain, before = simulated.board.chain, len(simulated.table.game.actions)
    simulated.hardware.pick_up("red")
    simulated.advance(500)
    spoil(chain)
    simulated.advance(10)
    health = simulated.table.health()["switches"]
    assert health["state"] != "ok"
    assert said in str(health["reason"])
    simulated.advance(3000)
    assert prompt(simulated.table.scene()).text.startswith("Paused: the switches")
    assert len(simulated.table.game.actions) == before
    mend(chain)
    simulated.advance(600)
    assert len(simulated.table.game.actions) == before
    simulated.hardware.put(13, "red")
    simulated.advance(1000)
    assert prompt(simulated.table.scene()).text == "Red moves"
    assert simulated.table.scene().ignored == frozenset()


@pytest.mark.parametrize(("spoil", "said"), GLITCHES, ids=[said.replace(" ", "_") for _, said in GLITCHES])
@pytest.mark.long_but_first
def test_a_chain_that_is_not_whole_is_lost_and_named_within_two_passes_and_nothing_is_played(
    spoil: Callable[[ShiftRegisterChain], None], said: str
) -> None:
    with seated(Wired, build("london-spi"), start=START) as (simulated, players):
        players.set_up()
        players.play(MrXMove(Secret(101), "taxi"))
        glitched(simulated, spoil, said)
        assert players.play(PawnMove("red", 23, "taxi")) == PawnMove("red", 23, "taxi")
        assert len(simulated.table.game.actions) == 2
