from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from firmware_host.journal.journal import Journal, set_aside
from firmware_host.journal.store_port import MEMORY, DamagedJournal, JournalError, UnwritableJournal
from firmware_host.rules.actions import Action, PawnMove
from firmware_host.rules.game import Game
from firmware_host.rules.setup import Setup
from firmware_host.rules.views import Outcome
from tests.amount import amount
from tests.rules.boards import CLASSIC, lanes, london, random_setup, setup_of

ROOT = Path(__file__).parents[2]
NETWORK = london().network


def sample(seed: int = 0) -> tuple[Setup, list[Action]]:
    """A random game on the London map, played to its end, of a hundred actions at least."""
    chance = random.Random(seed)
    while True:
        game = Game(setup_of(london(), *chance.sample(NETWORK.start_cards, 5)))
        while game.legal:
            game.play(chance.choice(game.legal))
        if len(game.actions) >= 100:
            return game.setup, game.actions


def written(path: Path, actions: int = 40) -> list[Action]:
    """A closed journal with one unfinished game in it, and what was played."""
    setup, played = sample()
    with Journal.open(path) as journal:
        journal.begin(setup, 1.0)
        for action in played[:actions]:
            journal.play(action, 2.0)
    return played[:actions]


def found(path: Path) -> list[Action] | None:
    with Journal.open(path) as journal:
        game = journal.newest([CLASSIC], NETWORK)
    return None if game is None else game.actions


