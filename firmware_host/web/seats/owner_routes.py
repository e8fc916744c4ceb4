"""Answer the requests of the owner's pages, such as logging in, apart from orders about the game.

Every request after the login carries the session in a header, never in its address: addresses end up in histories and
logs. A browser lets no foreign page send that header, and the server refuses requests of foreign pages, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from math import ceil
from typing import Annotated, NamedTuple, Protocol

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.system.language import gettext, gettext_noop
from firmware_host.system.secret_texts import LONGEST_PASSWORD
from firmware_host.web.seats.handset_token import TooManyTries
from firmware_host.web.seats.owner_access import CODE_LASTS, OwnerAccess
from firmware_host.web.seats.seat_requests import (
    LONGEST_BODY,
    SECRET_ANSWER,
    RequestRefused,
    check_origin,
    read_body,
    read_bytes,
)
from firmware_host.web.seats.sessions import LOGGED_OUT, OWNER_OUTSIDE, is_from_home, sender
from firmware_host.web.transport.host_names import AllowedHosts

WRONG_CODE = gettext_noop(
    "This code is wrong, was used already, is older than {minutes} minutes, or was tried too often; the table's menu "
    "shows a new one"
)
"""The answer to a wrong code."""


class OwnerAnswer(NamedTuple):
    """The handler of one kind of request from a logged-in page.

    Attributes:
        method: the HTTP method.
        path: the path, as in a starlette route.
        answer: carries out a request, given its body. It may take long, and raise `RequestRefused`.
        longest: the most bytes of the body.
    """

    method: str
    path: str
    answer: Callable[[Request, bytes], Response]
    longest: int = LONGEST_BODY


class OwnerDesk(Protocol):
    """The interface of the object that carries out the owner's requests."""

    @property
    def access(self) -> OwnerAccess:
        """The object that decides which pages are the owner's."""

    def answers(self) -> Sequence[OwnerAnswer]:
        """Return the handler of each kind of request."""


class _Login(Struct, forbid_unknown_fields=True):
    code: Annotated[str, Meta(max_length=16)] = ""
    password: Annotated[str, Meta(max_length=LONGEST_PASSWORD)] = ""


def owner_routes(hosts: AllowedHosts, desk: OwnerDesk, check_sessions: Callable[[], None]) -> list[Route]:
    """Return the routes for the owner's pages.

    Args:
        hosts: knows which pages are this table's own.
        desk: carries out the requests.
        check_sessions: closes the pages that have lost their right.
    """
    access = desk.access

    def route(
        method: str, path: str, answer: Callable[[Request], Awaitable[Response]], *, logged_in: bool = True
    ) -> Route:
        async def answered(request: Request) -> Response:
            try:
                _check_sender(request, hosts)
                if logged_in:
                    _check_session(request, access)
                return await answer(request)
            except RequestRefused as error:
                return JSONResponse({"error": str(error)}, error.status, headers={**SECRET_ANSWER, **error.headers})

        return Route(path, answered, methods=[method])

    def of_desk(kind: OwnerAnswer) -> Route:
        async def answer(request: Request) -> Response:
            body = await read_bytes(request, "the request", kind.longest)
            return await asyncio.to_thread(kind.answer, request, body)

        return route(kind.method, kind.path, answer)

    async def ways_in(_: Request) -> Response:
        return secret_json({"password": access.has_password})

    async def log_in(request: Request) -> Response:
        return secret_json({"session": await _log_in(request, access)})

    async def log_out(request: Request) -> Response:
        access.log_out(_session(request))
        check_sessions()
        return secret_json({})

    return [
        route("GET", "/owner/ways-in", ways_in, logged_in=False),
        route("POST", "/owner/session", log_in, logged_in=False),
        route("POST", "/owner/leave", log_out),
        *map(of_desk, desk.answers()),
    ]


def secret_json(values: object, status: int = 200) -> Response:
    """Return an answer with JSON values, which browsers must not store."""
    return JSONResponse(values, status, headers=SECRET_ANSWER)


def _check_sender(request: Request, hosts: AllowedHosts) -> None:
    """Check that a request comes from a page of this table, in the same home network.

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
    """Return the session in a request's header, or "" if there is none."""
    kind, _, session = request.headers.get("authorization", "").partition(" ")
    return session if kind == "Bearer" else ""


async def _log_in(request: Request, access: OwnerAccess) -> str:
    """Return a new session for the code or the password in a request.

    Raises:
        RequestRefused: the request is invalid, the code or password is wrong, or there were too many tries.
    """
    asked = await read_body(request, _Login, "a login", "{code: …} or {password: …}", 1024)
    if not asked.password:
        session = access.exchange("".join(asked.code.split()), sender(request))
        wrong = gettext(WRONG_CODE, minutes=round(CODE_LASTS / 60))
    else:
        try:
            session = await asyncio.to_thread(access.log_in, asked.password, sender(request))
        except TooManyTries as error:
            wait = ceil(error.wait)
            why = gettext("Too many passwords were tried; wait {seconds} s", seconds=wait)
            raise RequestRefused(why, 429, {"retry-after": str(wait)}) from None
        wrong = gettext("This password is wrong")
    if session is None:
        raise RequestRefused(wrong, 403)
    return session
