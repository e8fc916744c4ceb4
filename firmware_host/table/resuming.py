"""Find the game that a table goes on with, or whose end it still shows, after a start."""

from __future__ import annotations

import logging

from firmware_host.config.loader import Config
from firmware_host.config.shipped_files import former_editions
from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import UnplayableGame
from firmware_host.rules.game import Game
from firmware_host.system.event_log import log_fields

log = logging.getLogger("yardboard")


def game_to_resume(journal: Journal, config: Config) -> Game | None:
    """Return the newest game of a journal, and say so in the log; None if there is none, or its end cannot be shown.

    Raises:
        UnplayableGame: it is in play, and does not replay on this configuration's map.
        DamagedJournal: the journal cannot be read any more.
    """
    try:
        game = journal.newest((*config.boxes, *former_editions()), config.ground)
    except UnplayableGame as error:
        if journal.in_play:
            raise
        log.warning("The end of the last game cannot be shown: %s", error, extra=log_fields("resume"))
        return None
    if game is not None:
        going_on = "Going on with" if game.public.outcome is None else "Still showing the end of"
        rules, round_ = game.system.name, game.public.round
        said = log_fields("resume", rules=rules, round=round_)
        log.info("%s a game of %s, round %d.", going_on, rules, round_, extra=said)
    return game
