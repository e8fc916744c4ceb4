"""Record a table on a tape, and replay it through the present software."""
