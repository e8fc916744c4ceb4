"""How many sequences of one, two and three actions lead on from fixed positions of the dice game.

Every outcome of a roll counts as one action, whatever its probability. The numbers are kept here, and counted by the
engine and by the naive referee: a slip in either shows in a number.
"""

from __future__ import annotations

import pytest

from firmware_host.rules.actions import MR_X
from firmware_host.rules.game import Game
from tests.rules.counting import Counted
from tests.rules.dice.dice_boards import NINE, SIX, deal, game, naive_of, plain, play
from tests.rules.dice.naive_dice import NaiveDice, perft


def _row(players: int, layout: str, start: dict[str, int], played: str, turn: str, counts: tuple[int, ...]) -> Counted:
    def begin() -> Game:
        if not start:
            return play(Game(deal(players, layout=layout)), played)
        stations = dict(start)
        return game(stations.pop(MR_X), played, players=players, layout=layout, **stations)

    return Counted(None, begin, (turn,), counts)


ROWS = {
    "choosing starts on all tiles": _row(4, NINE, {}, "", "red", (19, 342, 5814)),
    "choosing Mister X's start, against one detective player": _row(2, SIX, {}, "r1s y22s", MR_X, (22, 440, 1980)),
    "one detective player rolls for the second pawn, with one token left": _row(
        2,
        "IGB HEF",
        {"red": 29, "yellow": 22, MR_X: 8},
        "!uxu r29- !xut y21t 22t !ttt y23t !tt R !tt r35t 24t !utb y20t !tt r29t 22k !uxt y18t !tx R",
        "red",
        (10, 24, 206),
    ),
    "the first half of a double move, with a flight to be had, experts' tiles": _row(
        4,
        "CFI HBe gaD",
        {"red": 6, "yellow": 17, "green": 27, MR_X: 18},
        "!utxu r5t !uxt R !bxu R !utu y6t !bx g27- 20k !tttt R !tttt y24t !tut g28t !ut r23t 17t !tttt g26t !ttu r21t "
        "!xt y35t 6k !uxut r10t !xuu !txb g32t 24t !tbtt y17t !tut g7t !tt r9t 35k !uutu g32t !ttu r10t !tu y6t 36t "
        "!utxt r12t !bxt y5t !tt g26t D",
        MR_X,
        (3, 10, 350),
    ),
    "dice lead only onto a detective, so that black tickets are all he has": _row(
        3,
        "BGE hfD",
        {"red": 26, "yellow": 16, MR_X: 20},
        "!tbb r17t !xu R !tu y14t 18k !ubt y20t !tt r19t",
        MR_X,
        (4, 63, 192),
    ),
    "no die to take, and everything else left": _row(
        4,
        "FHB EID ACG",
        {"red": 17, "yellow": 4, "green": 26, MR_X: 24},
        "!ttxb R !tttx r23t !uut y3t !xt g28t 32k !tubt y1t !ttt g26t !ut R !tt r24t 31t !xttu g25t !uut r23t !xt y19t "
        "33k !ttbt r21t !ttb y3b !bu g32u 18t !tttt y1t !tbx g30b !bt r23t 20t !xuxu R !tutb g29t !bbx !txt y3t 18t "
        "!txtt r17t !tbb y11b !tt g22t 20t !btuu y3b !xxx !xux",
        MR_X,
        (9, 286, 4696),
    ),
    "the last detective after the last move": _row(
        4,
        "BFg HAI Ecd",
        {"red": 26, "yellow": 27, "green": 4, MR_X: 31},
        "!xtxu R !txtt r25t !ubt y28t !tu g10t 32k !bttb y27t !xtx g12t !tx r22t 18t !utuu g9t !but r25t !ut y28t 32t "
        "!utbt r3u !xxt y34t !bu R !ub R !tb g18t 10k !bttt y14b !xtt g20t !xx 9t !xxbt g19t !bbt r4t !xb y34b 18k "
        "!ttbu r10t !tbt y36t !xt g20t 32t !uttt y14t !ttu g11t !ub r25u 18t !tbbb g19b !txt r27t !tx y13t 32b "
        "!tutu r33t !bxt y10t !bt g17t 3t !bttx y9t !txt g19t !ut r2t 4t !xttb g20t !btu r30b !xx 10t !tbtu r32t "
        "!utt y12t !tu g3u 13t !bubx !xttu g25u",
        "red",
        (20, 100, 0),
    ),
    "a double move over the end of the log, experts' tiles": _row(
        2,
        "IgH DaF",
        {"red": 26, "yellow": 36, MR_X: 34},
        "!tbt y27t !xt r25t 36k !ttt y1t !xb R !ux r32u 27t !uxu r25u !bt y14t 28k !btb y16t !xt r26t 2t !utu r25t !bu "
        "R !tt y3t 21t !xtu r34t !ut y1t 23t !xxt y3t !bu R !tx r25t 29h !tbt r34b !tt y1t 30t !bbt r33t !ut y3t 29t "
        "!xxx r33- !btu y16t 30t !xxb r33- !xbt y15t 32t !tbt y16t !xt r35t",
        MR_X,
        (4, 63, 242),
    ),
}


def _naive_after(_board: None, table: Game) -> NaiveDice:
    naive = naive_of(table.setup)
    for action in table.actions:
        naive.do(plain(action))
    return naive


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.long_but_first
def test_di_engine_and_naive_referee_count_as_many_sequences_as_are_written_here(name: str) -> None:
    ROWS[name].check(_naive_after, perft)
