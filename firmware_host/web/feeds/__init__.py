"""The messages that the table sends to pages, and the orders that pages send back."""
