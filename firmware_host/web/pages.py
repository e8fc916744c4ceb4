"""The pages and what they are made of, as an ASGI application; every answer carries the same strict headers."""

from __future__ import annotations

from pathlib import Path

from msgspec import DecodeError, Struct
from msgspec import json as msgjson
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from firmware_host.web.boards import Boards
from firmware_host.web.door import COOKIE, Door, TooManyTries
from firmware_host.web.visitors import Table, Visitors

STATIC = Path(__file__).resolve().parent / "static"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DRAWING_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Of a drawing: it brings its own looks, and nothing else."""

HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}


class _Token(Struct, forbid_unknown_fields=True):
    token: str


def application(door: Door, boards: Boards, visitors: Visitors, table: Table) -> ASGIApp:
    """The pages of one table."""

    def page(name: str, kind: str) -> Route:
        async def show(_: Request) -> Response:
            if kind not in table.pages:
                return RedirectResponse("/spectate")
            return FileResponse(STATIC / name, headers={"cache-control": "no-store"})

        return Route(f"/{'' if kind == 'table' else name.removesuffix('.html')}", show)

    async def drawing(request: Request) -> Response:
        document = boards.get(request.path_params["name"])
        if document is None:
            return PlainTextResponse("there is no such drawing", 404)
        headers = {"content-security-policy": DRAWING_POLICY, "cache-control": "max-age=86400, immutable"}
        return Response(document, media_type="image/svg+xml", headers=headers)

    async def session(request: Request) -> Response:
        return await _session(request, door)

    return _Headers(
        Starlette(
            routes=[
                page("table.html", "table"),
                page("handset.html", "handset"),
                page("spectate.html", "spectator"),
                Route("/boards/{name}.svg", drawing),
                Route("/handset/session", session, methods=["POST"]),
                WebSocketRoute("/ws", visitors.welcome),
                Mount("/static", StaticFiles(directory=STATIC)),
            ]
        ),
        door,
    )


async def _session(request: Request, door: Door) -> Response:
    """A token is changed for a session: the only way in for the handset."""
    if not door.knows_origin(request.headers.get("origin"), request.headers.get("host")):
        return JSONResponse({"error": "this page does not belong to the table"}, 403)
    body = await request.body()
    try:
        token = msgjson.decode(body[:512], type=_Token).token
        opened = door.exchange(token)
    except (DecodeError, UnicodeError):
        return JSONResponse({"error": "say {token: …} and nothing else"}, 400)
    except TooManyTries:
        return JSONResponse({"error": "too many wrong tokens; wait a minute"}, 429)
    if opened is None:
        return JSONResponse({"error": "this token is wrong, or was used already"}, 403)
    answer = JSONResponse({})
    answer.set_cookie(COOKIE, opened, httponly=True, samesite="strict", path="/")
    return answer


class _Headers:
    """Answers only to this table's own names, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app, self._door = app, door

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

        host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), None)
        if not self._door.knows_host(host):
            await PlainTextResponse("this table does not go by that name", 421)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)
