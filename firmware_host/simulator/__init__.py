"""The simulated table: its hardware, simulated people, control by scripts and pages, and lessons."""

from firmware_host.simulator.simulated_table import IN_MEMORY, NoGame, SimulatedTable, SimulatedTableError

__all__ = ["IN_MEMORY", "NoGame", "SimulatedTable", "SimulatedTableError"]
