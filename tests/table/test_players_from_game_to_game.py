"""A player that has not failed plays on in the next game, and none outlives its table."""

from __future__ import annotations

import pytest

from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame
from tests.table.computers import Dying, Makers, Scripted, seated
from tests.table.played_table import go


class EndsAfterAGame(Scripted):
    """A player whose program has ended when the next game begins."""

    def begin(self, game: NewGame) -> None:
        if self.told:
            raise PlayerFailed("it has ended")
        super().begin(game)


def test_a_player_plays_on_in_the_next_game_where_one_like_it_is_wanted_and_the_others_go() -> None:
    makers = Makers({"hard": Scripted, "easy": Scripted})
    p = seated({"1": "hard", "2": "easy"}, makers)
    (_, hard), (_, easy) = makers.made
    p.new_game(detectives=3, seats={"2": "hard"})
    assert [level for level, _ in makers.made] == ["hard", "easy"]
    assert isinstance(hard, Scripted)
    assert isinstance(easy, Scripted)
    assert [game.pawns for game in hard.told] == [("red",), ("yellow",)]
    assert (hard.closed, easy.closed) == (False, True)
    p.new_game(detectives=3, seats={})
    assert hard.closed


def test_a_player_that_has_failed_is_not_seated_in_the_next_game() -> None:
    makers = Makers({"hard": lambda: Dying(at=1)})
    p = seated({"1": "hard"}, makers)
    go(p, 184)
    p.advance(500)
    assert len(makers.made) == 2
    p.new_game(detectives=3, seats={"1": "hard"})
    assert len(makers.made) == 3


@pytest.mark.parametrize("ends", ["power", "board"])
def test_players_end_with_their_table(ends: str) -> None:
    makers = Makers({"hard": Scripted})
    p = seated({"1": "hard"}, makers)
    ((_, player),) = makers.made
    if ends == "power":
        p.cut_power()
        p.restart()
    else:
        p.new_game("us")
    assert isinstance(player, Scripted)
    assert player.closed


def test_one_that_has_ended_since_its_last_game_is_started_anew_and_that_is_no_failure() -> None:
    makers = Makers({"hard": EndsAfterAGame})
    p = seated({"1": "hard"}, makers)
    p.new_game(detectives=3, seats={"1": "hard"})
    (_, before), (_, after) = makers.made
    assert isinstance(before, Scripted)
    assert isinstance(after, Scripted)
    assert before.closed
    assert len(after.told) == 1
    computers = p.table._seating.computers
    assert computers is not None
    assert computers.seats["1"].player is after
    assert computers.seats["1"].failures == 0
