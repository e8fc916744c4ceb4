"""Facts about the Raspberry Pi: its header, settings and power, and checks of a machine."""
