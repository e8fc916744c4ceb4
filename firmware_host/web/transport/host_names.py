"""Find this machine's names and addresses, and decide which hosts and origins get an answer."""

from __future__ import annotations

import fcntl
import ipaddress
import re
import socket
import struct
from collections.abc import Iterable
from pathlib import Path

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound
"""The addresses that make a server listen on all addresses of its machine."""

_ELSEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation. The route to them is the route out of this machine."""


AT_HOME = (
    "local", "lan", "home", "home.arpa", "internal", "intranet", "private", "localdomain", "fritz.box", "speedport.ip",
)  # fmt: skip
"""Domains that routers give to machines at home, which nobody outside can own.

They are reserved for private use (RFC 6762, RFC 8375, ICANN for .internal) or given to nobody; fritz.box belongs to its
maker.
"""

HOME_NETWORKS = tuple(map(ipaddress.ip_network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7")))
"""The private networks of houses (RFC 1918, RFC 4193). `systemd/web.conf` has the same."""

SAME_NAMES = 100
"""The most machines of one name in a network: the second is NAME-2.local, and so on (RFC 6762, 9)."""

RESOLVER = Path("/etc/resolv.conf")
"""The file with this machine's name settings for its network."""

INTERFACES = Path("/sys/class/net")
"""The folder with an entry for each network interface."""

_SIOCGIFADDR = 0x8915  # netdevice(7); the list of all addresses takes a kind of socket that the service may not open

_DOMAIN = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{1,63}")


def own_names(host: str, resolver: Path = RESOLVER) -> set[str]:
    """Return the names by which browsers may open a server that listens on `host`, besides its addresses.

    - `host` itself, and "localhost"
    - the machine's host name, whole and without its domain
    - the host name with each domain in `AT_HOME` and of its network
    - the host name with a number, such as "table-2.local", as networks rename machines of the same name
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    numbered = (f"{short}-{n}.local" for n in range(2, SAME_NAMES + 1))
    domains = (f"{short}.{end}" for end in (*AT_HOME, *search_domains(resolver)))
    return {host, "localhost", name, short, *domains, *numbered}


def search_domains(resolver: Path = RESOLVER) -> list[str]:
    """Return the domains in which this machine looks up names, from the file `resolver`.

    A domain of a single word, such as "com", is left out: anybody could own a name in it.
    """
    try:
        lines = resolver.read_text(encoding="ascii", errors="replace").lower().splitlines()
    except OSError:  # no such file: there are no domains
        return []
    settings = [line.split() for line in lines]
    words = [word.strip(".") for kind, *rest in filter(None, settings) if kind in ("search", "domain") for word in rest]
    return [word for word in words if _DOMAIN.fullmatch(word)]


def reachable(host: str) -> str:
    """Return the address by which other machines reach a server that listens on `host`.

    If the server listens on all addresses, the operating system's route to the internet decides. In a network without a
    gateway, such as a Pi's own hotspot, the result is the address of the first interface with an IPv4 address; without
    any network it is the loopback address. Nothing is sent.
    """
    if host not in EVERYWHERE:
        return host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_ELSEWHERE[family], 9))  # only chooses a route
            return str(probe.getsockname()[0])
    except OSError:
        interfaces = sorted(path.name for path in INTERFACES.glob("*")) if family == socket.AF_INET else []
        addresses = map(_address_of, interfaces)
        return next((found for found in addresses if found and not is_loopback(found)), here(host))


def _address_of(interface: str) -> str:
    """Return the IPv4 address of a network interface, or "" if it has none or is off."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            answer = fcntl.ioctl(asked, _SIOCGIFADDR, struct.pack("40s", interface.encode()))
        except OSError:
            return ""
    return socket.inet_ntoa(answer[20:24])


def here(host: str) -> str:
    """Return the address by which this machine itself reaches a server that listens on `host`."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - looked up, not bound


def url(host: str, port: int) -> str:
    """Return the URL of the pages at a host, which is a name or an IPv4 or IPv6 address."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def is_at_home(host: str, here: str) -> bool:
    """Return whether a client is in the home network: this machine, a private address, or the same link.

    Args:
        host: the client's address.
        here: this machine's address that the client used. At home IPv6 gives every machine an internet address, all
            with the same first 64 bits on one link (RFC 4291, 2.5.4).
    """
    try:
        address, own = _address(host), _address(here)
    except ValueError:
        return False
    if address.version == own.version == 6 and own.is_global and _link(address) == _link(own):
        return True
    private = any(address in network for network in HOME_NETWORKS if network.version == address.version)
    return private or address.is_loopback or address.is_link_local


def _link(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> int:
    """Return the part of an IPv6 address that is the same for all machines on a link."""
    return int(address) >> 64


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    address = ipaddress.ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def is_loopback(host: str) -> bool:
    """Return whether a host is a loopback address or name."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


_PORTS = {"http": 80, "https": 443}
"""The schemes of pages, each with the port that browsers omit."""


class AllowedHosts:
    """The host names and origins whose requests this server answers. Any thread may call every method.

    The port of a host does not matter, because a tunnel or a proxy has another port than the server.

    Args:
        names: this machine's names, besides its addresses.
        listed: further names from the configuration; a proxy may serve the pages under them by https.
    """

    def __init__(self, names: Iterable[str], listed: Iterable[str] = ()) -> None:
        self._listed = frozenset(name.lower() for name in listed)
        self._names = self._listed | {name.lower() for name in names}

    def knows_host(self, host: str | None) -> bool:
        """Return whether a request's host is a name of this server, or any address.

        A foreign page can point its own name at our address, and then the browser treats it as the same origin. So only
        known names are answered. A foreign page cannot do this with an address.

        Args:
            host: the request's header `Host`, or None.
        """
        name = host_name(host)
        return name in self._names or name.endswith(".localhost") or _is_address(name)

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a request comes from one of this server's own pages: same name, same port.

        Args:
            origin: the request's header `Origin`, or None.
            host: the request's header `Host`, or None.
        """
        scheme, _, where = (origin or "").partition("://")
        port = _PORTS.get(scheme.lower())
        if port is None or not self.knows_host(host):
            return False
        page = _split_host(where, port)
        return page == _split_host(host or "", port) and (scheme.lower() == "http" or page[0] in self._listed)


def host_name(host: str | None) -> str:
    """Return the host in a header `Host`, without port and final dot. "" if the header is malformed."""
    return _split_host(host or "", _PORTS["http"])[0]


def _split_host(host: str, usual: int) -> tuple[str, int]:
    """Return host and port in a header (`usual` without a port), or ("", 0) if the header is malformed."""
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
