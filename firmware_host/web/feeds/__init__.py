"""What is sent to pages, and the orders that pages send back."""
