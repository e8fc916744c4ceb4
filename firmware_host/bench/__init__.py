"""Measure this machine's performance."""
