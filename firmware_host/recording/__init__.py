"""The recording of a table on a tape, and its replay through the current software."""
