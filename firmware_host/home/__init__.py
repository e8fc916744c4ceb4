"""Publish public facts about the table to a smart home, over MQTT and as metrics."""
