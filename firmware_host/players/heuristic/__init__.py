"""Choose moves at once, by rules of thumb."""
