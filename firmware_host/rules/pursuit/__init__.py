"""Referee the pursuit games: classic, current, US and beginners."""
