"""A table on simulated hardware, and who plays there: scripts, pages, lessons, simulated people, soaks."""

from firmware_host.simulator.simulated_table import IN_MEMORY, NoGame, SimulatedTable, SimulatedTableError

__all__ = ["IN_MEMORY", "NoGame", "SimulatedTable", "SimulatedTableError"]
