"""The Raspberry Pi: its header, its settings, its power, and whether it fits a board."""
