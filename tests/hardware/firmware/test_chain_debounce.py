"""The Pico's debouncer, compared with the host's."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.contacts.debounce import Debounce
from hardware.firmware.chain_debounce import ChainDebounce

LENGTH = 3


def settled(samples: list[int]) -> list[int]:
    """What the chain says after each sample."""
    chain = ChainDebounce(LENGTH)
    said = []
    for sample in samples:
        chain.sample[:] = sample.to_bytes(LENGTH, "big")
        said.append(int.from_bytes(chain.settle(), "big"))
    return said


# Few different bits, so that equal samples in a row are common.
few = st.lists(st.sampled_from([0, 1, 2, 3, 0x800000, 0x800001]), min_size=1, max_size=60)


@given(few)
def test_it_agrees_with_the_debouncer_of_the_host(samples: list[int]) -> None:
    other = Debounce(8 * LENGTH, 3, stable=samples[0])
    assert settled(samples) == [other.update(sample) for sample in samples]


def test_what_it_said_last_does_not_change_under_the_reader() -> None:
    chain = ChainDebounce(1)
    chain.sample[0] = 7
    said = chain.settle()
    chain.sample[0] = 9
    assert said == b"\x07"
