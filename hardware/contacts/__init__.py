"""Turn raw samples into contacts that can be believed."""
