"""The boxes since about 2012 (ED-01): any order, 22 rounds, Bobbies; and a naive referee agrees with the engine."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from firmware_host.config import shipped_files
from firmware_host.journal.entries import BEGIN, replay_entry
from firmware_host.rules.actions import FREE, MR_X, Double, MrXMove, PawnMove
from firmware_host.rules.errors import BadSetup, IllegalAction
from firmware_host.rules.game import Game
from firmware_host.rules.pursuit.edition import Edition
from tests.rules.batches import in_batches
from tests.rules.data import boxes
from tests.rules.data.boxes import current, game, lanes, london, random_setup, setup_of, small
from tests.rules.pursuit.naive_current import NaiveCurrent
from tests.rules.pursuit.notation import actions, shorts

FIVE = (13, 26, 29, 34, 50)


def test_ed_01_detectives_move_in_any_order() -> None:
    table = game(current(), london(), 35, *FIVE, played="48t")
    assert table.public.turn == ("red", "yellow", "green", "blue", "purple")
    purple = next(move for move in table.legal if isinstance(move, PawnMove) and move.pawn == "purple")
    table.play(purple)
    assert table.public.turn == ("red", "yellow", "green", "blue")
    with pytest.raises(IllegalAction, match="purple asked to move"):
        table.play(purple)


@pytest.mark.parametrize("doubles", [0, 2])
def test_ed_01_mister_x_has_won_after_22_rounds_however_many_windows_are_filled(doubles: int) -> None:
    table = Game(setup_of(current(), london(), 35, *FIVE))
    rng = random.Random(doubles)
    reached = [table.public.last_window]
    while table.public.outcome is None:
        legal = table.legal
        if table.public.mr_x_to_move:
            wanted = Double() in legal and table.public.tickets[MR_X]["double"] > 2 - doubles
            moves = [Double()] if wanted else [move for move in legal if isinstance(move, MrXMove)]
        else:
            x = table.private.at.value
            moves = [move for move in legal if isinstance(move, PawnMove) and move.to != x]
        table.play(rng.choice(moves))
        reached.append(table.public.last_window)
    assert (table.public.round, len(table.public.log)) == (22, 22 + doubles)
    assert (reached[0], reached[-1]) == (24, 22 + doubles)
    assert reached == sorted(reached, reverse=True)
    assert (table.public.outcome.winner, table.public.outcome.reason) == (MR_X, "rounds_over")


def test_ed_01_in_the_last_round_he_can_still_use_one_of_two_double_moves() -> None:
    table = Game(setup_of(current(), london(), 35, *FIVE))
    rng = random.Random(0)
    while not (table.public.round == 22 and table.public.mr_x_to_move):
        x = table.private.at.value
        table.play(rng.choice([move for move in table.legal if isinstance(move, MrXMove | PawnMove) and move.to != x]))
    assert table.public.tickets[MR_X]["double"] == 2
    assert table.public.last_window == 23
    table.play(Double())
    assert table.public.last_window == 23


def test_ed_01_no_other_number_of_windows_can_be_chosen() -> None:
    with pytest.raises(BadSetup, match="unknown option 'log_windows' of current, which has none"):
        Game(setup_of(current(), london(), 35, *FIVE, log_windows=20))


@pytest.mark.parametrize(
    ("players", "paying", "bobbies"),
    [(3, ("red", "yellow"), ("green", "blue")), (4, ("red", "yellow", "green"), ("blue",))],
)
def test_ed_01_bobbies_join_two_or_three_detectives_and_have_no_tickets(
    players: int, paying: tuple[str, ...], bobbies: tuple[str, ...]
) -> None:
    tickets = Game(setup_of(current(), london(), 35, *FIVE[:4], players=players)).public.tickets
    assert {pawn: tickets[pawn] for pawn in bobbies} == {pawn: {} for pawn in bobbies}
    assert all(tickets[pawn] == {"taxi": 11, "bus": 8, "underground": 4} for pawn in paying)


def test_ed_01_a_bobbys_move_costs_nobody_a_ticket_and_catches_mister_x() -> None:
    board = small("taxi 1-2 2-3 3-4 4-5 5-6 6-7")
    table = game(current(), board, 3, 7, 1, 6, 5, players=3, played="2t")
    before = table.public.tickets
    table.play(PawnMove("green", 2, FREE))
    assert table.public.tickets == before
    assert table.public.outcome is not None
    assert table.public.outcome.reason == "captured"


def test_ed_01_a_bobby_that_can_move_keeps_the_game_going_when_the_detectives_have_run_dry() -> None:
    board = small("bus 1-2 3-4, underground 2-4 4-5, taxi 5-6 6-7 7-8 8-9 9-10")
    edition = replace(current(), hand=(0, 1, 0))
    table = game(edition, board, 10, 1, 5, 3, 6, players=3, played="9t r2b y4b")
    assert table.public.outcome is None
    assert table.public.turn == ("blue",)  # green can go nowhere until blue makes way


@pytest.mark.parametrize(
    ("bobbies", "why"),
    [
        ({"7": ["red"]}, "[bobbies] 7: unknown; known are 3, 4, 5, 6"),
        ({"3": ["purple"]}, "[bobbies] 3: 'purple' is not a pawn of 3 players; write some of red, green, yellow, blue"),
        ({"3": "blue"}, "[bobbies] 3: 'blue' is not a list of pawns; write some of red, green, yellow, blue"),
        ({"3": ["blue", "blue"]}, "[bobbies] 3: 'blue' is there twice; keep one of them"),
        (
            {"4": ["red", "yellow", "green", "blue"]},
            "[bobbies] 4: red, yellow, green, blue are all pawns of 4 players; leave out those that pay tickets",
        ),
        ({"4": [["red"]]}, "[bobbies] 4: ['red'] is not a pawn of 4 players; write some of red, blue, yellow, green"),
    ],
)
def test_ed_01_bobbies_are_some_of_the_pawns_of_that_number_of_players(bobbies: dict[str, object], why: str) -> None:
    (line,) = boxes.complaints(lambda data: data.update(bobbies=bobbies), "current")
    assert line.startswith(why)


def test_ed_01_bobbies_have_no_tickets_to_take_and_none_where_nobody_pays() -> None:
    def with_taking(data: dict[str, object]) -> None:
        data["bobbies"] = {"3": ["purple"]}
        data["options"] = {"voluntary_surfacing": False}

    assert boxes.complaints(with_taking, "us") == [
        "[options] voluntary_surfacing: has no effect where Bobbies have no tickets to take; leave it out"
    ]
    assert boxes.complaints(lambda data: data.update(bobbies={"4": ["red"]}), "beginners") == [
        "bobbies: have no effect where no tickets are paid; leave them out"
    ]


# ---- games of before ----


def test_ed_01_games_that_were_begun_by_the_former_rules_keep_them() -> None:
    (former,) = shipped_files.former_editions()
    assert (former.name, former.digest) == ("current", "768aeba47afc79d9")
    assert isinstance(former, Edition)
    record = setup_of(former, london(), 35, *FIVE, log_windows=20).to_record()
    again = replay_entry(None, BEGIN, json.dumps(record), (current(), former), london().network)
    again.play(actions("48t")[0])
    assert (again.public.windows, again.public.turn) == (20, ("red",))
    begun_now = replay_entry(
        None,
        BEGIN,
        json.dumps(setup_of(current(), london(), 35, *FIVE).to_record()),
        (current(), former),
        london().network,
    )
    assert begun_now.setup.edition == current()


# ---- a second referee ----


@in_batches(4)
def test_ed_01_the_naive_referee_agrees_on_what_is_legal_and_on_how_it_ends(batch: int) -> None:
    ends = set()
    for seed in range(40 * batch, 40 * (batch + 1)):
        rng = random.Random(f"naive/{seed}")
        board = lanes(seed) if seed % 4 else london()
        table = Game(random_setup(current(), board, rng))
        players = len({*table.setup.owners.values()}) + 1
        naive = NaiveCurrent(board.data, table.setup.start, table.setup.mr_x.value, players=players)
        while True:
            view, legal = table.public, shorts(table.legal)
            assert legal == naive.moves()
            assert (view.outcome.reason if view.outcome else "") == naive.end
            assert view.tickets[MR_X] == {"black": naive.supply["black"], "double": naive.doubles}
            assert all(view.tickets[name] == hand for name, hand in naive.hands.items())
            assert {name: view.pawns[name] for name in view.order} == naive.where
            assert (MR_X in view.pawns) is (naive.seen or bool(naive.end))
            if not legal:
                break
            words = sorted(word for word in legal if naive.to_go and int(word[1:-1]) != naive.x) or sorted(legal)
            word = rng.choice(words)
            naive.do(word)
            table.play(actions(word)[0])
        ends.add(naive.end)
    assert ends >= {"rounds_over", "captured"}
