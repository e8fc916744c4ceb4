"""Finished games of every system, told: each step agrees with a replay, and the end with what everyone is shown."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product

import pytest

from firmware_host.journal.journal import Finished, Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.past_games.game_analysis import CannotReplay, GameRecord
from firmware_host.past_games.game_json import ending_words, record_json, summary_json
from firmware_host.past_games.replay_finished_game import replay, summary
from firmware_host.rules.actions import MR_X, MR_X_JUNIOR, Commit, MrXMove, PawnMove, Roll, RollAgain
from firmware_host.rules.engines import system
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Box, Ground, Wish
from tests.journal.random_journals import RULES, config, finished, write
from tests.shipped_grounds import load_map

SEEDS = (1, 2)


def known(rules: str) -> Sequence[tuple[Box, Ground]]:
    return [(config(rules).edition, config(rules).ground)]


def retold(rules: str, seed: int) -> tuple[Game, GameRecord]:
    game, record = finished(rules, seed)
    return game, replay(record, known(rules))


def lines(told_: GameRecord) -> list[list[str]]:
    """What is said of each step."""
    return [step["words"] for step in record_json(told_)["steps"]]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", RULES)
class TestOfEverySystem:
    def test_there_is_a_step_for_the_start_and_for_each_action_that_stood(self, rules: str, seed: int) -> None:
        game, told_ = retold(rules, seed)
        assert len(told_.steps) == 1 + len(game.actions)
        assert told_.summary.moves == len(game.actions)

    def test_the_last_step_agrees_with_what_everyone_is_shown_in_the_end(self, rules: str, seed: int) -> None:
        game, told_ = retold(rules, seed)
        view, last = game.public, told_.steps[-1]
        assert dict(last.pawns) == dict(view.pawns)
        assert {owner: dict(hand) for owner, hand in last.view.tickets.items()} == view.tickets
        assert (len(last.view.log), last.walked) == (len(view.log), len(view.route))
        assert (told_.route, told_.end.log, told_.summary.outcome) == (view.route, view.log, view.outcome)
        assert last.view == view

    def test_every_pawn_stands_where_the_moves_alone_have_brought_it(self, rules: str, seed: int) -> None:
        """A naive replay: whoever moves is where he went; in the junior game picks are revealed at the round's end."""
        game, told_ = retold(rules, seed)
        pawns = dict(game.setup.start) | ({MR_X: game.setup.mr_x.value} if game.setup.mr_x.value else {})
        assert dict(told_.steps[0].pawns) == pawns
        for action, step in zip(game.actions, told_.steps[1:], strict=True):
            match action:
                case PawnMove(pawn, to):
                    pawns[pawn] = to
                case MrXMove(to):
                    pawns[MR_X] = to.value
            if rules == "junior":
                detectives = {pawn: at for pawn, at in step.pawns.items() if pawn in told_.end.owners}
                assert detectives == {pawn: at for pawn, at in pawns.items() if pawn in told_.end.owners}
                assert step.pawns[MR_X] == told_.route[step.walked - 1]
            else:
                assert dict(step.pawns) == pawns

    def test_he_is_always_where_his_route_has_led_him(self, rules: str, seed: int) -> None:
        _, told_ = retold(rules, seed)
        for step in told_.steps:
            assert step.pawns.get(MR_X) == (told_.route[step.walked - 1] if step.walked else None)

    def test_whoever_acts_is_named(self, rules: str, seed: int) -> None:
        game, told_ = retold(rules, seed)
        for action, step in zip(game.actions, told_.steps[1:], strict=True):
            match action:
                case PawnMove(pawn) | Commit(pawn):
                    assert step.who == pawn
                case Roll() | RollAgain():
                    assert step.who == ""
                case _:
                    assert step.who == MR_X
        assert all(lines(told_))

    def test_nothing_runs_backwards(self, rules: str, seed: int) -> None:
        _, told_ = retold(rules, seed)
        for earlier, later in pairwise(told_.steps):
            assert earlier.after < later.after
            assert earlier.view.round <= later.view.round
            assert 0 <= later.walked - earlier.walked <= 1
            assert 0 <= len(later.view.log) - len(earlier.view.log) <= 1

    def test_the_json_tells_the_whole_route_again(self, rules: str, seed: int) -> None:
        game, told_ = retold(rules, seed)
        said = json.loads(json.dumps(record_json(told_)))
        walked = [step["pawns"][MR_X] for step in said["steps"] if step["walked"]]
        ways = [step["walked"] for step in said["steps"] if step["walked"]]
        route = [walked[0], *(at for at, now, before in zip(walked[1:], ways[1:], ways, strict=False) if now > before)]
        assert tuple(route) == tuple(said["routes"][MR_X]) == game.public.route
        assert [entry["station"] for entry in said["log"]] == [entry.station for entry in game.public.log]
        assert said["steps"][-1]["pawns"] == dict(game.public.pawns)


