"""Drive the wire side of yardboard: switches, lamps, panels and keys. Knows no game."""
