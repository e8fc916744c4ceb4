"""Answer pages' requests for seats.

A page gets Mister X's seat by a token, because it is free, or by an invitation from its holder. The detectives' seats
are open to everyone who can open their page, and everyone can ask for its address. A person at a simulated table's own
machine may open the pages to phones.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Annotated, TypeVar

from msgspec import DecodeError, Meta, Struct
from msgspec import json as msgjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.system.language import gettext, gettext_noop, reason_of, say
from firmware_host.web.seats.handset_token import LASTS, HandsetToken, TooManyTries
from firmware_host.web.seats.qr_modules import qr_modules
from firmware_host.web.seats.sessions import NO_SEAT, OUTSIDE, Sessions, is_from_home
from firmware_host.web.transport import host_names
from firmware_host.web.transport.host_names import AllowedHosts, host_name
from firmware_host.web.transport.listening_sockets import CannotServe, ListeningSockets

LONGEST_BODY = 512
"""Maximum size in bytes of the body of a request for a seat. Only the owner's requests have longer ones."""

TAKEN = gettext_noop(
    "Mister X's screen is open already, or a computer plays him; “Play on a phone” there gives it to another, and so "
    "does Enter in the table's terminal"
)
"""The answer to a request for a seat that is not free."""

SECRET_ANSWER = {"cache-control": "no-store"}
"""The headers of an answer that browsers must not store."""

_OF_PROXIES = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
"""The headers in which proxies name their client."""

Nonce = Annotated[str, Meta(min_length=22, max_length=64)]


class _Token(Struct, forbid_unknown_fields=True):
    token: str
    nonce: Nonce


class _SeatAsked(Struct, forbid_unknown_fields=True):
    nonce: Nonce


class _Invitation(Struct, forbid_unknown_fields=True):
    session: Annotated[str, Meta(max_length=64)]


AskedBody = TypeVar("AskedBody", bound=Struct)
_Answer = Callable[[Request], Awaitable[Response]]


class RequestRefused(Exception):
    """The error that a request is refused. Its status, headers and reason are sent as the answer."""

    def __init__(self, why: str, status: int, headers: dict[str, str] | None = None) -> None:
        super().__init__(why)
        self.status, self.headers = status, headers or {}


def seat_routes(
    hosts: AllowedHosts, token: HandsetToken, sessions: Sessions, sockets: ListeningSockets, *, simulated: bool
) -> list[Route]:
    """Return the routes by which a page gets Mister X's seat, and by which phones are let in.

    Args:
        hosts: knows which pages are this table's own.
        token: opens the handset.
        sessions: closes the page that has lost the seat.
        sockets: the sockets of the pages' server.
        simulated: whether the table is simulated. If so, a page may take a free seat without a token (see
            `HandsetToken.take_seat`), and a page on this machine may let phones in.
    """

    def route(path: str, answer: _Answer) -> Route:
        async def answered(request: Request) -> Response:
            try:
                check_origin(request, hosts)
                return await answer(request)
            except RequestRefused as error:
                return JSONResponse({"error": str(error)}, error.status, headers={**SECRET_ANSWER, **error.headers})
            finally:
                sessions.check()

        return Route(path, answered, methods=["POST"])

    async def session(request: Request) -> Response:
        return await _session(request, token)

    async def seat(request: Request) -> Response:
        return await _seat(request, token, page_closed=sessions.handset_left)

    async def invitation(request: Request) -> Response:
        return await _invitation(request, token, sockets, simulated=simulated)

    async def network(request: Request) -> Response:
        return _open_to_network(request, sockets)

    routes = [route("/handset/session", session), route("/handset/invitation", invitation)]
    return [*routes, route("/handset/seat", seat), route("/network", network)] if simulated else routes


def check_origin(request: Request, hosts: AllowedHosts) -> None:
    """Check that one of this table's own pages makes the request.

    Raises:
        RequestRefused: another page makes it.
    """
    if not hosts.knows_origin(request.headers.get("origin"), request.headers.get("host")):
        raise RequestRefused(gettext("This page does not belong to the table; open the table's own page"), 403)


async def _session(request: Request, token: HandsetToken) -> Response:
    """Answer a request that sends a token for Mister X's handset with a session."""
    if not is_from_home(request):
        raise RequestRefused(gettext(OUTSIDE), 403)
    asked = await read_body(request, _Token, "a token's message", "{token: …, nonce: …}")
    try:
        opened = token.exchange(asked.token, asked.nonce)
    except TooManyTries as error:
        wait = ceil(error.wait)
        why = gettext("{why} (too many were wrong; wait {seconds} s)", why=_wrong(token), seconds=wait)
        raise RequestRefused(why, 429, {"retry-after": str(wait)}) from None
    if opened is None:
        raise RequestRefused(_wrong(token), 403)
    return JSONResponse({"session": opened}, headers=SECRET_ANSWER)


