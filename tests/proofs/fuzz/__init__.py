"""Random faults in all input from outside: it must be accepted or refused, and nothing else may happen."""
