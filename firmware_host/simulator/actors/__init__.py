"""Simulated people: they play, make mistakes, break things and repair them."""
