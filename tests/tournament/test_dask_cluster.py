"""A cluster plays the same games as one machine, each once, whoever comes and goes meanwhile."""

from __future__ import annotations

import csv
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.players.levels.levels import LEVELS
from firmware_host.tournament import tournament_command
from firmware_host.tournament.entrants import Entrant, Pairing, Terms, pairings
from firmware_host.tournament.one_game import GameRunner, LocalProcesses, Result, RunnerLost, play
from tests.commands import COMMAND, yardboard
from tests.tournament.cluster_speed import main
from tests.tournament.dask_processes import (
    NO_ROOM,
    OLD,
    PATIENCE,
    DaskProcesses,
    cluster_at,
    dask_processes,
    kill,
    until,
)

EASY, MEDIUM = Entrant("easy", LEVELS["easy"]), Entrant("medium", LEVELS["medium"])
GAMES = pairings(Terms("beginners", 0, (), 7), [EASY, MEDIUM], 12)
SHORT = 1.0
"""Seconds to wait for what never comes."""

HELD = 4
"""Games that are sent at most, and not ended, with two workers."""

LONGER = 15.0
"""Seconds to wait for what comes at first, and then never again."""


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[DaskProcesses]:
    with dask_processes(tmp_path) as processes:
        yield processes


def cluster(dask: DaskProcesses, patience: float = PATIENCE, said: list[str] | None = None) -> GameRunner:
    return cluster_at(dask.address, patience=patience, say=(said if said is not None else []).append)


def told(results: Iterable[Result]) -> Counter[tuple[Pairing, str, str, int]]:
    """What does not depend on how fast a machine is."""
    return Counter((result.pairing, result.winner, result.reason, result.rounds) for result in results)


