"""Serve the pages and their files as an ASGI application; every answer carries the same strict headers."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from math import ceil
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import DecodeError, Meta, Struct
from msgspec import json as msgjson
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.system.language import gettext, gettext_noop, in_language
from firmware_host.web import host_names
from firmware_host.web.allowed_hosts import AllowedHosts
from firmware_host.web.board_cache import BoardCache
from firmware_host.web.handset_token import LASTS, HandsetToken
from firmware_host.web.page_language import page_language
from firmware_host.web.qr_modules import qr_modules
from firmware_host.web.sessions import OUTSIDE, Sessions, is_from_home
from firmware_host.web.static_files import STATIC, CompressedFiles, page_answer
from firmware_host.web.websocket_session import ServedTable
from firmware_host.web.wrong_token_limit import TooManyTries

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
INSTALL_POLICY = POLICY.replace("trusted-types 'none'", "trusted-types service-worker; manifest-src 'self'")
"""The policy for the one page that starts the service worker: it may name a script's address, and have a manifest."""

DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy for a drawing: it contains its own styles, and nothing else is allowed."""

HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), serial=(), usb=()",
    "cache-control": "no-cache",
}

LONGEST_BODY = 512
"""Bytes that the body of a request may have; only one request has a body."""

WEBSOCKET = "/ws"
"""The path at which pages open their WebSocket."""

TAKEN = gettext_noop(
    "Mister X's screen is open already, or a computer plays him; Enter in the table's terminal gives it to another"
)
"""The answer to whoever wants to take a seat that is not free."""

Nonce = Annotated[str, Meta(min_length=22, max_length=64)]


class _Token(Struct, forbid_unknown_fields=True):
    token: str
    nonce: Nonce


class _Seat(Struct, forbid_unknown_fields=True):
    nonce: Nonce


class _Invitation(Struct, forbid_unknown_fields=True):
    session: Annotated[str, Meta(max_length=64)]


async def _install(_: Request) -> Response:
    return page_answer("install.html", {"cache-control": "no-store", "content-security-policy": INSTALL_POLICY})


async def _away(_: Request) -> Response:
    return page_answer("away.html", {"cache-control": "no-store"})


async def _worker(_: Request) -> Response:
    return FileResponse(STATIC / "service_worker.js")  # from the root, for only so may it answer for all pages


def application(
    hosts: AllowedHosts,
    token: HandsetToken,
    boards: BoardCache,
    sessions: Sessions,
    table: ServedTable,
    routes: Sequence[BaseRoute] = (),
    address: str = "",
) -> ASGIApp:
    """Build the application that serves the pages of one table.

    Args:
        hosts: tells which requests are answered.
        token: opens the handset.
        boards: the drawings of boards.
        sessions: takes the WebSockets.
        table: says which pages there are.
        routes: further routes to answer.
        address: the address of the pages for all who can reach them.
    """

    def page(path: str, name: str, kind: str) -> Route:
        async def show(_: Request) -> Response:
            if kind not in table.pages:
                return RedirectResponse("/spectate")
            return page_answer(name, {"cache-control": "no-store"})

        return Route(path, show)

    async def drawing(request: Request) -> Response:
        document = boards.get(request.path_params["name"])
        if document is None:
            return PlainTextResponse("there is no such drawing", 404)
        headers = {"content-security-policy": DRAWING_POLICY, "cache-control": "max-age=86400, immutable"}
        return Response(document, media_type="image/svg+xml", headers=headers)

    async def session(request: Request) -> Response:
        answer = await _session(request, hosts, token)
        sessions.check()
        return answer

    async def seat(request: Request) -> Response:
        answer = await _seat(request, hosts, token)
        sessions.check()
        return answer

    async def invitation(request: Request) -> Response:
        return await _invitation(request, hosts, token, address)

    return _InItsLanguage(
        _Headers(
            Starlette(
                routes=[
                    page("/", "table.html", "table"),
                    page("/handset", "handset.html", "table"),  # its keys are those of a simulated table
                    page("/seat", "seat.html", "handset"),
                    page("/spectate", "spectate.html", "spectator"),
                    Route("/install", _install),
                    Route("/service_worker.js", _worker),
                    Route("/away", _away),
                    Route("/boards/{name}.svg", drawing),
                    Route("/handset/session", session, methods=["POST"]),
                    Route("/handset/invitation", invitation, methods=["POST"]),
                    *([Route("/handset/seat", seat, methods=["POST"])] if "table" in table.pages else []),
                    WebSocketRoute(WEBSOCKET, sessions.welcome),
                    *routes,
                    Mount("/static", CompressedFiles(STATIC)),
                ]
            ),
            hosts,
        )
    )


async def _session(request: Request, hosts: AllowedHosts, token: HandsetToken) -> Response:
    """Exchange a token for a session: the only way to open the handset from another machine."""
    if not hosts.knows_origin(request.headers.get("origin"), request.headers.get("host")):
        return _refusal(gettext("This page does not belong to the table"), 403)
    if not is_from_home(request):
        return _refusal(gettext(OUTSIDE), 403)
    body = await _body(request)
    if body is None:
        return _refusal(f"a token's message has at most {LONGEST_BODY} bytes", 413)
    try:
        said = msgjson.decode(body, type=_Token)
    except (DecodeError, UnicodeError):
        return _refusal("say {token: …, nonce: …} and nothing else", 400)
    try:
        opened = token.exchange(said.token, said.nonce)
    except TooManyTries as error:
        wait = ceil(error.wait)
        why = gettext("{why} (too many were wrong; wait {seconds} s)", why=_wrong(token), seconds=wait)
        return _refusal(why, 429, {"retry-after": str(wait)})
    if opened is None:
        return _refusal(_wrong(token), 403)
    return JSONResponse({"session": opened}, headers={"cache-control": "no-store"})


def _wrong(token: HandsetToken) -> str:
    """Return the answer to a token that opens nothing."""
    return gettext(token.terms.wrong, minutes=f"{LASTS / 60:.0f}")


async def _seat(request: Request, hosts: AllowedHosts, token: HandsetToken) -> Response:
    """Give Mister X's seat to a page on this machine, if nobody has it."""
    if not hosts.knows_origin(request.headers.get("origin"), request.headers.get("host")):
        return _refusal(gettext("This page does not belong to the table"), 403)
    if request.client is None or not host_names.is_loopback(request.client.host):
        return _refusal(
            gettext("From another machine Mister X's screen opens by the code in the table's terminal"), 403
        )
    body = await _body(request)
    if body is None:
        return _refusal(f"a seat's message has at most {LONGEST_BODY} bytes", 413)
    try:
        said = msgjson.decode(body, type=_Seat)
    except (DecodeError, UnicodeError):
        return _refusal("say {nonce: …} and nothing else", 400)
    taken = token.take_seat(said.nonce)
    if taken is None:
        return _refusal(gettext(TAKEN), 409)
    return JSONResponse({"session": taken}, headers={"cache-control": "no-store"})


