"""Wiring diagrams, drawn sheet by sheet from a configuration."""
