"""Simulated people: they play, blunder, break things and put them right."""
