"""Names and addresses: what this machine is called, and where a phone finds it."""

from __future__ import annotations

import ipaddress
import socket

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
"""What a server listens on that is to be reached at all addresses of its machine."""

_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that belong to nobody, kept for documentation: the way to them is the way out of this machine."""


def own_names(host: str) -> set[str]:
    """What a browser may call this machine besides its addresses, if the server listens on `host`."""
    name = socket.gethostname()
    short = name.partition(".")[0]
    return {host, "localhost", name, short, f"{short}.local"}


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
