"""Answer the requests of the owner's pages, such as logging in, apart from orders about the game.

Every request but the login carries the session in a header, never in its address: addresses end up in histories and
logs. A browser lets no foreign page send that header, and requests of foreign pages are refused besides.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from math import ceil
from typing import Annotated, Any, Protocol

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.system.language import gettext, gettext_noop, reason_of, say
from firmware_host.system.secret_texts import LONGEST_PASSWORD
from firmware_host.web.seats.handset_token import TooManyTries
from firmware_host.web.seats.owner_access import CODE_LASTS, OwnerAccess
from firmware_host.web.seats.seat_requests import SECRET_ANSWER, RequestRefused, check_origin, read_body, read_bytes
from firmware_host.web.seats.sessions import LOGGED_OUT, OWNER_OUTSIDE, is_from_home, sender
from firmware_host.web.transport.host_names import AllowedHosts

WRONG_CODE = gettext_noop(
    "This code is wrong, was used already, is older than {minutes} minutes, or was tried too often; the table's menu "
    "shows a new one"
)
"""The answer to a wrong code."""

LONGEST_FORM = 100_000
"""The most bytes of changed settings."""

LONGEST_PIECE = 1_000_000
"""The most bytes in one piece of a package. In pieces, no line is too slow for the limit on connections."""

MOST_CHANGES = 200
"""The most settings that change at once."""

_LONGEST_OFFSET = 12  # digits

Word = Annotated[str, Meta(max_length=64)]


class CannotServeOwner(Exception):
    """The error for a request that the table cannot carry out now. The message says why, for people.

    Args:
        why: the reason, in English.
        status: the HTTP status of the answer.
    """

    def __init__(self, why: str, status: int = 409) -> None:
        super().__init__(why)
        self.status = status


class ChangedSetting(Struct, frozen=True, forbid_unknown_fields=True):
    """A changed field of the settings' form; null means the default."""

    section: Word
    key: Word
    value: bool | int | float | str | list[str | int] | dict[Word, str | int | bool] | None


class ChangedSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What the settings' form sends: all changes, and the digest of the file that it was made from."""

    digest: Annotated[str, Meta(max_length=64)]
    changes: Annotated[list[ChangedSetting], Meta(min_length=1, max_length=MOST_CHANGES)]


class _AskedOfRoot(Struct, frozen=True, forbid_unknown_fields=True):
    do: Word


class OwnerDesk(Protocol):
    """The interface to carry out the owner's requests. Methods may take long, and raise `CannotServeOwner`."""

    @property
    def access(self) -> OwnerAccess:
        """What decides which pages are the owner's."""

    def settings(self) -> dict[str, Any]:
        """Return the configuration as a form, as JSON values."""

    def save_settings(self, asked: ChangedSettings) -> dict[str, Any]:
        """Ask root to apply changed settings, and return the request's id; or return the complaints by field."""

    def health(self) -> dict[str, Any]:
        """Return the table's health, as JSON values."""

    def log_lines(self) -> Sequence[str]:
        """Return the newest lines of the log."""

    def check_machine(self) -> str:
        """Return what the doctor finds while the table runs."""

    def bug_report(self) -> bytes:
        """Return a bug report, as a zip file."""

    def backup(self) -> bytes:
        """Return a backup, as a zip file."""

    def take_package(self, name: str, offset: int, content: bytes) -> dict[str, Any]:
        """Take a piece of a package, before which there are `offset` bytes. Return its size and digest so far."""

    def ask_root(self, what: str) -> str:
        """Ask root for "restart", "power-off", or "update" to the package that has come. Return the request's id."""

    def outcome(self, name: str) -> dict[str, Any]:
        """Return what became of a request to root, as JSON values."""


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

    def route(path: str, answer: Answer, method: str = "GET", *, logged_in: bool = True) -> Route:
        async def answered(request: Request) -> Response:
            try:
                _check_sender(request, hosts)
                if logged_in:
                    _check_session(request, desk.access)
                return await answer(request)
            except RequestRefused as error:
                return JSONResponse({"error": str(error)}, error.status, headers={**SECRET_ANSWER, **error.headers})
            except CannotServeOwner as error:
                return JSONResponse({"error": say(reason_of(error))}, error.status, headers=SECRET_ANSWER)

        return Route(path, answered, methods=[method])

    async def log_out(request: Request) -> Response:
        desk.access.log_out(_session(request))
        check_sessions()
        return _json({})

    orders = _OwnerAnswers(desk)
    return [
        route("/owner/ways-in", orders.ways_in, logged_in=False),
        route("/owner/session", orders.log_in, "POST", logged_in=False),
        route("/owner/leave", log_out, "POST"),
        route("/owner/settings", orders.values(desk.settings)),
        route("/owner/settings", orders.save_settings, "POST"),
        route("/owner/health", orders.values(desk.health)),
        route("/owner/log", orders.values(lambda: {"lines": desk.log_lines()})),
        route("/owner/check", orders.values(lambda: {"text": desk.check_machine()}), "POST"),
        route("/owner/report", orders.file(desk.bug_report), "POST"),
        route("/owner/backup", orders.file(desk.backup), "POST"),
        route("/owner/package", orders.take_package, "POST"),
        route("/owner/requests", orders.ask_root, "POST"),
        route("/owner/requests/{name}", orders.outcome),
    ]


