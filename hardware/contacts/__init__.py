"""Filters that turn raw samples into contacts that can be trusted."""
