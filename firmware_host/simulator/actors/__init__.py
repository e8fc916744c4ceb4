"""Simulated people, who play, make mistakes, break things and repair them."""
