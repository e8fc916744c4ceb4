"""Advise the detectives and show everyone what Mister X's log reveals."""
