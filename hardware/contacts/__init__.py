"""From raw samples to contacts that can be believed."""
