"""Tell the hosts and origins that are answered: this machine's own."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

_HTTP = 80
"""The port that browsers leave out."""


class AllowedHosts:
    """Knows this server's own hosts and origins. Every method may be called from any thread.

    Args:
        names: this machine's names, besides its addresses.
        port: the port that the server listens on.
    """

    def __init__(self, names: Iterable[str], port: int) -> None:
        self._names = frozenset(name.lower() for name in names)
        self._port = port

    def knows_host(self, host: str | None) -> bool:
        """Return whether a request names this server.

        A foreign page can point its own name at our address, and then counts for the browser as the same origin as
        ours. So names are answered only if they are known to be ours; addresses cannot be taken over like that.

        Args:
            host: the request's header `Host`, or None.
        """
        name, port = _split_host(host or "")
        return port == self._port and (name in self._names or _is_address(name))

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a request was made by one of this server's own pages.

        Args:
            origin: its header `Origin`, or None.
            host: its header `Host`, or None.
        """
        scheme, _, where = (origin or "").partition("://")
        return scheme.lower() == "http" and self.knows_host(host) and _split_host(where) == _split_host(host or "")


def _split_host(host: str) -> tuple[str, int]:
    """Return the name and the port in a header; ("", 0) if it is malformed."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, str(_HTTP)
    if ":" in name and not (name.startswith("[") and name.endswith("]")):
        return "", 0
    if not (port.isascii() and port.isdigit() and len(port) <= 5):
        return "", 0
    return name.lower(), int(port)


def _is_address(name: str) -> bool:
    try:
        if name.startswith("["):
            ipaddress.IPv6Address(name[1:-1])
        else:
            ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True
