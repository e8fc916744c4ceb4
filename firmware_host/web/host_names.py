"""Names and addresses: what this machine is called, and where a phone finds it."""

from __future__ import annotations

import ipaddress
import re
import socket
from pathlib import Path

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
"""What a server listens on that is to be reached at all addresses of its machine."""

_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that belong to nobody, kept for documentation: the way to them is the way out of this machine."""


AT_HOME = (
    "local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain", "fritz.box", "speedport.ip",
)  # fmt: skip
"""What routers put after the names of the machines at home. Nobody out there can have a name that ends so: these are
kept for private use (RFC 6762, RFC 8375, ICANN for .internal) or given to nobody; fritz.box is its maker's own."""

RESOLVER = Path("/etc/resolv.conf")
"""Where this machine keeps what its network has told it about names."""

_DOMAIN = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}")


def own_names(host: str, resolver: Path = RESOLVER) -> set[str]:
    """What a browser may call this machine besides its addresses, if the server listens on `host`.

    That is its own name: alone, as it is set here, and with what its network puts after it.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return {host, "localhost", name, short, *(f"{short}.{end}" for end in (*AT_HOME, *search_domains(resolver)))}


def search_domains(resolver: Path = RESOLVER) -> list[str]:
    """The domains in which this machine looks for names, as its router or whoever looks after it has set them.

    One of a single word is left out unless it is one of `AT_HOME`: of the others anybody could have a name.
    """
    try:
        lines = resolver.read_text(encoding="ascii", errors="replace").lower().splitlines()
    except OSError:  # a machine without: it has been told nothing
        return []
    told = [line.split() for line in lines]
    words = [word.strip(".") for kind, *rest in filter(None, told) if kind in ("search", "domain") for word in rest]
    return [word for word in words if _DOMAIN.fullmatch(word)]


def reachable(host: str) -> str:
    """The address at which another machine finds a server that listens on `host`; that of this machine if none does.

    No other machine is asked, and nothing is sent.
    """
    if host not in EVERYWHERE:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((_ELSEWHERE[family], 9))  # this chooses a way, and no more
        except OSError:
            return here(host)
        return str(probe.getsockname()[0])


def here(host: str) -> str:
    """The address at which this machine itself finds a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - looked up, not bound


def url(host: str, port: int) -> str:
    """The address of the pages at a host: a name, or an address of either family."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_loopback(host: str) -> bool:
    """Whether that is an address, or the name, by which a machine calls itself alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
