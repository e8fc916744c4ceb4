"""Maintain a table for years: its health, service and recordings."""