def _wrong(token: HandsetToken) -> str:
    """Return the text that says that a token is wrong."""
    return gettext(token.terms.wrong, minutes=round(LASTS / 60))


async def _seat(request: Request, token: HandsetToken, *, page_closed: bool) -> Response:
    """Give Mister X's seat to a page if it is free, or if the page that had it on this machine was closed."""
    if not is_from_home(request):
        raise RequestRefused(gettext(OUTSIDE), 403)
    asked = await read_body(request, _SeatAsked, "a seat's message", "{nonce: …}")
    here = _is_from_here(request)
    taken = token.take_seat(asked.nonce, here=here, page_closed=page_closed)
    if taken is None and not here:
        why = gettext("From another machine Mister X's screen opens by the code in the table's terminal")
        raise RequestRefused(why, 403)
    if taken is None:
        raise RequestRefused(gettext(TAKEN), 409)
    return JSONResponse({"session": taken}, headers=SECRET_ANSWER)


def _open_to_network(request: Request, sockets: ListeningSockets) -> Response:
    """Make the pages available in the local network, if a page on this machine asks for it."""
    if not _is_from_here(request):
        raise RequestRefused(gettext("Only a page on the table's own machine can let phones in"), 403)
    try:
        sockets.open_to_network()
    except CannotServe as error:
        raise RequestRefused(say(reason_of(error)), 409) from None
    return JSONResponse({}, headers=SECRET_ANSWER)


def _is_from_here(request: Request) -> bool:
    """Return whether a request comes from this machine, and not through a proxy on it.

    A proxy is recognised by the host name in the request, and by its headers about the client; a client may forge the
    name.
    """
    if request.client is None or any(header in request.headers for header in _OF_PROXIES):
        return False
    named = host_name(request.headers.get("host")).strip("[]")
    return host_names.is_loopback(request.client.host) and host_names.is_loopback(named)


async def _invitation(request: Request, token: HandsetToken, sockets: ListeningSockets, *, simulated: bool) -> Response:
    """Give the page with Mister X's seat a link by which a page on another screen can take over the seat."""
    asked = await read_body(request, _Invitation, "an invitation's message", "{session: …}")
    invitation = token.invite(asked.session)
    if invitation is None:
        raise RequestRefused(gettext(NO_SEAT), 403)
    return JSONResponse(_with_code(sockets, f"seat#{invitation}", simulated=simulated), headers=SECRET_ANSWER)


def detective_link_route(sockets: ListeningSockets, *, simulated: bool) -> Route:
    """Return the route whose answer is the address of the page for detectives' phones.

    Args:
        sockets: the sockets of the pages' server.
        simulated: whether the table is simulated.
    """

    async def show_link(_: Request) -> Response:
        return JSONResponse(_with_code(sockets, "detective", simulated=simulated))

    return Route("/detective/link", show_link)


def _with_code(sockets: ListeningSockets, page: str, *, simulated: bool) -> dict[str, object]:
    """Return a page's link with its QR code.

    The result also says whether only this machine can open the link, and whether a user can open it to the network.
    """
    link, alone = f"{sockets.address}{page}", sockets.is_alone
    return {"link": link, "code": qr_modules(link), "here": alone, "opens": alone and simulated}


async def read_body(
    request: Request, kind: type[AskedBody], name: str, form: str, longest: int = LONGEST_BODY
) -> AskedBody:
    """Read a request's body and decode its JSON.

    Args:
        request: the request.
        kind: the type to decode to.
        name: what the request is called in errors.
        form: the expected JSON, as errors show it.
        longest: the largest allowed body, in bytes.

    Raises:
        RequestRefused: the request is too long or of another kind.
    """
    return decode_body(await read_bytes(request, name, longest), kind, form)


def decode_body(body: bytes, kind: type[AskedBody], form: str) -> AskedBody:
    """Decode the JSON of a request's body. See `read_body`.

    Raises:
        RequestRefused: the body is not JSON of this type.
    """
    try:
        return msgjson.decode(body, type=kind)
    except (DecodeError, UnicodeError):
        raise RequestRefused(f"the request must be JSON as in {form}, without other fields", 400) from None


async def read_bytes(request: Request, name: str, longest: int) -> bytes:
    """Return the body of a request.

    Raises:
        RequestRefused: the body has more than `longest` bytes.
    """
    body = bytearray()
    with contextlib.suppress(ClientDisconnect):
        async for part in request.stream():
            body += part
            if len(body) > longest:
                raise RequestRefused(f"{name} is too long; it may have {longest:,} bytes", 413)
    return bytes(body)