def same(one: Game, other: Game) -> bool:
    return (one.public, one.private, one.legal, one.actions) == (
        other.public,
        other.private,
        other.legal,
        other.actions,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "yard" / "journal.db"


# ---- playing and resuming --------------------------------------------------------------------------------------


def test_every_prefix_of_a_game_resumes_to_the_same_views() -> None:
    setup, played = sample()
    game, journal = Game(setup), Journal.open(MEMORY)
    with journal:
        journal.begin(setup, 0.0)
        for number, action in enumerate(played):
            journal.play(action, float(number))
            game.play(action)
            resumed = journal.newest([CLASSIC], NETWORK)
            assert resumed is not None
            assert same(resumed, game)


def test_a_finished_game_is_still_to_be_seen_but_no_longer_in_play(path: Path) -> None:
    played = written(path)
    with Journal.open(path) as journal:
        assert journal.in_play
        journal.finish(Outcome("detectives", "captured"), 9.0)
        assert not journal.in_play
    assert found(path) == played
    with Journal.open(path) as journal:
        assert not journal.in_play


def test_a_new_game_marks_the_unfinished_one_as_abandoned(path: Path) -> None:
    written(path)
    setup, played = sample(7)
    with Journal.open(path) as journal:
        journal.begin(setup, 5.0)
        journal.play(played[0], 6.0)
        journal.finish(Outcome("mr_x", "log_full"), 7.0)
    assert found(path) == played[:1]  # not the older one
    with closing(sqlite3.connect(path)) as connection:
        kinds = [kind for (kind,) in connection.execute("SELECT kind FROM entries ORDER BY seq")]
    assert kinds == ["begin"] + ["play"] * 40 + ["abandon", "begin", "play", "finish"]


def test_a_game_that_was_given_up_is_not_resumed(path: Path) -> None:
    written(path)
    with Journal.open(path) as journal:
        journal.abandon(5.0)
    assert found(path) is None


def test_take_back_is_an_entry_and_deletes_nothing(path: Path) -> None:
    setup, played = sample()
    last = next(n for n, action in enumerate(played) if isinstance(action, PawnMove))
    with Journal.open(path) as journal:
        journal.begin(setup, 0.0)
        for action in played[: last + 1]:
            journal.play(action, 1.0)
        journal.take_back(2.0)
    assert found(path) == played[:last]
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT seq, at, kind FROM entries").fetchall()
    assert [seq for seq, _, _ in rows] == list(range(1, last + 4))
    assert rows[-2:] == [(last + 2, 1.0, "play"), (last + 3, 2.0, "take_back")]


def test_a_journal_knows_whether_it_ends_with_what_was_taken_back_while_its_pawns_stood_there(path: Path) -> None:
    setup, played = sample()
    last = next(n for n, action in enumerate(played) if isinstance(action, PawnMove))
    with Journal.open(path) as journal:
        assert not journal.taken_home
        journal.begin(setup, 0.0)
        for action in played[: last + 2]:
            journal.play(action, 1.0)
        journal.take_back(2.0)
        assert not journal.taken_home
        journal.play(played[last + 1], 3.0)
        journal.take_back(4.0, 2, home=True)
        assert journal.taken_home
    with Journal.open(path) as journal:
        assert journal.taken_home
        game = journal.newest([CLASSIC], NETWORK)
        assert game is not None
        assert game.actions == played[:last]
        journal.play(played[last], 5.0)
        assert not journal.taken_home


@pytest.mark.parametrize(
    "act",
    [
        lambda journal: journal.play(PawnMove("red", 1, "taxi"), 0.0),
        lambda journal: journal.take_back(0.0),
        lambda journal: journal.finish(Outcome("mr_x", "log_full"), 0.0),
    ],
)
def test_nothing_is_accepted_while_no_game_is_in_play(act: Callable[[Journal], None]) -> None:
    with Journal.open(MEMORY) as journal, pytest.raises(JournalError, match="no game is in play"):
        act(journal)


def test_a_closed_journal_says_so(path: Path) -> None:
    journal = Journal.open(path)
    journal.close()
    with pytest.raises(JournalError, match="is closed"):
        journal.begin(sample()[0], 0.0)


class Plays(RuleBasedStateMachine):
    """Any course of games, take-backs, ends and restarts: the journal knows the game as it is."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "journal.db"
        self.board = lanes(3)
        self.journal = Journal.open(self.path)
        self.game: Game | None = None

    @initialize()
    def first(self) -> None:
        self.begin(1)

    @rule(seed=st.integers(0, 1000))
    def begin(self, seed: int) -> None:
        setup = random_setup(self.board, random.Random(seed))
        self.journal.begin(setup, 0.0)
        self.game = Game(setup)

    @precondition(lambda self: self.game and self.game.legal)
    @rule(data=st.data())
    def play(self, data: st.DataObject) -> None:
        assert self.game is not None
        action = data.draw(st.sampled_from(self.game.legal))
        self.game.play(action)
        self.journal.play(action, 1.0)

    @precondition(lambda self: self.game and self.game.returnable)
    @rule()
    def take_back(self) -> None:
        assert self.game is not None
        self.game.take_back()
        self.journal.take_back(2.0)

    @precondition(lambda self: self.game and self.game.public.outcome and self.journal.in_play)
    @rule()
    def finish(self) -> None:
        assert self.game is not None
        assert self.game.public.outcome is not None
        self.journal.finish(self.game.public.outcome, 3.0)

    @rule()
    def restart(self) -> None:
        self.journal.close()
        self.journal = Journal.open(self.path)

    @rule()
    def resumes(self) -> None:
        resumed = self.journal.newest([CLASSIC], self.board.network)
        if self.game is None:
            assert resumed is None
        else:
            assert resumed is not None
            assert same(resumed, self.game)

    def teardown(self) -> None:
        self.resumes()
        self.journal.close()
        self.folder.cleanup()


TestPlays = Plays.TestCase
TestPlays.settings = settings(max_examples=amount(10, 40), stateful_step_count=40, deadline=None)


# ---- kept to oneself -------------------------------------------------------------------------------------------


def modes(folder: Path) -> dict[str, int]:
    return {file.name: file.stat().st_mode & 0o777 for file in folder.iterdir()}


def test_files_are_0600_in_a_new_0700_folder_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        with Journal.open(path) as journal:
            journal.begin(sample()[0], 0.0)
            while_open = modes(path.parent)
    finally:
        os.umask(before)
    assert set(while_open) >= {"journal.db", "journal.db-wal"}
    assert set(while_open.values()) == {0o600}
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert modes(path.parent) == {"journal.db": 0o600}


def test_a_file_that_others_could_read_is_closed_to_them(path: Path) -> None:
    written(path)
    path.chmod(0o644)
    assert found(path) is not None
    assert modes(path.parent) == {"journal.db": 0o600}


def test_a_second_daemon_on_one_journal_is_refused(path: Path) -> None:
    with (
        Journal.open(path),
        pytest.raises(UnwritableJournal, match=r"is in use by another table: stop that one"),
    ):
        Journal.open(path)


# ---- killed ----------------------------------------------------------------------------------------------------


def play_on(path: str) -> None:
    """Run in a child: resume the sample game and play one action for each line that comes in; tell of each."""
    setup, played = sample()
    with Journal.open(path) as journal:
        game = journal.newest([CLASSIC], NETWORK)
        if game is None:
            journal.begin(setup, 0.0)
        for number, _ in enumerate(sys.stdin, 0 if game is None else len(game.actions)):
            journal.play(played[number], 0.0)
            print(number + 1, flush=True)  # noqa: T201


def child(call: str) -> subprocess.Popen[str]:
    """A process of its own that calls a function of one of these test modules."""
    code = f"from tests.journal import test_journal, test_journal_refuses; {call}"
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def kill_in_play(path: Path, actions: int) -> int:
    """A child plays so many actions and is killed while it is at the next two; how many it said were accepted."""
    with child(f"test_journal.play_on({str(path)!r})") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("\n" * (actions + 2))
        process.stdin.flush()
        told = [process.stdout.readline() for _ in range(actions)]
        process.kill()
        told += process.stdout.read().split()
    assert process.returncode == -signal.SIGKILL
    return max(map(int, told))


def test_kill_9_loses_nothing_that_was_accepted(path: Path) -> None:
    chance, played = random.Random(5), sample()[1]
    for _ in range(amount(2, 12)):
        accepted = kill_in_play(path, chance.randrange(1, 6))
        actions = found(path)
        assert actions is not None
        assert accepted <= len(actions) <= accepted + 1
        assert actions == played[: len(actions)]


def killed(path: Path) -> list[Action]:
    """A journal as a killed daemon leaves it, with its write-ahead log, and the game it was playing: 12 or more."""
    kill_in_play(path, 12)
    assert Path(f"{path}-wal").stat().st_size > 0
    return sample()[1]


def test_a_wrong_byte_in_the_log_of_a_killed_daemon_loses_nothing(path: Path) -> None:
    played, log = killed(path), Path(f"{path}-wal")
    file, frames = path.read_bytes(), log.read_bytes()
    counts = set()
    for place in [*range(60), *range(60, len(frames), 611)]:
        path.write_bytes(file)
        log.write_bytes(frames[:place] + bytes([frames[place] ^ 0x55]) + frames[place + 1 :])
        try:
            actions = found(path)
        except DamagedJournal:
            continue
        assert actions is not None
        assert actions == played[: len(actions)]
        counts.add(len(actions))
    # The kill may have struck before the last, not yet accepted action went from the log into the file.
    assert min(counts) >= 12
    assert max(counts) - min(counts) <= 1


def test_a_log_without_its_journal_is_refused_not_started_afresh(path: Path) -> None:
    killed(path)
    path.unlink()
    with pytest.raises(DamagedJournal, match=r"journal\.db: is gone, but journal\.db-wal, a part of it, is still"):
        Journal.open(path)
    aside = set_aside(path, "now")
    assert [file.name for file in path.parent.iterdir()] == [f"{aside.name}-wal"]
    assert found(path) is None
