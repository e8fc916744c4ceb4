"""Drivers of real devices. They can be imported without the packages that only a Pi has."""
