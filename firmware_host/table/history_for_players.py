"""Build the public history of a game for computer players and the coach."""

from __future__ import annotations

from firmware_host.players.player_port import PublicHistory
from firmware_host.rules.game import Game


def history_of(game: Game) -> PublicHistory:
    """Return the public history of a game so far."""
    again = Game(game.setup)
    history = PublicHistory.begin(again.public)
    for action in game.actions:
        again.play(action)
        history = history.see(again.public, action)
    return history


def next_history(history: PublicHistory, game: Game) -> PublicHistory:
    """Return the public history after one more action or an undo, or the same object if nothing changed."""
    done = len(history.done)
    for _ in range(done - len(game.actions)):
        history = history.forget()
    return history.see(game.public, game.actions[-1]) if len(game.actions) > done else history
