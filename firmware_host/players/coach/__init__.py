"""The coach, which advises the detectives and shows everyone what Mister X's log reveals."""
