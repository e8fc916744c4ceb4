"""The microcontroller's program: MicroPython for a Raspberry Pi Pico. Only `main` needs a Pico."""
