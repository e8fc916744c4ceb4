"""Listen for browsers at one address, and in the local network once a person asks for it."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import socket
from collections.abc import Callable, Coroutine

from firmware_host.system.event_log import log_fields
from firmware_host.system.language import gettext_noop, translatable
from firmware_host.web.transport import host_names

log = logging.getLogger(__name__)

WAITING = 128
"""Connections that may wait to be accepted. In a rush clients then wait, which spares the table."""

UNSENT = 32 * 1024
"""Bytes that the system may buffer for a page that does not read.

Newer data waits where a newer message can still replace it.
"""

_WHY = {
    errno.EADDRINUSE: "another program has taken it",
    errno.EADDRNOTAVAIL: "this machine does not have this address",
    errno.EACCES: "only root may listen on a port below 1024",
    socket.EAI_NONAME: "there is no such address",
    errno.EAFNOSUPPORT: "there is no network of that kind; the service gets it from: yardboard setup",
}

_NO_NETWORK = gettext_noop("This machine is in no network that a phone could share with it")
_TOO_WIDE = gettext_noop(
    "This machine's address, {host}, is open to the whole internet. If you want that, start the table with --host"
)
_TAKEN = gettext_noop(
    "Port {port} at {host} is taken by another program. Close that, or start the table with another --port"
)

Accept = Callable[[socket.socket], Coroutine[None, None, None]]
"""A function that accepts connections at a non-blocking listening socket for ever."""


class CannotServe(OSError):
    """The error that the pages cannot be served, for example because another program uses the port."""


class ListeningSockets:
    """The sockets on which a server listens, all with the same port.

    Args:
        host: the address to listen on; with the loopback address only this machine can open the pages.
        port: the port; 0 for any free one.

    Attributes:
        port: the port in use.

    Raises:
        CannotServe: the server cannot listen at this address.
    """

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._sockets = [_listening(host, port)]
        self.port: int = self._sockets[0].getsockname()[1]
        self._network = ""
        self._begin: Callable[[socket.socket], object] | None = None

    @property
    def url(self) -> str:
        """The address of the pages for a browser on this machine."""
        return host_names.url(host_names.here(self._host), self.port)

    @property
    def address(self) -> str:
        """The address of the pages for every machine that can reach them."""
        return host_names.url(self._network or host_names.reachable(self._host), self.port)

    @property
    def is_alone(self) -> bool:
        """Whether only this machine can reach the pages."""
        return not self._network and host_names.is_loopback(host_names.reachable(self._host))

    def open_to_network(self) -> None:
        """Listen in the local network, too. A second call does nothing.

        Only the server's thread may call this.

        Raises:
            CannotServe: there is no network, this machine's address in it is public, or another program uses the port
                there.
        """
        if not self.is_alone:
            return
        host = host_names.reachable(host_names.EVERYWHERE[0])
        if host == host_names.here(host_names.EVERYWHERE[0]):
            raise CannotServe(translatable(_NO_NETWORK))
        if ipaddress.ip_address(host).is_global:
            raise CannotServe(translatable(_TOO_WIDE, host=host))
        try:
            self._sockets.append(_listening(host, self.port))
        except CannotServe:
            raise CannotServe(translatable(_TAKEN, host=host, port=self.port)) from None
        self._network = host
        log.info("The table is open to the network at %s", self.address, extra=log_fields("pages", url=self.address))
        if self._begin is not None:
            self._begin(self._sockets[-1])

    async def serve(self, accept: Accept) -> None:
        """Accept connections on all sockets, including those opened later, until this task is cancelled."""
        async with asyncio.TaskGroup() as tasks:

            def begin(listening: socket.socket) -> None:
                listening.setblocking(False)
                tasks.create_task(accept(listening))

            for listening in self._sockets:
                begin(listening)
            self._begin = begin

    def close(self) -> None:
        """Close all sockets. This may be called twice."""
        for listening in self._sockets:
            listening.close()


def _listening(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise CannotServe(f"web: cannot listen on port {port}: a port is a number from 0 to 65535")
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listening = socket.create_server((host, port), family=family, backlog=WAITING, reuse_port=False)
    except OSError as error:
        why = _WHY.get(error.errno or 0) or str(error.strerror).partition(" (")[0]
        raise CannotServe(f"web: cannot listen on {host}, port {port}: {why}") from None
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT)
    # Or a message may wait 40 ms for the page to acknowledge the previous one. Accepted sockets inherit it;
    # asyncio sets it only for sockets that name their protocol.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
