"""Measure this machine."""
