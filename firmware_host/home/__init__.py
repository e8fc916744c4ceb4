"""Publish what everyone at the table knows to the house: over MQTT, and as metrics. No game in play is stored here."""
