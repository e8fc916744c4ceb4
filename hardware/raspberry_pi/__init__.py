"""Describe the Raspberry Pi: its header, settings and power, and whether they suit a board."""
