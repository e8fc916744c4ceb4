"""Find this machine's names, and the address at which a phone reaches it."""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
"""Addresses that make a server listen on all addresses of its machine."""

_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation: the route to them is the route out of this machine."""


AT_HOME = (
    "local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain", "fritz.box", "speedport.ip",
)  # fmt: skip
"""Domains that routers give to machines at home. Nobody outside can own such a name: they are reserved for private use
(RFC 6762, RFC 8375, ICANN for .internal) or given to nobody; fritz.box belongs to its maker."""

RESOLVER = Path("/etc/resolv.conf")
"""The file in which this machine keeps its network's name settings."""

_DOMAIN = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}")


def own_names(host: str, resolver: Path = RESOLVER) -> set[str]:
    """Return the names that a browser may use for this machine, besides its addresses, if the server listens on `host`.

    These are its host name alone, as set here, and with the domains of its network.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return {host, "localhost", name, short, *(f"{short}.{end}" for end in (*AT_HOME, *search_domains(resolver)))}


def search_domains(resolver: Path = RESOLVER) -> list[str]:
    """Return the domains in which this machine looks up names, as set by its router or its administrator.

    A domain of a single word is left out unless it is one of `AT_HOME`: anybody could own a name in the others.
    """
    try:
        lines = resolver.read_text(encoding="ascii", errors="replace").lower().splitlines()
    except OSError:  # no such file: there are no domains
        return []
    told = [line.split() for line in lines]
    words = [word.strip(".") for kind, *rest in filter(None, told) if kind in ("search", "domain") for word in rest]
    return [word for word in words if _DOMAIN.fullmatch(word)]


def reachable(host: str) -> str:
    """Return the address at which other machines reach a server that listens on `host`; if none, this machine's own.

    No other machine is asked, and nothing is sent.
    """
    if host not in EVERYWHERE:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_ELSEWHERE[family], 9))  # only chooses a route
            return str(probe.getsockname()[0])
    except OSError:
        return here(host)


def here(host: str) -> str:
    """Return the address at which this machine itself reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - looked up, not bound


def url(host: str, port: int) -> str:
    """Return the address of the pages at a host: a name, or an address of either family."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_at_home(host: str) -> bool:
    """Return whether an address is none of the wide internet's: this machine's own, or one of a private network."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return not (mapped or address).is_global


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine's loopback address or name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
