"""A table in memory: hands, magnets, reeds, lamps, panels and keys on a clock of their own."""

from hardware.sim.clock import SimClock
from hardware.sim.errors import SimError
from hardware.sim.hands import Hands
from hardware.sim.physics import CAREFUL, ROUGH, Physics
from hardware.sim.table import SimTable

__all__ = ["CAREFUL", "ROUGH", "Hands", "Physics", "SimClock", "SimError", "SimTable"]
