"""Referee every game: the rule systems. Imports itself and the standard library alone."""
