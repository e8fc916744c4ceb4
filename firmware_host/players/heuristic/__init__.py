"""Choose moves by rules of thumb, at once."""
