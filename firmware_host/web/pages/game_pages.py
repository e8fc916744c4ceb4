"""Serve pages about finished games: the list, each game step by step, and files to download.

No game in play can be reached from here, because an `Archive` contains only finished games.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host.past_games.game_analysis import Analysis, CannotReplay, GameRecord, NoSuchGame, Summary
from firmware_host.past_games.game_json import analysis_json, record_json, statistics_json, summary_json
from firmware_host.past_games.game_statistics import Statistics
from firmware_host.system.language import gettext, gettext_noop, reason_of, say, translatable
from firmware_host.ui.drawing import board_map as drawing
from firmware_host.ui.drawing import board_picture, route_lines, subprocess_renderer
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.vocabulary import rules_name
from firmware_host.web.feeds.board_outline import artwork_file, bends, laid_artwork, lines, outline
from firmware_host.web.feeds.latest_feed import message
from firmware_host.web.pages.render_queue import Busy, RenderQueue
from firmware_host.web.pages.static_files import page_route, text_answer
from firmware_host.web.transport.host_names import AllowedHosts
from firmware_host.web.transport.security_headers import DRAWING_POLICY

LATER = "2"
"""Seconds after which a client should ask again if the render queue is busy."""

NOT_ANALYSED = gettext_noop(
    "This game has not been analysed, or its analysis has been deleted. Open {page} and start it there."
)

_NEWEST = {"cache-control": "no-store"}
_LASTING = {"cache-control": "private, max-age=31536000, immutable"}

Answer = Callable[[Request], Awaitable[Response]]


class _Number(IntegerConvertor):
    """A game's number in an address. The digits are limited, because Python rejects very long numbers."""

    regex = "[0-9]{1,9}"


register_url_convertor("game", _Number())


class ArchivedGames(Protocol):
    """The interface of a table's finished games. A thread of the server calls the slow methods."""

    @property
    def newest(self) -> int | None:
        """The number of the newest game, or None if there is none. Costs nothing."""

    def summaries(self) -> Sequence[Summary]:
        """Return a summary of each game, the newest first."""

    def statistics(self) -> Statistics:
        """Return the statistics of all games together."""

    def record(self, number: int) -> GameRecord:
        """Return the record of one game.

        Raises:
            NoSuchGame: there is no game with that number.
            CannotReplay: the game cannot be replayed here.
        """

    def analysis(self, number: int) -> Analysis | None:
        """Return a game's analysis as far as it is done, and continue it. None if there is none."""

    def analyse(self, number: int) -> Analysis:
        """Start the analysis of a game if that has not been done. This may take a moment, to replay the game.

        Raises:
            NoSuchGame, CannotReplay: as for `record`.
        """

    def close(self) -> None:
        """Stop all running analyses. This may be called twice."""


def announcement(archive: ArchivedGames) -> str:
    """Return the message by which pages learn the number of the newest finished game."""
    return message("games", newest=archive.newest)


def routes(archive: ArchivedGames, hosts: AllowedHosts) -> list[Route]:
    """Return the routes of the pages about finished games."""
    answers, game = _Answers(archive, hosts), "/games/{n:game}"
    return [
        page_route("/games", "games_list.html"),
        Route("/games.json", _explain(answers.summaries)),
        Route("/games/statistics.json", _explain(answers.statistics)),
        page_route(game, "replay.html"),
        Route(f"{game}.json", answers.download("json", "application/json", _json)),
        Route(f"{game}/analysis.json", _explain(answers.analysis)),
        Route(f"{game}/analysis.json", _explain(answers.analyse), methods=["POST"]),
        Route(f"{game}/analysed.json", answers.download("analysed.json", "application/json", answers.analysed)),
        Route(f"{game}.svg", answers.download("svg", "image/svg+xml", _svg)),
        Route(f"{game}.png", answers.download("png", "image/png", _png)),
        Route(f"{game}/board.json", answers.part("outline", "application/json", _board)),
        Route(f"{game}/board.svg", answers.part("board", "image/svg+xml", _board_svg)),
        Route(f"{game}/artwork.svg", answers.part("artwork", "image/svg+xml", _artwork)),
        Route(f"{game}/route.svg", answers.part("route", "image/svg+xml", _route, lasting=True)),
    ]


