"""Prepare a level before its first answer counts: compile it and let it choose once."""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from dataclasses import replace

from firmware_host.players.levels.level_player import player_of
from firmware_host.players.levels.levels import SEARCHING, can_search, is_pursuit
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol.limited_process import ends_with_us, own_command, own_environment
from firmware_host.players.seats import DETECTIVES
from firmware_host.rules.actions import MR_X, Commit, MrXMove
from firmware_host.rules.errors import RulesError
from firmware_host.rules.game import Game
from firmware_host.rules.secret import Secret

_IF_WANTED = '[ "$PPID" = "$1" ] || exit; shift; exec "$@"'
"""A shell line that runs a command unless the parent process is already gone."""

_COMPILING = 900.0
"""Seconds after which compiling in a separate process is given up, on the slowest machine."""


def warm_up(game: NewGame) -> None:
    """Let a game's level choose once in a similar game, so that everything is loaded and compiled.

    Raises:
        CannotPlay: this machine cannot play the game at this level.
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
    except (RulesError, StopIteration):  # a foreign kind of game: its first answer takes longer
        return


def _compile_apart() -> None:
    """Compile the search in a separate process to get its memory back. This process repeats what fails."""
    from firmware_host.players.search.search_player import is_compiled  # noqa: PLC0415 - an extra that others lack

    if not is_compiled():
        silent, environ = subprocess.DEVNULL, {**os.environ, **own_environment()}
        command = [*ends_with_us(), "/bin/sh", "-c", _IF_WANTED, "compiling", str(os.getpid())]
        command += own_command("player", "--compile")
        with suppress(subprocess.TimeoutExpired):
            subprocess.run(  # noqa: S603 - a fixed command
                command, env=environ, stdin=silent, stdout=silent, stderr=silent, check=False, timeout=_COMPILING
            )
