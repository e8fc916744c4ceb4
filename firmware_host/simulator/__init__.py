"""Simulate the table's hardware and the people who play on it: scripts, pages, lessons, soaks."""

from firmware_host.simulator.simulated_table import IN_MEMORY, NoGame, SimulatedTable, SimulatedTableError

__all__ = ["IN_MEMORY", "NoGame", "SimulatedTable", "SimulatedTableError"]
