"""Serve the pages of lessons, each connected by a WebSocket to a practice table of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Protocol

from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from firmware_host.system.language import gettext, gettext_noop
from firmware_host.web.feeds.board_outline import BoardCache
from firmware_host.web.feeds.latest_feed import Feed
from firmware_host.web.feeds.websocket_session import (
    FULL,
    NOT_ALLOWED,
    ServedTable,
    SessionEnded,
    WebSocketSession,
    receive_hello,
)
from firmware_host.web.pages.static_files import page_route
from firmware_host.web.seats.sessions import serve_socket
from firmware_host.web.transport.host_names import AllowedHosts

LESSONS: Mapping[str, str] = {"detective": "tutorial.html", "mr_x": "tutorial_mr_x.html"}
"""The lessons, each with its page."""

CROWDED = gettext_noop("Others are learning already, as many as can at once; this page begins as soon as there is room")
"""The message for a page that gets no table. The page tries again automatically."""

ENDED = gettext_noop("This lesson has ended; load the page again to start again")
"""The message for a page whose table was removed."""

LOOK = 1.0
"""Seconds between two checks whether a lesson has ended."""


class LessonTable(ServedTable, Protocol):
    """The interface of the table for one lesson.

    Attributes:
        feed: the messages for its page.
    """

    feed: Feed

    @property
    def over(self) -> bool:
        """Whether the lesson has ended."""


class LessonTables(Protocol):
    """The interface of the object that opens practice tables for lessons."""

    def open(self, lesson: str, boards: BoardCache) -> LessonTable | None:
        """Return a table for a lesson at once, or None if too many lessons are open."""


def tutorial_routes(hosts: AllowedHosts, boards: BoardCache, tables: LessonTables) -> list[BaseRoute]:
    """Return the routes of the lessons' pages.

    Args:
        hosts: knows which pages are this table's own.
        boards: keeps the drawings of boards.
        tables: opens a table for each page.
    """

    def page(name: str) -> Route:
        return page_route(f"/{name.removesuffix('.html')}", name)

    def line(lesson: str) -> WebSocketRoute:
        async def welcome(socket: WebSocket) -> None:
            await serve_socket(socket, hosts, lambda: _learn(socket, lesson, boards, tables))

        return WebSocketRoute(f"/practice/{lesson}", welcome)

    return [route for lesson, name in LESSONS.items() for route in (page(name), line(lesson))]


async def _learn(socket: WebSocket, lesson: str, boards: BoardCache, tables: LessonTables) -> None:
    """Serve a lesson's page until it closes or the lesson has ended."""
    hello = await receive_hello(socket)
    table = tables.open(lesson, boards)
    if table is None:
        raise SessionEnded(FULL, gettext(CROWDED))
    table.feed.attach(asyncio.get_running_loop())
    try:
        if hello.page not in table.pages:
            raise SessionEnded(NOT_ALLOWED, gettext("there is no such page in this lesson"))
        visit = WebSocketSession(socket, 1, hello, table.feed, table, lambda _: _check(table))
        looking = asyncio.create_task(_look(visit))
        try:
            await visit.serve()
        finally:
            looking.cancel()
    finally:
        table.feed.detach()
        table.disconnect(1)


def _check(table: LessonTable) -> None:
    if table.over:
        raise SessionEnded(NOT_ALLOWED, gettext(ENDED))


async def _look(visit: WebSocketSession) -> None:
    while True:
        await asyncio.sleep(LOOK)
        visit.check()
