"""The microcontroller's program: MicroPython for a Raspberry Pi Pico. All but `main` also runs in plain Python."""
