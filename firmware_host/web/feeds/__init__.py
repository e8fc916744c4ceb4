"""The messages for pages, and the orders that pages send back."""
