"""Sockets, hosts and limits of the pages' server, below anything that is shown."""
