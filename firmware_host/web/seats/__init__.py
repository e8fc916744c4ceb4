"""Control who may play from a page: tokens, links and sessions."""
