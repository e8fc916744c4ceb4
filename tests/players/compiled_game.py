"""A program for tests: moves of both sides on compiled code, printed.

python -m tests.players.compiled_game [RULES ITERATIONS]
"""

from __future__ import annotations

import sys

from firmware_host.players.search import tree
from tests.players.test_search_player import dealt, searcher

if __name__ == "__main__":
    _, rules, iterations = sys.argv if len(sys.argv) > 1 else ("", "classic", "100")
    game = dealt(rules, 1)
    player = searcher(game, int(iterations))
    told = []
    for _ in range(14):
        player.see(game.public)
        action = player.flee(game.private) if game.public.mr_x_to_move else player.pursue(game.public)
        told.append(f"{type(action).__name__}{getattr(action, 'to', '')}")
        game.play(action)
    print(told, sum(tree.search.stats.cache_misses.values()))  # noqa: T201
