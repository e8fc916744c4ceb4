"""The rule systems. Imports itself and the standard library alone."""
