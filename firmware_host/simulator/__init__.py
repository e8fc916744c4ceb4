"""The simulated table with the daemon on it, and who plays there: scripts, simulated players, soaks, benches."""

from firmware_host.simulator.simulated_table import IN_MEMORY, NoGame, SimulatedTable, SimulatedTableError

__all__ = ["IN_MEMORY", "NoGame", "SimulatedTable", "SimulatedTableError"]
