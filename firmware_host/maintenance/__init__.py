"""Maintenance of a table over years: set up its service, update it, show its health, save its games."""
