"""Drivers and a simulation of yardboard's hardware: switches, lamps, panels and keys. They know no game."""
