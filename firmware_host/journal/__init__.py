"""Keep every accepted action, durable, and tell finished games from it."""
