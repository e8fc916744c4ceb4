"""Answer the requests of the owner's pages, such as logging in, apart from orders about the game.

Every request but the login carries the session in a header, never in its address: addresses end up in histories and
logs. A browser lets no foreign page send that header, and requests of foreign pages are refused besides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from math import ceil
from typing import Annotated, Protocol

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.system.language import gettext, gettext_noop
from firmware_host.system.secret_texts import LONGEST_PASSWORD
from firmware_host.web.seats.handset_token import TooManyTries
from firmware_host.web.seats.owner_access import CODE_LASTS, OwnerAccess
from firmware_host.web.seats.seat_requests import SECRET_ANSWER, RequestRefused, check_origin, read_body
from firmware_host.web.seats.sessions import LOGGED_OUT, OWNER_OUTSIDE, is_from_home
from firmware_host.web.transport.host_names import AllowedHosts

WRONG_CODE = gettext_noop(
    "This code is wrong, was used already, is older than {minutes} minutes, or was tried too often; the table's menu "
    "shows a new one"
)
"""The answer to a wrong code."""


class OwnerDesk(Protocol):
    """The interface of what carries out requests of the owner's pages. A thread calls its slow methods."""

    @property
    def access(self) -> OwnerAccess:
        """What decides which pages are the owner's."""


class _Login(Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=16)] = ""
    password: Annotated[str, Meta(max_length=LONGEST_PASSWORD)] = ""


Answer = Callable[[Request], Awaitable[Response]]


def owner_routes(hosts: AllowedHosts, desk: OwnerDesk, check_sessions: Callable[[], None]) -> list[Route]:
    """Return the routes for the owner's pages.

    Args:
        hosts: knows which pages are this table's own.
        desk: carries out the requests.
        check_sessions: closes the pages that have lost their right.
    """

    def route(path: str, answer: Answer, method: str = "POST", *, logged_in: bool = True) -> Route:
        async def answered(request: Request) -> Response:
            try:
                _check_sender(request, hosts)
                if logged_in:
                    _check_session(request, desk.access)
                return await answer(request)
            except RequestRefused as error:
                return JSONResponse({"error": str(error)}, error.status, headers={**SECRET_ANSWER, **error.headers})

        return Route(path, answered, methods=[method])

    async def log_in(request: Request) -> Response:
        session = await _log_in(request, desk.access)
        return JSONResponse({"session": session}, headers=SECRET_ANSWER)

    async def log_out(request: Request) -> Response:
        desk.access.log_out(_session(request))
        check_sessions()
        return JSONResponse({}, headers=SECRET_ANSWER)

    async def ways_in(_: Request) -> Response:
        return JSONResponse({"password": desk.access.has_password}, headers=SECRET_ANSWER)

    return [
        route("/owner/ways-in", ways_in, "GET", logged_in=False),
        route("/owner/session", log_in, logged_in=False),
        route("/owner/leave", log_out),
    ]


def _check_sender(request: Request, hosts: AllowedHosts) -> None:
    """Check that a request comes from a page of this table, in the same house.

    Browsers send no origin with a page's own GET. Such a request changes nothing, and a foreign page cannot read its
    answer.
    """
    if request.method != "GET" or "origin" in request.headers:
        check_origin(request, hosts)
    if not is_from_home(request):
        raise RequestRefused(gettext(OWNER_OUTSIDE), 403)


def _check_session(request: Request, access: OwnerAccess) -> None:
    if not access.is_owner(_session(request)):
        raise RequestRefused(gettext(LOGGED_OUT), 401)


def _session(request: Request) -> str:
    """Return the session in a request's header, or ""."""
    kind, _, session = request.headers.get("authorization", "").partition(" ")
    return session if kind == "Bearer" else ""


async def _log_in(request: Request, access: OwnerAccess) -> str:
    """Return a new session for the code or the password in a request.

    Raises:
        RequestRefused: it is wrong, or there were too many tries.
    """
    asked = await read_body(request, _Login, "a login", "{code: …} or {password: …}", 1024)
    try:
        if asked.password:
            session = await asyncio.to_thread(access.log_in, asked.password)
        else:
            session = access.exchange("".join(asked.code.split()))
    except TooManyTries as error:
        wait = ceil(error.wait)
        why = gettext("Too many passwords were tried; wait {seconds} s", seconds=wait)
        raise RequestRefused(why, 429, {"retry-after": str(wait)}) from None
    if session is not None:
        return session
    if asked.password:
        raise RequestRefused(gettext("This password is wrong"), 403)
    raise RequestRefused(gettext(WRONG_CODE, minutes=round(CODE_LASTS / 60)), 403)
