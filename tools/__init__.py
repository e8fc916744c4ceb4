"""What only developers run, from a checkout: soaks, tuning of the search, counts of the code. Not in the wheel."""
