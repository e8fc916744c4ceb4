"""What turns raw samples into contacts that can be trusted."""
