"""Tools for developers, not in the wheel: long test runs, tuning of the search, and counts of the code."""
