"""The sockets, host names and limits of the pages' server, whatever it serves."""
