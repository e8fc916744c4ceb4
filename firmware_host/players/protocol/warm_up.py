"""Get a level ready before its first answer counts: compile what has to be, and have it choose once."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import replace

from firmware_host.players.levels.level_chooser import player_of
from firmware_host.players.levels.levels import SEARCHING, can_search, is_pursuit
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.protocol.limited_process import ends_with_us, own_command, own_environment
from firmware_host.players.public_history import PublicHistory
from firmware_host.players.seats import DETECTIVES
from firmware_host.rules.actions import MR_X, Commit, MrXMove
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret

_IF_WANTED = '[ "$PPID" = "$1" ] || exit; shift; exec "$@"'
"""A shell's line that begins a command unless the process that wants it is gone by now."""

_COMPILING = 900.0
"""Seconds after which compiling apart is given up, on the slowest of machines."""


def warm_up(game: NewGame) -> None:
    """Have a game's level choose once in a game like this, so that all is loaded and compiled.

    Raises:
        CannotPlay: the game cannot be played at this level on this machine.
    """
    if game.level in SEARCHING and is_pursuit(game.box) and can_search():
        _compile_apart()
    cards = sorted({*game.network.start_cards, *game.cards})
    start = game.start or dict(zip(game.owners, cards, strict=False))
    free = [station for station in game.cards if station not in start.values()]
    his_station = start.get(MR_X, free[0] if free else 0)
    game = replace(game, start=start, ms=1)
    try:
        played = Game(replace(game.setup, mr_x=Secret(his_station)))
        history = PublicHistory.begin(played.public)
        if played.public.his_turn:
            his = replace(game, role=MR_X, pawns=played.public.fugitives)
            player_of(game.level, his).choose(Position(history, played.private))
            played.play(next(action for action in played.legal if isinstance(action, MrXMove | Commit)))
            history = history.see(played.public, played.actions[-1])
        if played.legal and not played.public.his_turn:
            theirs = replace(game, role=DETECTIVES, pawns=played.public.order)
            player_of(game.level, theirs).choose(Position(history))
    except (RulesError, StopIteration):  # another table's own kind of game: its first answer takes longer
        return


def _compile_apart() -> None:
    """Compile the search in a process of its own, whose memory is given back; what fails there is done again here."""
    from firmware_host.players.search.compile_search import is_compiled  # noqa: PLC0415 - an extra that others lack

    if not is_compiled():
        silent, environ = subprocess.DEVNULL, {**os.environ, **own_environment()}
        command = [*ends_with_us(), "/bin/sh", "-c", _IF_WANTED, "compiling", str(os.getpid())]
        command += own_command("player", "--compile")
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(  # noqa: S603 - our own
                command, env=environ, stdin=silent, stdout=silent, stderr=silent, check=False, timeout=_COMPILING
            )
