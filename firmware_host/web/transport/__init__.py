"""The sockets, host names and limits of the pages' server."""
