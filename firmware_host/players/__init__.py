"""Choose moves without a person. Imports the rules alone."""