async def _invitation(request: Request, hosts: AllowedHosts, token: HandsetToken, address: str) -> Response:
    """Give whoever has Mister X's seat a link, with which another screen takes it over."""
    if not hosts.knows_origin(request.headers.get("origin"), request.headers.get("host")):
        return _refusal(gettext("This page does not belong to the table"), 403)
    body = await _body(request)
    if body is None:
        return _refusal(f"an invitation's message has at most {LONGEST_BODY} bytes", 413)
    try:
        said = msgjson.decode(body, type=_Invitation)
    except (DecodeError, UnicodeError):
        return _refusal("say {session: …} and nothing else", 400)
    invitation = token.invite(said.session)
    if invitation is None:
        return _refusal(gettext("This page has not, or no longer, Mister X's seat"), 403)
    link = f"{address}seat#{invitation}"
    told = {"link": link, "code": qr_modules(link), "here": host_names.is_loopback(urlsplit(address).hostname or "")}
    return JSONResponse(told, headers={"cache-control": "no-store"})


async def _body(request: Request) -> bytes | None:
    """Return the body of a request; None as soon as it is too long."""
    body = b""
    with contextlib.suppress(ClientDisconnect):
        async for part in request.stream():
            body += part
            if len(body) > LONGEST_BODY:
                return None
    return body


def _refusal(why: str, status: int, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": why}, status, headers={"cache-control": "no-store", **(headers or {})})


class _InItsLanguage:
    """Answers every request, and serves every WebSocket, in the language of the page that it comes from."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        with in_language(page_language(Headers(scope=scope), scope["query_string"])):
            await self._app(scope, receive, send)


class _Headers:
    """Answers only requests to this table's own names, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in given),
                ]
            await send(message)

        named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(named) != 1 or not self._hosts.knows_host(named[0]):
            await PlainTextResponse(gettext("this table does not go by that name"), 421)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)
