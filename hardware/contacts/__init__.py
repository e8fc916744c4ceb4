"""Convert raw samples into trusted contacts."""
