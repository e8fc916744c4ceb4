"""Record every accepted action durably, and replay finished games from the record."""
