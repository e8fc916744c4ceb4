"""List the keys of a table and its handset."""

from __future__ import annotations

TICKETS = ("taxi", "bus", "underground")
TABLE_KEYS = (*TICKETS, "confirm", "back")
HANDSET_KEYS = ("up", "down", "select", "back", "peek")
KEYS = (*(f"table.{key}" for key in TABLE_KEYS), *(f"handset.{key}" for key in HANDSET_KEYS))
"""The keys of a table, in the order of their bits."""
