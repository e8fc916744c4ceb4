"""A device that there is none of."""

from __future__ import annotations

import pytest
from PIL import Image

from hardware.backend import Absent
from hardware.ports import DeviceLost, Keys, Lamps, Panel, Switches


def test_it_can_stand_for_any_device_and_says_why_it_is_none() -> None:
    absent = Absent("lamps: none were bought", count=5, names=("table.bus",), size=(10, 20))
    switches: Switches = absent
    lamps: Lamps = absent
    panel: Panel = absent
    keys: Keys = absent
    assert (switches.count, lamps.count, panel.size, keys.names) == (5, 5, (10, 20), ("table.bus",))
    assert lamps.ready()
    assert panel.ready()
    assert switches.place(3) == "input 3"
    for use in (switches.read, keys.read, lambda: lamps.show(bytes(15)), lambda: panel.show(Image.new("1", (10, 20)))):
        with pytest.raises(DeviceLost, match=r"^lamps: none were bought$"):
            use()
    absent.close()
