"""Wiring diagrams, sheet by sheet, drawn from a configuration."""
