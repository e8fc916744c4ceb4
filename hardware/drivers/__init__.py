"""Provide real devices behind the ports. Importing one needs no package that only a Pi has."""
