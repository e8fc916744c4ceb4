"""Referee the dice game."""