def rows(path: Path) -> list[list[str]]:
    """The lines of a file of results without its head; a last one that is not whole is none."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [row[:10] for row in csv.reader(text[: text.rfind("\n") + 1].splitlines()[1:])]


@pytest.fixture(scope="module")
def local() -> Counter[tuple[Pairing, str, str, int]]:
    return told(LocalProcesses(1).play(play, GAMES))


def test_the_command_writes_the_same_file_by_a_cluster_and_goes_on_with_it(dask: DaskProcesses, tmp_path: Path) -> None:
    dask.start_worker("one")
    words = ["easy", "medium", "--rules", "beginners", "--seed", "7"]
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    for games in ("2", "6"):
        far = ["--cluster", dask.address, "--wait", str(PATIENCE), "--csv", str(there), "--games", games]
        done = CliRunner().invoke(tournament_command.tournament, [*words, *far])
        assert done.exit_code == 0, done.output
    near = ["--jobs", "1", "--csv", str(here), "--games", "6"]
    assert CliRunner().invoke(tournament_command.tournament, [*words, *near]).exit_code == 0
    assert sorted(rows(there)) == sorted(rows(here))
    assert len(rows(there)) == 6


def test_a_worker_that_is_killed_in_the_midst_loses_and_doubles_no_game(
    dask: DaskProcesses, local: Counter[tuple[Pairing, str, str, int]]
) -> None:
    one = dask.start_worker("one")
    playing = cluster(dask).play(play, GAMES)
    results = [next(playing)]
    one.send_signal(signal.SIGSTOP)  # from now on it holds its games, and ends none
    dask.start_worker("two")
    rest = ThreadPoolExecutor(1).submit(lambda: [results.append(result) for result in playing])
    until(lambda: len(results) >= len(GAMES) - HELD, "all games but those that the one may hold")
    kill(one)
    rest.result(PATIENCE)
    assert told(results) == local


@pytest.mark.long
def test_a_worker_with_another_yardboard_is_refused_and_the_others_play(
    dask: DaskProcesses, local: Counter[tuple[Pairing, str, str, int]]
) -> None:
    dask.start_worker("old", first=OLD)
    dask.start_worker("one")
    said: list[str] = []
    assert told(cluster(dask, said=said).play(play, GAMES)) == local
    (line,) = said
    assert "is refused: it has 0.0.9 (code" in line
    assert "here is yardboard 0.1.0 (code" in line


@pytest.mark.long
def test_a_cluster_of_none_but_other_yardboards_plays_nothing_and_says_what_to_do(dask: DaskProcesses) -> None:
    dask.start_worker("old", first=OLD)
    with pytest.raises(RunnerLost, match=f"no worker with yardboard .*; start one with: dask worker {dask.address}"):
        list(cluster(dask, SHORT).play(play, GAMES))


@pytest.mark.long
def test_a_game_that_fails_on_its_worker_ends_it_with_a_reason(dask: DaskProcesses) -> None:
    dask.start_worker("full", first=NO_ROOM)
    with pytest.raises(RunnerLost, match="the game failed on its worker: /full/disk: No space left on device; "):
        list(cluster(dask).play(play, GAMES))


def test_tls_without_certificates_is_told() -> None:
    with pytest.raises(RunnerLost, match=r"tls://127\.0\.0\.1:9: TLS .*; set them in Dask's configuration"):
        list(cluster_at("tls://127.0.0.1:9", patience=SHORT, say=print).play(play, GAMES))


def test_a_scheduler_that_is_not_there_is_told() -> None:
    with socket.socket() as nobody:  # bound, and deaf
        nobody.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{nobody.getsockname()[1]}"
        done = CliRunner().invoke(
            tournament_command.tournament, ["easy", "medium", "--cluster", address, "--wait", str(SHORT)]
        )
    assert done.exit_code == 1
    assert f"{address}: no scheduler answers within 1 s; start one with: dask scheduler" in done.output


@pytest.mark.long
def test_a_scheduler_that_is_lost_for_good_ends_it_with_a_reason(dask: DaskProcesses) -> None:
    one = dask.start_worker("one")
    playing = cluster(dask, LONGER).play(play, GAMES)
    next(playing)
    one.send_signal(signal.SIGSTOP)
    rest = ThreadPoolExecutor(1).submit(list, playing)
    until(lambda: dask.held()["one"], "a game to be held")
    kill(dask.scheduler)
    with pytest.raises(RunnerLost, match="the scheduler is lost and did not come back within 15 s"):
        rest.result(PATIENCE)


@pytest.mark.parametrize("meanwhile", ["somebody waits", "nobody waits"])
@pytest.mark.long
def test_a_scheduler_that_comes_back_goes_on(
    meanwhile: str, dask: DaskProcesses, local: Counter[tuple[Pairing, str, str, int]]
) -> None:
    one = dask.start_worker("one")
    playing = cluster(dask).play(play, GAMES)
    results = [next(playing)]
    one.send_signal(signal.SIGSTOP)
    if meanwhile == "somebody waits":
        rest = ThreadPoolExecutor(1).submit(list, playing)
        until(lambda: dask.held()["one"], "a game to be held")
    kill(dask.scheduler)
    dask.start_scheduler()
    dask.start_worker("two")
    if meanwhile == "nobody waits":
        rest = ThreadPoolExecutor(1).submit(list, playing)
    assert told([*results, *rest.result(PATIENCE)]) == local


@pytest.mark.long
def test_control_c_keeps_what_was_played_even_if_a_worker_is_stuck(dask: DaskProcesses, tmp_path: Path) -> None:
    one, path = dask.start_worker("one"), tmp_path / "games.csv"
    words = ["tournament", "easy", "medium", "--rules", "beginners", "--csv", str(path)]
    far = ["--cluster", dask.address, "--wait", str(PATIENCE)]
    with subprocess.Popen(
        [*COMMAND, *words, *far, "--games", "2000"], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as command:
        try:
            until(lambda: len(rows(path)) >= 3, "some games")
            one.send_signal(signal.SIGSTOP)
            command.send_signal(signal.SIGINT)
            _, complaint = command.communicate(timeout=PATIENCE)
        finally:
            command.kill()  # one that goes on would be waited for without end
    assert command.returncode == 130, complaint
    kept = rows(path)
    assert f"the played games are in {path}; the same command plays the rest" in complaint
    one.send_signal(signal.SIGCONT)
    games = 2 * len(kept) + 2
    done = CliRunner().invoke(tournament_command.tournament, [*words[1:], *far, "--games", str(games)])
    assert done.exit_code == 0, done.output
    assert f"n = {games})" in done.output
    assert rows(path)[: len(kept)] == kept
    assert len({tuple(row) for row in rows(path)}) == len(rows(path))


@pytest.fixture
def control_c_is_heard() -> Iterator[None]:
    """Lets Control-C interrupt this process, also where a shell has ignored it, and do nothing else.

    A command that was tried in this process before may have left a thread that ends it some time after a signal.
    """
    before, told = signal.signal(signal.SIGINT, signal.default_int_handler), signal.set_wakeup_fd(-1)
    yield
    signal.set_wakeup_fd(told)
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("control_c_is_heard")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_control_c_is_not_lost_where_python_drops_what_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dask import config  # noqa: PLC0415 - heavy: see `cluster_at`
    from distributed import Future, LocalCluster  # noqa: PLC0415

    def delete(_: object) -> None:
        if threading.current_thread() is threading.main_thread():
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Future, "__del__", delete)
    path, words = tmp_path / "games.csv", ("easy", "medium", "--rules", "beginners", "--games", "20")
    any_port = "127.0.0.1:0"
    with (
        config.set(temporary_directory=str(tmp_path)),
        LocalCluster(n_workers=1, processes=False, protocol="tcp", dashboard_address=any_port) as here,
    ):
        far = ("--cluster", here.scheduler_address, "--wait", str(PATIENCE), "--csv", path)
        stopped = yardboard("tournament", *words, *far, status=130)
    assert "the same command plays the rest" in stopped.stderr
    assert 0 < len(rows(path)) < 20


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--cluster", "10.0.0.5"), "write it as tcp://HOST:PORT"),
        (("--cluster", "tcp://10.0.0.5:65536"), "the port at most 65535"),
        (("--cluster", "tcp://10.0..5:8786"), "write it as tcp://HOST:PORT"),
        (("--cluster", "tcp://10.0.0.5:0"), "write it as tcp://HOST:PORT"),
        (("--cluster", f"tcp://10.0.0.5:{'9' * 5000}"), "the port at most 65535"),
        (("--cluster", "tcp://10.0.0.5:\N{ARABIC-INDIC DIGIT EIGHT}786"), "write it as tcp://HOST:PORT"),
        (("--cluster", "tcp://\N{ARABIC-INDIC DIGIT EIGHT}.0.0.5:8786"), "write it as tcp://HOST:PORT"),
        (("--cluster", "tcp://::1:8786"), "tcp://[::1]:8786"),
        (("--cluster", "tcp://10.0.0.5:8786", "--jobs", "2"), "--jobs and --cluster: give only one of them"),
    ],
)
def test_what_cannot_be_meant_is_said(words: tuple[str, ...], complaint: str) -> None:
    done = CliRunner().invoke(tournament_command.tournament, ["easy", "medium", *words])
    assert done.exit_code == 2
    assert complaint in done.output


@pytest.mark.parametrize(
    "address", ["tcp://[::1]:8786", "tls://[fe80::10.0.0.5]:1", "tcp://board-1.local:65535", "tcp://m\u00fcnchen:1"]
)
def test_an_address_of_any_kind_is_taken(address: str) -> None:
    assert not isinstance(tournament_command.runner_of(None, address, SHORT), LocalProcesses)


def test_whoever_plays_on_this_machine_alone_loads_nothing_of_dask() -> None:
    code = (
        "import sys; from firmware_host.cli import main\n"
        "try: main(['tournament', 'easy', 'medium', '--rules', 'beginners', '--games', '2', '--jobs', '1'])\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "print(sorted({name.partition('.')[0] for name in sys.modules} & {'dask', 'distributed', 'tornado'}))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == "[]"


class SlowToExplain:
    """A game that has failed on a worker which then hangs: at first nobody can say why it failed."""

    status = "error"

    def __init__(self) -> None:
        self.asked = 0

    def exception(self, timeout: float) -> Exception:
        assert timeout < PATIENCE
        self.asked += 1
        if self.asked == 1:
            raise TimeoutError
        return ValueError("no such map")

    def cancelled(self) -> bool:
        return False


def test_a_game_whose_failure_cannot_be_fetched_yet_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from firmware_host.tournament import dask_cluster  # noqa: PLC0415 - heavy: see `cluster_at`

    future: Any = SlowToExplain()
    monkeypatch.setattr(dask_cluster, "wait", lambda games, **_: SimpleNamespace(done=set(games)))
    client: Any = SimpleNamespace(as_current=nullcontext)
    dispatch = dask_cluster._Dispatch(client, "tcp://nowhere", play, [], SHORT, lambda _: None)
    dispatch._sent[future] = GAMES[0], frozenset()
    assert list(dispatch._ended()) == []
    with pytest.raises(RunnerLost, match="the game failed on its worker: no such map; "):
        list(dispatch._ended())


# ---- how fast it plays ----


@pytest.mark.long
def test_each_count_of_workers_has_its_games_a_second() -> None:
    words = ["easy", "medium", "--games", "4", "--workers", "1", "--workers", "2", "--rules", "beginners"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert [line.split(":")[0] for line in lines] == ["1 workers", "2 workers"]
    assert all(float(line.split()[2]) > 0 for line in lines)
