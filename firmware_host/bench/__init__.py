"""Benchmarks that measure how fast this machine runs the table."""
