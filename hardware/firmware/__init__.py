"""The programs of the Picos, in MicroPython. Only `main` and `handset_main` need a Pico."""
