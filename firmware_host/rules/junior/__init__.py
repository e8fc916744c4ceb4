"""Referee the junior game."""