def test_both_who_flee_have_a_route_that_leads_them_through_every_step() -> None:
    told_ = next(told_ for told_ in (retold("junior", seed)[1] for seed in range(20)) if len(told_.end.fugitives) == 2)
    said = record_json(told_)["routes"]
    assert set(said) == {MR_X, MR_X_JUNIOR}
    assert len(said[MR_X]) == len(said[MR_X_JUNIOR])
    for step in told_.steps:
        for pawn, route in said.items():
            assert step.pawns[pawn] == route[step.walked - 1]


def test_the_options_that_were_played_are_told() -> None:
    table = config("classic")
    wish = Wish(options={"log_windows": 22})
    game = Game(system(table.edition).deal(table.ground, wish, random.Random(1)))
    while game.public.outcome is None:
        game.play(game.legal[0])
    with Journal.open(MEMORY) as journal:
        write(journal, game, list(game.actions))
        said = record_json(replay(journal.finished()[0], known("classic")))
    assert said["options"] == {"log_windows": 22}


def test_a_step_is_told_with_everything_open() -> None:
    game, told_ = retold("classic", 1)
    number = next(n for n, action in enumerate(game.actions) if isinstance(action, MrXMove))
    action = game.actions[number]
    assert isinstance(action, MrXMove)
    words = lines(told_)[number + 1]
    assert words[0] == f"Mister X: {game.setup.mr_x.value} to {action.to.value} by {action.ticket}."
    assert words[1] == f"Round 1, move 1: Mister X moves by {action.ticket}."


def test_the_windows_are_known_at_which_everyone_saw_him() -> None:
    _, told_ = retold("classic", 5)
    assert told_.shown == {3, 8, 13, 18}
    seen = {len(step.view.log) for step in told_.steps[:-1] if step.seen}
    assert seen == told_.shown


def test_the_ending_tells_who_met_him_where() -> None:
    game, told_ = next(
        (game, told_)
        for game, told_ in (retold("current", seed) for seed in range(40))
        if told_.summary.outcome is not None and told_.summary.outcome.reason == "captured"
    )
    assert ending_words(told_)[0] == "Detectives win"
    assert ending_words(told_)[1].endswith(f"caught Mister X at {game.public.route[-1]}.")


# ---- what is refused --------------------------------------------------------------------------------------------


def test_a_game_that_is_not_over_is_never_told() -> None:
    """However much of it is written down: only where its end is written down as well, and is its end."""
    _, record = finished("classic", 1)
    for played in range(len(record.entries)):
        unfinished = replace(record, entries=record.entries[:played])
        with pytest.raises(CannotReplay, match="was not played to its end"):
            replay(unfinished, known("classic"))
        with pytest.raises(CannotReplay, match="was not played to its end"):
            summary(unfinished, known("classic"))
        early = replace(record, entries=(*unfinished.entries[: played - 1], record.entries[-1]))
        if 1 < played < len(record.entries):
            with pytest.raises(CannotReplay):
                replay(early, known("classic"))


def test_a_game_that_was_given_up_is_never_told() -> None:
    _, record = finished("classic", 1)
    given_up = replace(record, entries=(*record.entries[:-1], (9_999.0, "abandon", "{}")))
    with pytest.raises(CannotReplay, match="was not played to its end"):
        replay(given_up, known("classic"))


def test_a_damaged_record_is_told_of_without_what_stands_in_it() -> None:
    _, record = finished("junior", 1)
    for place, text in product((0, 3, -1), ("", "{", "[]", "null", '{"kind":"pawn"}', '{"rules":7}', "{}")):
        entries = list(record.entries)
        at, kind, _ = entries[place]
        entries[place] = (at, kind, text)
        with pytest.raises(CannotReplay) as told_of:
            replay(Finished(1, tuple(entries)), known("junior"))
        assert text not in str(told_of.value) or not text
        assert "game 1" in str(told_of.value)


def test_an_illegal_move_is_refused_by_its_entry() -> None:
    _, record = finished("classic", 1)
    entries = list(record.entries)
    entries[2] = entries[1]  # Mister X moves twice
    with pytest.raises(CannotReplay, match="entry 3 cannot be replayed"):
        replay(Finished(1, tuple(entries)), known("classic"))


def test_a_game_by_rules_that_are_not_here_says_so() -> None:
    _, record = finished("us", 1)
    assert "rules 'us'" in summary(record, known("classic")).trouble
    with pytest.raises(CannotReplay, match="rules 'us' of this game are no longer"):
        replay(record, known("classic"))


def test_a_game_on_a_map_that_was_changed_says_so() -> None:
    _, record = finished("classic", 1)
    london = load_map("london")
    changed = [(config().edition, london.changed(remove=london.links[:1]))]
    said = summary(record, changed)
    assert said.trouble == "The map of this game is no longer available, or has changed since."
    assert (said.rules, said.title) == ("classic", config().edition.title)  # all else is told
    assert summary_json(said)["ending"][0] in ("Mister X wins", "Detectives win")
    with pytest.raises(CannotReplay, match="has changed"):
        replay(record, changed)
