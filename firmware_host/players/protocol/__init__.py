"""Speak with players in other processes: the lines, and the processes."""