class _Answers:
    """The handlers of requests about finished games. All of them do slow work in one queue."""

    def __init__(self, archive: ArchivedGames, hosts: AllowedHosts) -> None:
        self._archive = archive
        self._hosts = hosts
        self._queue = RenderQueue()

    async def summaries(self, _: Request) -> Response:
        """Return the answer with the list of all games."""
        summaries = await self._queue.work(self._archive.summaries)
        return JSONResponse({"games": [summary_json(one) for one in summaries]})

    async def statistics(self, _: Request) -> Response:
        """Return the answer with the statistics of all games."""
        counted = await self._queue.work(self._archive.statistics)
        return JSONResponse(statistics_json(counted))

    def download(self, what: str, type_: str, make: Callable[[GameRecord], bytes]) -> Answer:
        """Return a handler that answers with a file about a game, which browsers save under its name."""
        return self.part(what, type_, make, as_file=True)

    def part(
        self,
        what: str,
        type_: str,
        make: Callable[[GameRecord], bytes],
        *,
        as_file: bool = False,
        lasting: bool = False,
    ) -> Answer:
        """Return a handler that answers with one part of a game's record, which `what` names.

        If `lasting` is True, browsers cache the part, so its address must differ between journals.
        """

        async def answer(request: Request) -> Response:
            number = request.path_params["n"]
            found = await self._queue.get(number, what, lambda: make(self._archive.record(number)))
            headers = {"content-security-policy": DRAWING_POLICY} if type_.startswith("image/") else {}
            if lasting:
                headers |= _LASTING
            if as_file:
                headers["content-disposition"] = f'attachment; filename="yardboard-game-{number}.{what}"'
            if type_ == "image/png":
                return Response(found, media_type=type_, headers=headers)
            return await text_answer(request, found, type_, headers)

        return _explain(answer)

    async def analysis(self, request: Request) -> Response:
        """Return the answer with a game's analysis as far as it is done."""
        number = request.path_params["n"]
        found = self._archive.analysis(number)
        if found is None:
            await self._queue.work(lambda: self._archive.record(number))
            raise _not_analysed(number)
        return JSONResponse(analysis_json(found), headers=_NEWEST)

    async def analyse(self, request: Request) -> Response:
        """Start the analysis of a game, unless a foreign page has asked for it."""
        origin, host = request.headers.get("origin"), request.headers.get("host")
        if origin is not None and not self._hosts.knows_origin(origin, host):
            return JSONResponse(
                {"error": gettext("This page does not belong to the table; open the table's own page")}, 403
            )
        number = request.path_params["n"]
        found = await self._queue.work(lambda: self._archive.analyse(number))
        return JSONResponse(analysis_json(found), headers=_NEWEST)

    def analysed(self, record: GameRecord) -> bytes:
        """Return a game's record and its complete analysis."""
        number = record.summary.number
        found = self._archive.analysis(number)
        if found is None or not found.complete:
            raise _not_analysed(number)
        return _dump({**record_json(record), "analysis": analysis_json(found)})


def _not_analysed(number: int) -> CannotReplay:
    return CannotReplay(translatable(NOT_ANALYSED, page=f"/games/{number}"))


def _explain(answer: Answer) -> Answer:
    """Wrap a handler so that an error in it is answered with the reason in words."""

    async def answered(request: Request) -> Response:
        try:
            return await answer(request)
        except NoSuchGame as error:
            return JSONResponse({"error": say(reason_of(error))}, 404)
        except CannotReplay as error:
            return JSONResponse({"error": say(reason_of(error))}, 410)
        except Busy:
            return JSONResponse({"error": gettext("Too many ask at once; try again.")}, 503, {"retry-after": LATER})
        except subprocess_renderer.CannotDraw as error:
            return JSONResponse({"error": say(reason_of(error))}, 500)
        except asyncio.CancelledError:  # the server stops during the work: no error to log
            return JSONResponse({"error": gettext("The table is being put away.")}, 503)

    return answered


def _json(record: GameRecord) -> bytes:
    return _dump(record_json(record))


def _dump(said: dict[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()


def _board(record: GameRecord) -> bytes:
    board = drawing.BoardMap(record.network)
    lamps = {number: lamp for lamp, number in enumerate(board.places)}
    picture_of = f"/games/{record.summary.number}/board.svg"
    laid = board.style.laid and laid_artwork(board) is not None
    artwork = f"/games/{record.summary.number}/artwork.svg" if laid else artwork_file(board)
    said = {**outline(board, artwork, lamps.__getitem__), "drawing": picture_of, "log_lamps": []}
    return _dump({**said, "lines": lines(board), "bends": bends(board)})


def _board_svg(record: GameRecord) -> bytes:
    return drawing.svg(drawing.BoardMap(record.network)).encode()


def _artwork(record: GameRecord) -> bytes:
    drawn = laid_artwork(drawing.BoardMap(record.network))
    if drawn is None:
        raise CannotReplay(gettext_noop("There is no artwork of this board."))
    return drawn.encode()


def _route(record: GameRecord) -> bytes:
    return route_lines.svg(drawing.BoardMap(record.network), record.routes, record.end.log).encode()


def _svg(record: GameRecord) -> bytes:
    return board_picture.svg(record.network, **_picture_content(record)).encode()


def _png(record: GameRecord) -> bytes:
    return subprocess_renderer.png(record.network, _picture_content(record))


def _picture_content(record: GameRecord) -> dict[str, Any]:
    """Return what a picture of the end of a game shows.

    The picture shows the pawns, Mister X's whole route, his log or the chips, who won, and why.
    """
    end = record.end
    how = [game_ui(end).headline(end.outcome, end)] if end.outcome else []
    return {
        "pawns": record.steps[-1].pawns,
        "routes": record.routes,
        **board_picture.panel_content(end),
        "caption": ". ".join([rules_name(record.summary.rules), *how, ""]).strip(),
    }
