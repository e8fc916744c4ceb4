"""Drive the hardware of yardboard: switches, lamps, panels and keys. Knows no game."""
