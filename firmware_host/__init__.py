"""The game side of yardboard: rules, table, lights and handset. Knows no chip."""

__version__ = "0.1.0"
