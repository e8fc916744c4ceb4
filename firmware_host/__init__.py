"""The game side of yardboard: rules, table, lights and handset. Knows no chip."""
