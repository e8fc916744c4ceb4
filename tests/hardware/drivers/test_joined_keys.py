"""Several devices of keys as one."""

from __future__ import annotations

import pytest

from hardware.drivers.buttons import JoinedKeys
from hardware.ports import DeviceLost, Keys


class Fixed:
    """Keys that read what they are told."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.sample = 0
        self.lost = False
        self.closed = 0

    def read(self) -> int:
        if self.lost:
            raise DeviceLost("keys: pulled")
        return self.sample

    def close(self) -> None:
        self.closed += 1


def test_joined_keys_have_the_names_of_all_and_the_bits_of_each() -> None:
    table, handset = Fixed("taxi", "confirm"), Fixed("up", "confirm", "peek")
    keys = JoinedKeys(table, handset)
    assert isinstance(keys, Keys)
    assert keys.names == ("taxi", "confirm", "up", "peek")
    seen = {}
    for part in (table, handset):
        for bit, name in enumerate(part.names):
            part.sample = 1 << bit
            seen.setdefault(name, []).append(keys.read())
            part.sample = 0
    assert seen == {"taxi": [0b0001], "confirm": [0b0010, 0b0010], "up": [0b0100], "peek": [0b1000]}
    table.sample, handset.sample = 0b11, 0b110
    assert keys.read() == 0b1011


def test_joined_keys_are_lost_with_any_of_them_and_closed_with_all() -> None:
    table, handset = Fixed("taxi"), Fixed("up")
    keys = JoinedKeys(table, handset)
    handset.lost = True
    with pytest.raises(DeviceLost, match="pulled"):
        keys.read()
    handset.lost = False
    assert keys.read() == 0
    keys.close()
    assert (table.closed, handset.closed) == (1, 1)
