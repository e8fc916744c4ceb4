"""Tournaments: many games between players, to compute who is stronger."""
