"""A London board under construction: its first chips, which the real driver reads edge by edge, and its lamps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from firmware_host.config import shipped_files
from firmware_host.config.drivers.buttons_driver import KEYS
from firmware_host.config.loader import load
from hardware.backend import Backend
from hardware.drivers.shift_register import SENTINEL, ShiftRegisterSwitches
from hardware.ports import Switches
from hardware.sim import SimulatedHardware
from hardware.sim.physics import Physics
from tests.commissioning.wiring_sittings import Board, Trial
from tests.hardware.drivers.shift_register_model import DirectLoad, EdgeSpi, ShiftRegisterChain


class OnFirstChips(ShiftRegisterSwitches):
    """The driver, on chips whose inputs are wired to the simulated contacts. Input 0 has none."""

    def __init__(self, contacts: Switches, chips: int, sentinel: int | None) -> None:
        self.chain = ShiftRegisterChain(chips, sentinel=sentinel)
        self._contacts = contacts
        create = partial(super().__init__, spi=EdgeSpi(self.chain, 1), load=DirectLoad(self.chain))
        create(8 * chips, chips=chips, sentinel=SENTINEL, mode=1, partial=True)

    def read(self) -> int:
        self.chain.touch(self._contacts.read() << 1)
        return super().read()


class FirstChips(Board):
    """The shipped build of London with only some chips fitted, the last one with or without the sentinel.

    Attributes:
        stations: all stations, in the order of the chain's inputs.
    """

    def __init__(
        self, folder: Path, chips: int, *, sentinel: bool = False, physics: Physics | None = None, seed: int = 1
    ) -> None:
        self.path = folder / "london.toml"
        text = (shipped_files.folder() / "london-spi.toml").read_text(encoding="utf-8")
        self.path.write_text(text.replace("chips = 26", f"chips = {chips}"), encoding="utf-8")
        config = load(self.path, partial=True)
        layout = config.layout
        places, self.inputs = layout.positions_mm(config.board.width_mm), layout.switches
        self.stations, self.windows = tuple(sorted(places, key=self.inputs.__getitem__)), len(layout.log_lamps)
        owners = dict(zip(layout.station_lamps, layout.stations, strict=True))
        owners |= {lamp: -window for window, lamp in enumerate(layout.log_lamps, 1)}
        self.lamps = [owners[lamp] for lamp in range(layout.lamps)]
        self.table = SimulatedHardware(
            {station: places[station] for station in self.stations},
            lamps=len(self.lamps),
            keys=KEYS,
            seed=seed,
            physics=physics,
        )
        self.switches = OnFirstChips(self.table.switches, chips, SENTINEL if sentinel else None)

    @property
    def backend(self) -> Backend:
        return replace(super().backend, switches=self.switches)

    def trial(self, *parts: str, stations: tuple[int, ...] = ()) -> Trial:
        return Trial(self, *parts, config=load(self.path, partial=True), stations=stations)
