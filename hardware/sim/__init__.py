"""A simulated table in memory: hands, magnets, reeds, lamps, panels and keys, on a virtual clock.

A call for something that no hand can do raises `SimError`, and changes nothing.
"""

from hardware.sim.hand_gestures import Hands
from hardware.sim.physics import CAREFUL, ROUGH, Physics, SimClock, SimError
from hardware.sim.simulated_hardware import SimulatedHardware

__all__ = ["CAREFUL", "ROUGH", "Hands", "Physics", "SimClock", "SimError", "SimulatedHardware"]
