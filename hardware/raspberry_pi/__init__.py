"""What yardboard knows of the Raspberry Pi: header, settings and power, and checks of a machine."""
