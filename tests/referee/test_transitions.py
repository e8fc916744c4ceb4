"""The table of transitions decides on every event, and on every entry that has become true."""

from __future__ import annotations

import pytest

from firmware_host.referee.events import Abandon, Begin, Entry, Play, SwitchesChanged, TakeBack, Tick
from firmware_host.referee.scene import Phase
from firmware_host.referee.transition_steps import always
from firmware_host.referee.transitions import ANY, EVERY, GAME, NEWS, TABLE, On
from firmware_host.rules.actions import MrXMove, PawnMove
from firmware_host.rules.secret import Secret
from tests.referee.referees import HOME, SETTLE, X_AT, begun, stand
from tests.rules.boards import london, setup_of

OF_A_GAME = (On.PLAYED, On.TAKEN_BACK, On.ABANDONED)
MR_X_MOVES, RED_MOVES = MrXMove(Secret(184), "taxi"), PawnMove("red", 39, "taxi")


@pytest.mark.parametrize("news", NEWS)
def test_news_finds_a_row_in_every_phase_in_which_it_can_occur(news: On) -> None:
    for phase in GAME if news in OF_A_GAME else EVERY:
        for reading in ANY:
            rows = [row for row in TABLE if row.on is news and phase in row.phases and reading in row.readings]
            assert rows, (phase, reading)
            assert rows[-1].when is always


@pytest.mark.parametrize(
    ("entries", "phases"),
    [
        ([Abandon()], [Phase.NO_GAME]),
        ([Play(MR_X_MOVES), Play(RED_MOVES)], [Phase.PLAY, Phase.CARRY_OUT]),
        ([Play(MR_X_MOVES), Play(RED_MOVES), TakeBack(by_hand=False)], [Phase.PLAY, Phase.CARRY_OUT, Phase.RESUME]),
    ],
)
def test_the_phase_after_an_entry_is_the_one_of_its_row(entries: list[Entry], phases: list[Phase]) -> None:
    referee = begun()
    referee.accept(Begin(setup_of(london(), X_AT, *HOME), {"1": "hard"}), 20.0)
    assert referee.state.phase is Phase.SET_UP
    stand(referee, 20.0)
    referee.handle(Tick(), 20.0 + SETTLE)
    seen = []
    for entry in entries:
        referee.accept(entry, 30.0)
        seen.append(referee.state.phase)
    assert seen == phases


@pytest.mark.parametrize("take_back", [True, False])
def test_a_move_can_be_put_back_only_where_the_table_takes_moves_back(take_back: bool) -> None:
    referee = begun(played="184t", take_back=take_back)
    referee.accept(Play(RED_MOVES), 20.0)
    stand(referee, 20.0)
    referee.handle(Tick(), 21.0)
    home = frozenset({26, 58, 34})
    referee.handle(SwitchesChanged(home), 22.0)
    assert referee.handle(Tick(), 23.0) == (TakeBack() if take_back else None)
