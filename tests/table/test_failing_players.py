"""Players that die, hang or talk nonsense: made anew once, then played for by the table, which says so."""

from __future__ import annotations

import logging

import pytest

from firmware_host.players.heuristic.heuristic import HeuristicPlayer
from firmware_host.players.player_errors import PlayerFailed
from firmware_host.players.player_port import NewGame, Position
from firmware_host.players.seats import PlayerName
from firmware_host.rules.actions import Double, MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from tests.table.computers import (
    RED_TO_46,
    THINKS,
    Dying,
    Makers,
    Scripted,
    carry_out,
    done_by_computer,
    red_played,
    seated,
)
from tests.table.played_table import go, walk


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_a_player_that_dies_is_made_anew_once_and_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    made = [Dying(1), Scripted([[RED_TO_46]])]
    makers = Makers({"hard": lambda: made.pop(0)})
    p = seated({"1": "hard"}, makers)
    go(p, 184)
    assert done_by_computer(p, 6000) == RED_TO_46
    assert [level for level, _ in makers.made] == ["hard", "hard"]
    assert not any("plays on" in line for line in lines(caplog))


@pytest.mark.parametrize("hangs", [True, False])
def test_one_that_fails_twice_is_played_by_the_table_which_says_so(
    *, hangs: bool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    p = seated({"1": "hard"}, Makers({"hard": lambda: Dying(1, hangs=hangs)}))
    go(p, 184)
    assert isinstance(done_by_computer(p, 40000), PawnMove)
    assert lines(caplog).count("The player of Red has failed: the table plays on for it.") == 1


@pytest.mark.parametrize(
    "nonsense",
    [
        (),
        (PawnMove("yellow", 23, "taxi"),),
        (PawnMove("red", 200, "taxi"),),
        (PawnMove("red", 46, "boat"),),
        (MrXMove(Secret(46), "taxi"),),
        (Double(),),
        ("red",),
    ],
)
def test_nonsense_is_no_move(nonsense: tuple[object, ...]) -> None:
    p = seated({"1": "hard"}, Makers({"hard": lambda: Scripted([nonsense])}))  # type: ignore[list-item]
    go(p, 184)
    done = done_by_computer(p, 12000)
    assert isinstance(done, PawnMove)
    assert done.pawn == "red"


class Broken(HeuristicPlayer):
    """A player whose program ends at the first question, with some last words."""

    def ask(self, position: Position) -> None:  # noqa: ARG002 - it need not know
        raise PlayerFailed("it ended with status 1", Secret("ModuleNotFoundError: No module named 'torch'"))


def test_the_log_names_a_failed_program_by_its_section_and_says_why_and_who_plays_for_it(
    caplog: pytest.LogCaptureFixture,
) -> None:
    p = seated({"1": "deep"}, Makers({"": Broken}, programs=["deep"]))
    go(p, 184)
    done_by_computer(p, 12000)
    why = (
        "[players.deep] has failed: it ended with status 1; "
        "the last line of its standard error: \"ModuleNotFoundError: No module named 'torch'\"; "
    )
    said = [line for line in lines(caplog) if "[players.deep]" in line]
    assert said == [f"{why}the table starts it again", f"{why}the table plays in its place until the game ends"]


class Refusing(HeuristicPlayer):
    """A player whose program refuses to play, with a long reason in two lines."""

    def ask(self, position: Position) -> None:  # noqa: ARG002 - it need not know
        raise PlayerFailed("it refused to play", reason=Secret("no ferries\n" + 300 * "x"))


def test_the_log_quotes_why_a_program_refuses_to_play_but_not_in_mister_x_s_seat(
    caplog: pytest.LogCaptureFixture,
) -> None:
    p = seated({"1": "deep"}, Makers({"": Refusing}, programs=["deep"]))
    go(p, 184)
    done_by_computer(p, 12000)
    said = [line.rpartition("; ")[0] for line in lines(caplog) if "[players.deep]" in line]
    assert said == [f'[players.deep] has failed: it refused to play: "no ferries\\n{188 * "x"}"'] * 2
    caplog.clear()
    done_by_computer(seated({"mr_x": "deep"}, Makers({"": Refusing}, programs=["deep"])), 12000)
    assert any("[players.deep] has failed" in line for line in lines(caplog))
    assert not any("refused" in line or "ferries" in line for line in lines(caplog))


def test_the_log_says_why_a_player_could_not_be_started(caplog: pytest.LogCaptureFixture) -> None:
    def refuse() -> HeuristicPlayer:
        raise PlayerFailed("it could not be started: /bin/sh: No such file or directory")

    p = seated({"1": "hard"}, Makers({"hard": refuse}))
    go(p, 184)
    done_by_computer(p, 12000)
    what = 'The player "hard" has failed: it could not be started: /bin/sh: No such file or directory; '
    assert [line.startswith(what) for line in lines(caplog) if '"hard"' in line] == [True, True]


def test_the_log_keeps_back_why_a_program_in_mister_x_s_seat_failed(caplog: pytest.LogCaptureFixture) -> None:
    p = seated({"mr_x": "deep"}, Makers({"": Broken}, programs=["deep"]))
    done_by_computer(p, 12000)
    said = [line for line in lines(caplog) if "[players.deep]" in line]
    assert [line.partition("; ")[0] for line in said] == ["[players.deep] has failed"] * 2
    assert not any("status" in line or "torch" in line for line in lines(caplog))


def test_of_a_mister_x_whose_player_fails_no_reason_is_told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    p = seated({"mr_x": "hard"}, Makers({"hard": lambda: Dying(1)}))
    assert isinstance(done_by_computer(p, 12000), MrXMove)
    assert "The player of Mister X has failed: the table plays on for it." in lines(caplog)
    assert not any("died" in line for line in lines(caplog))


def test_one_that_is_late_is_taken_a_whole_beat_later() -> None:
    class Slow(HeuristicPlayer):
        looks = 0

        def answer(self):  # type: ignore[no-untyped-def]
            self.looks += 1
            return super().answer() if self.looks > 1 else None

    p = seated({"1": "hard"}, Makers({"hard": Slow}))
    p.advance(10_000)
    go(p, 184)
    began = p.hardware.clock.now()
    done_by_computer(p, 9000)
    assert 2 * THINKS - 0.2 < p.hardware.clock.now() - began < 2 * THINKS + 0.3


def test_one_that_has_answered_before_gets_less_time_however_often_the_table_looks(
    caplog: pytest.LogCaptureFixture,
) -> None:
    p, _ = red_played(RED_TO_46)
    done_by_computer(p)
    carry_out(p)
    walk(p, "yellow", 23)
    walk(p, "green", 15)
    go(p, 196)
    began = p.hardware.clock.now()
    while not any("it has not answered within" in line for line in lines(caplog)):
        p.advance(100)
        assert p.hardware.clock.now() - began < 60
    late = Makers().pace(PlayerName("", "hard")).late_s
    assert late - 0.2 < p.hardware.clock.now() - began < late + 0.3


# ---- from game to game ----


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
