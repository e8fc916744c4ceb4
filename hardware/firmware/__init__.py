"""The programs of the Picos, in MicroPython. Only `main`, `handset_main` and `pico_program` need a Pico."""
