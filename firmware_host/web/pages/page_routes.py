"""Define which address leads to which page, as an ASGI application."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.system.language import gettext, in_language
from firmware_host.system.printable import printable
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.websocket_session import ServedTable
from firmware_host.web.pages.page_language import page_language
from firmware_host.web.pages.static_files import STATIC, CompressedFiles, page_answer, page_route, text_answer
from firmware_host.web.seats.handset_token import HandsetToken
from firmware_host.web.seats.seat_requests import detective_link_route, seat_routes
from firmware_host.web.seats.sessions import Sessions
from firmware_host.web.transport import host_names
from firmware_host.web.transport.host_names import AllowedHosts, host_name
from firmware_host.web.transport.listening_sockets import ListeningSockets
from firmware_host.web.transport.security_headers import DRAWING_POLICY, HEADERS, INSTALL_POLICY, OPENER_POLICY

_NAME = re.compile(r"[a-z0-9_.-]{1,253}")

WEBSOCKET = "/ws"
"""The path at which pages open their WebSocket."""


_FILES = CompressedFiles(STATIC)
"""The static files. All servers of a process share them, so that each file is joined and compressed only once."""


async def _worker(_: Request) -> Response:
    return FileResponse(STATIC / "service_worker.js")  # at the root, so that it may answer for all pages


def application(
    hosts: AllowedHosts,
    token: HandsetToken,
    boards: BoardCache,
    sessions: Sessions,
    table: ServedTable,
    routes: Sequence[BaseRoute],
    sockets: ListeningSockets,
) -> ASGIApp:
    """Return the application that serves the pages of one table.

    Args:
        hosts: knows which requests to answer.
        token: opens the handset.
        boards: keeps the drawings of boards.
        sessions: takes the WebSockets.
        table: knows which kinds of pages there are.
        routes: further routes.
        sockets: the sockets of the pages' server.
    """

    def page(path: str, name: str, kind: str) -> Route:
        async def show(_: Request) -> Response:
            if kind not in table.pages:
                return RedirectResponse("/spectate")
            return page_answer(name)

        return Route(path, show)

    async def drawing(request: Request) -> Response:
        document = boards.get(request.path_params["name"])
        if document is None:
            return PlainTextResponse("There is no such drawing; load the page again", 404)
        headers = {"content-security-policy": DRAWING_POLICY, "cache-control": "max-age=86400, immutable"}
        return await text_answer(request, document.encode(), "image/svg+xml", headers)

    return _InItsLanguage(
        _Headers(
            Starlette(
                routes=[
                    Mount("/static", _FILES),  # first, because most requests are for these
                    page("/", "table.html", "table"),
                    page("/handset", "handset.html", "table"),  # its keys are those of a simulated table
                    page("/seat", "mr_x_map.html", "handset"),
                    page("/detective", "detective.html", "detective"),
                    page("/spectate", "spectate.html", "spectator"),
                    page("/owner", "owner.html", "owner"),
                    page_route("/install", "install.html", INSTALL_POLICY),
                    Route("/service_worker.js", _worker),
                    page_route("/offline", "offline.html"),
                    Route("/boards/{name}.svg", drawing),
                    *seat_routes(hosts, token, sessions, sockets, simulated="table" in table.pages),
                    detective_link_route(sockets, simulated="table" in table.pages),
                    WebSocketRoute(WEBSOCKET, sessions.welcome),
                    *routes,
                ],
                exception_handlers={404: _explain_refusal, 405: _explain_refusal},
            ),
            hosts,
        )
    )


async def _explain_refusal(request: Request, error: Exception) -> Response:
    """Answer a request for an unknown address, or by a wrong method, in words.

    The address is not repeated, because it may contain a secret.
    """
    status = error.status_code if isinstance(error, HTTPException) else 404
    headers = error.headers if isinstance(error, HTTPException) else None
    if status == 405:
        allowed = " or ".join(word for word in (headers or {}).get("Allow", "").split(", ") if word != "HEAD")
        said = f"{printable(request.method[:20])} is not possible at this address; use {allowed}"
    else:
        said = "This table has nothing at this address; its first page is at /"
    return PlainTextResponse(said, status, headers=headers)


def metrics_route(metrics: Callable[[], bytes]) -> Route:
    """Return the route to a table's metrics, which are in Prometheus's text format."""

    async def show(_: Request) -> Response:
        return Response(metrics(), media_type="text/plain; version=0.0.4", headers={"cache-control": "no-store"})

    return Route("/metrics", show)


class _InItsLanguage:
    """An ASGI layer that answers each request and WebSocket in its page's language."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        with in_language(page_language(Headers(scope=scope), scope["query_string"])):
            await self._app(scope, receive, send)


class _Headers:
    """An ASGI layer that answers only requests to this table's host names, and adds security headers."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts) -> None:
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        trusts = any(name == b"sec-fetch-mode" for name, _ in scope["headers"])
        headers = HEADERS | OPENER_POLICY if trusts else HEADERS

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((n.encode(), v.encode()) for n, v in headers.items() if n.encode() not in given),
                ]
            await send(message)

        named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(named) != 1 or not self._hosts.knows_host(named[0]):
            await PlainTextResponse(_not_our_name(named, scope), 421)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)


def _not_our_name(named: Sequence[str], scope: Scope) -> str:
    """Return the answer to a request to an unknown host name: how to open the table by its address.

    The text reveals none of the table's host names, because a foreign page may have sent the request.
    """
    host, port = scope["server"]
    address = host_names.url(host, port)
    name = host_name(named[0]) if len(named) == 1 else ""
    if not _NAME.fullmatch(name):
        return gettext("This table does not answer to that name. Open {address}", address=address)
    return gettext(
        "This table does not answer to the name {name}. Open {address}, or write {line} in the section [web] of its "
        "configuration",
        name=name,
        address=address,
        line='names = ["' + name + '"]',
    )
