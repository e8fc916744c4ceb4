"""Tools for developers, not in the wheel: Debian packages, long test runs, tuning of the search, counts of calls."""
