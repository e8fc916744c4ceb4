"""Send the table's scene, lamps and news to all pages as they change.

Scene and lamps change only in step with frames of the lamps. The feed takes only public data; see
`table.outputs.Audience`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from firmware_host.config.board_layout import BoardLayout
from firmware_host.referee.readings import InHand
from firmware_host.referee.scene import Scene
from firmware_host.rules.views import PublicView
from firmware_host.system.language import Lines, in_language, language
from firmware_host.ui import json_views
from firmware_host.ui.drawing.board_map import BoardMap
from firmware_host.ui.fault_wording import health_words
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.lamp_rhythms import LampFrame
from firmware_host.ui.live_commentary import NewsLine
from firmware_host.ui.vocabulary import winner
from firmware_host.web.feeds.board_outline import BoardCache, bends, lines, outline
from firmware_host.web.feeds.latest_feed import Feed, message

REMEMBERED = 60
"""How many lines of news a new page gets."""


class SpectatorFeed:
    """The public messages of one table for browsers. Implements `table.outputs.Audience`.

    Args:
        feed: takes the messages.
        boards: keeps the drawings of boards.
        private: also takes the board and the news, because Mister X's page reads no other feed.

    Attributes:
        scene: the scene at the last frame of the lamps; None before the first. Read only.
    """

    def __init__(self, feed: Feed, boards: BoardCache, private: Feed | None = None) -> None:
        self._feed, self._boards = feed, boards
        self._both = (feed,) if private is None else (feed, private)
        self.scene: Scene | None = None
        self._layout: BoardLayout | None = None
        self._frame: bytes | None = b""
        self._news: deque[_InLanguage] = deque(maxlen=REMEMBERED)
        self._line_count = 0
        self._put_news()  # a page that was open before has the news of an earlier start

    def see(self, scene: Scene, layout: BoardLayout, frame: LampFrame) -> None:
        """Send the current scene and lamps. The table calls this for each frame of the lamps."""
        if layout is not self._layout:
            self._layout = layout
            for feed in self._both:
                feed.put("board", partial(_board, self._boards, layout))
        if frame.shining != self._frame:  # lamps first, because a page takes longer over a scene
            self._frame = shining = frame.shining
            self._feed.put("lamps", lambda: shining or b"")  # no bytes while the lamps cannot be reached
            self._feed.put("lamps for the colour-blind", lambda: frame.in_palette("colour-blind") or b"")
        if scene != self.scene:  # an unchanged scene must not reveal that it was redrawn, even by a restarted table
            self.scene = scene
            self._feed.put("scene", lambda: message("scene", **scene_values(scene)))

    def dark(self) -> None:
        """Show all lamps dark until the next frame, because the table has no power."""
        self._frame = None
        self._feed.put("lamps", lambda: b"")
        self._feed.put("lamps for the colour-blind", lambda: b"")

    def receive(self, lines: Lines) -> None:
        """Send lines of news. `lines` is called again for each language of a page."""

        @cache
        def said_in(code: str) -> Sequence[str]:
            with in_language(code):
                return lines()

        self._line_count += len(lines())
        self._news.append(said_in)
        self._put_news()

    def _put_news(self) -> None:
        for feed in self._both:
            feed.put("news", partial(_news, tuple(self._news), self._line_count))

    def forget(self) -> None:
        """Remove all news, because another game starts."""
        self._news.clear()
        self._put_news()


def _board(boards: BoardCache, layout: BoardLayout) -> str:
    board = BoardMap(layout.network)
    picture = boards.keep(board)
    said = outline(board, boards.artwork(board), layout.lamp)
    return message(
        "board", **said, picture=picture, log_lamps=list(layout.log_lamps), lines=lines(board), bends=bends(board)
    )


def scene_values(scene: Scene) -> dict[str, Any]:
    """Return the public state of the table as JSON values."""
    in_hand = list(scene.reading.pawns) if isinstance(scene.reading, InHand) else []
    return {
        **json_views.public(scene),
        "in_hand": in_hand,
        "ailing": {device: health_words(health) for device, health in scene.ailing.items()},
        "paused": bool(scene.paused),
        "wrong": scene.wrong,
        "moved": [] if scene.view is None else scene.view.moved,
        "ended": _ended(scene.view),
        "coach": json_views.coach(scene.coach),
        "names": dict(scene.names),
        "last_moves": [{"pawn": m.pawn, "from": m.origin, "to": m.to, "ticket": m.ticket} for m in scene.last_moves],
    }


def _ended(view: PublicView | None) -> dict[str, str] | None:
    """Return how the game ended, in words, and which pawn caught Mister X. None during the game."""
    if view is None or (outcome := view.outcome) is None:
        return None
    ui = game_ui(view)
    said = {"who": winner(outcome), "why": ui.reason(outcome, view), "headline": ui.headline(outcome, view)}
    return {**said, "by": ui.catch(outcome, view)[0]}


_InLanguage = Callable[[str], Sequence[str]]
"""A function that returns lines of news in a language."""


def _news(news: tuple[_InLanguage, ...], total: int) -> str:
    """Return the newest lines of news, and the number of all lines so far.

    The number lets pages recognise new lines.
    """
    lines = [line for said in news for line in said(language())]
    return message("news", lines=[_line(line) for line in lines[-REMEMBERED:]], told=total)


def _line(text: str) -> dict[str, str]:
    if isinstance(text, NewsLine):
        return {"text": text, "short": text.short, "pawn": text.pawn, "ticket": text.ticket}
    return {"text": text, "short": text, "pawn": "", "ticket": ""}
