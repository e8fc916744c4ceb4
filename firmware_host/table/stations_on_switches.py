"""Assign stations to the switches of one table, and inform inputs, outputs and referee."""

from __future__ import annotations

from firmware_host.config.loader import Config
from firmware_host.referee.board_reading import TOUCHING
from firmware_host.referee.referee import Referee
from firmware_host.referee.switch_register import SwitchRegister
from firmware_host.rules.network import Network
from firmware_host.table.inputs import Inputs
from firmware_host.table.outputs import Outputs


class StationsOnSwitches:
    """The current assignment of stations to switches and lamps.

    Args:
        config: the table's configuration; its stations apply at first.
        inputs: get the station of each spot; know which switches are out of order.
        outputs: get the station of each spot.
        referee: gets the station of each switch, and which stations are close together.
        now: clock seconds.
    """

    def __init__(self, config: Config, inputs: Inputs, outputs: Outputs, referee: Referee, now: float) -> None:
        self._config, self._inputs, self._outputs, self._referee = config, inputs, outputs, referee
        referee.place = inputs.place
        self._notify_referee(inputs.register, now)

    def lay(self, network: Network, now: float) -> None:
        """Assign the stations of a newly laid board of tiles (DI-01)."""
        self._inputs.layout = self._config.layout.on(network)
        self._outputs.lay_out(self._inputs.layout)
        self._notify_referee(self._referee.register, now)

    def _notify_referee(self, register: SwitchRegister, now: float) -> None:
        layout, width, pick_up = self._inputs.layout, self._config.board.width_mm, self._config.switches.pick_up_mm
        near, touching = layout.near(width, pick_up), layout.near(width, TOUCHING * pick_up)
        self._referee.lay(register.laid(layout.switches), near, touching, now)
