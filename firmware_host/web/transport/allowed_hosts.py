"""Tell the hosts and origins that are answered: this machine's own."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

_PORTS = {"http": 80, "https": 443}
"""The schemes of pages, each with the port that browsers leave out."""


class AllowedHosts:
    """Knows this server's own hosts and origins. Every method may be called from any thread.

    The port does not matter: a tunnel or a proxy has another one than the server.

    Args:
        names: this machine's names, besides its addresses.
        listed: further names, which the configuration lists; a proxy may serve the pages under them by https.
    """

    def __init__(self, names: Iterable[str], listed: Iterable[str] = ()) -> None:
        self._listed = frozenset(name.lower() for name in listed)
        self._names = self._listed | {name.lower() for name in names}

    def knows_host(self, host: str | None) -> bool:
        """Return whether a request names this server.

        A foreign page can point its own name at our address, and then counts for the browser as the same origin as
        ours. So names are answered only if they are known to be ours; addresses cannot be taken over like that.

        Args:
            host: the request's header `Host`, or None.
        """
        name = host_name(host)
        return name in self._names or name.endswith(".localhost") or _is_address(name)

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a request was made by one of this server's own pages: by the same name, at the same port.

        Args:
            origin: its header `Origin`, or None.
            host: its header `Host`, or None.
        """
        scheme, _, where = (origin or "").partition("://")
        port = _PORTS.get(scheme.lower())
        if port is None or not self.knows_host(host):
            return False
        page = _split_host(where, port)
        return page == _split_host(host or "", port) and (scheme.lower() == "http" or page[0] in self._listed)


def host_name(host: str | None) -> str:
    """Return the name or address in a header `Host`, without the port and the dot at its end; "" if it is malformed."""
    return _split_host(host or "", _PORTS["http"])[0]


def _split_host(host: str, usual: int) -> tuple[str, int]:
    """Return the name and the port in a header, `usual` where it names none; ("", 0) if it is malformed."""
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name, port = host, str(usual)
    if ":" in name and not (name.startswith("[") and name.endswith("]")):
        return "", 0
    if not (port.isascii() and port.isdigit() and len(port) <= 5):
        return "", 0
    return name.lower().removesuffix("."), int(port)


def _is_address(name: str) -> bool:
    try:
        if name.startswith("["):
            ipaddress.IPv6Address(name[1:-1])
        else:
            ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True
