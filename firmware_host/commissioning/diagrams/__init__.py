"""Draw wiring diagrams, sheet by sheet, from a configuration."""