class _OwnerAnswers:
    """The answers to the owner's requests. The desk's work is done on a thread."""

    def __init__(self, desk: OwnerDesk) -> None:
        self._desk = desk

    async def ways_in(self, _: Request) -> Response:
        return _json({"password": self._desk.access.has_password})

    async def log_in(self, request: Request) -> Response:
        return _json({"session": await _log_in(request, self._desk.access)})

    async def save_settings(self, request: Request) -> Response:
        asked = await read_body(request, ChangedSettings, "the form", "{digest: …, changes: […]}", LONGEST_FORM)
        saved = await asyncio.to_thread(self._desk.save_settings, asked)
        return _json(saved, 202 if "request" in saved else 422)

    async def take_package(self, request: Request) -> Response:
        query = request.query_params
        offset = query.get("offset", "")
        if not (offset.isascii() and offset.isdecimal() and len(offset) <= _LONGEST_OFFSET):
            raise RequestRefused("a package is sent to ?name=…&offset=…", 400)
        content = await read_bytes(request, "a piece of a package", LONGEST_PIECE)
        return _json(await asyncio.to_thread(self._desk.take_package, query.get("name", ""), int(offset), content))

    async def ask_root(self, request: Request) -> Response:
        asked = await read_body(request, _AskedOfRoot, "a request", "{do: …}")
        return _json({"request": await asyncio.to_thread(self._desk.ask_root, asked.do)}, 202)

    async def outcome(self, request: Request) -> Response:
        return _json(await asyncio.to_thread(self._desk.outcome, request.path_params["name"]))

    def values(self, make: Callable[[], Mapping[str, Any]]) -> Answer:
        """Return the answer with JSON values that the desk makes."""

        async def answer(_: Request) -> Response:
            return _json(await asyncio.to_thread(make))

        return answer

    def file(self, make: Callable[[], bytes]) -> Answer:
        """Return the answer with a file to download, such as a backup, which the owner's desk creates."""

        async def answer(_: Request) -> Response:
            return Response(await asyncio.to_thread(make), media_type="application/zip", headers=SECRET_ANSWER)

        return answer


def _json(values: object, status: int = 200) -> Response:
    return JSONResponse(values, status, headers=SECRET_ANSWER)


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
            session = await asyncio.to_thread(access.log_in, asked.password, sender(request))
        else:
            session = access.exchange("".join(asked.code.split()), sender(request))
    except TooManyTries as error:
        wait = ceil(error.wait)
        why = gettext("Too many passwords were tried; wait {seconds} s", seconds=wait)
        raise RequestRefused(why, 429, {"retry-after": str(wait)}) from None
    if session is not None:
        return session
    if asked.password:
        raise RequestRefused(gettext("This password is wrong"), 403)
    raise RequestRefused(gettext(WRONG_CODE, minutes=round(CODE_LASTS / 60)), 403)
