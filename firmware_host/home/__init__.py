"""Publish public facts about the table to the house, over MQTT and as metrics. No game in play is stored here."""
