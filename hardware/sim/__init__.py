"""Simulate a table in memory: hands, magnets, reeds, lamps, panels and keys, with a virtual clock.

A call for something that no hand can do raises `SimError`, and changes nothing.
"""

from hardware.sim.hand_gestures import Hands
from hardware.sim.magnets_and_reeds import CAREFUL, ROUGH, Physics
from hardware.sim.sim_errors import SimError
from hardware.sim.simulated_hardware import SimulatedHardware
from hardware.sim.virtual_clock import SimClock

__all__ = ["CAREFUL", "ROUGH", "Hands", "Physics", "SimClock", "SimError", "SimulatedHardware"]
