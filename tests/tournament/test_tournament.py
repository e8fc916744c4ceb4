"""A tournament plays each game once, whatever stops it, and every two entrants meet on the same deals."""

from __future__ import annotations

import csv
import json
import multiprocessing
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware_host.config import shipped_files
from firmware_host.config.loader import load
from firmware_host.players.levels.levels import LEVELS
from firmware_host.tournament import tournament_command
from firmware_host.tournament.entrants import Entrant, Pairing, Terms, TournamentError, entrant, pairings, programs
from firmware_host.tournament.one_game import LocalProcesses, Outcome, RunnerLost, Work, play, software_version
from firmware_host.tournament.results_file import COLUMNS, ResultsFile
from tests.amount import amount
from tests.players.test_player_command import EXAMPLE
from tests.waiting import until

TERMS = Terms("beginners", 0, (), 7)
EASY, MEDIUM = Entrant("easy", LEVELS["easy"]), Entrant("medium", LEVELS["medium"])


def run(*words: str) -> Result:
    return CliRunner().invoke(tournament_command.tournament, words)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def which(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in COLUMNS[:7])


def test_every_two_meet_on_the_same_deals_once_on_either_side() -> None:
    games = pairings(TERMS, [EASY, MEDIUM, Entrant("hard", LEVELS["hard"])], 6)
    assert len(games) == len({*games}) == 18
    met = Counter((game.deal, frozenset((game.mr_x.name, game.detectives.name))) for game in games)
    assert set(met.values()) == {2}


def test_the_same_seed_deals_and_plays_the_same_games() -> None:
    one, again = (play(Pairing(TERMS, 3, MEDIUM, EASY)) for _ in range(2))
    assert (one.winner, one.reason, one.rounds) == (again.winner, again.reason, again.rounds)
    assert Terms("classic", 0, (), 7).deal(3) == Terms("classic", 0, (), 7).deal(3)
    assert Terms("classic", 0, (), 7).deal(3) != Terms("classic", 0, (), 8).deal(3)


def test_what_was_played_before_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    words = ("easy", "medium", "--rules", "beginners", "--jobs", "1", "--csv", str(path))
    assert run(*words, "--games", "4").exit_code == 0
    first = path.read_text(encoding="utf-8")
    assert run(*words, "--games", "8").exit_code == 0
    assert path.read_text(encoding="utf-8").startswith(first)
    assert len(rows(path)) == len({which(row) for row in rows(path)}) == 8


@pytest.mark.parametrize("lost", [1, 20, 60, 150])
def test_a_file_that_was_cut_off_in_the_midst_loses_and_doubles_no_game(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "games.csv"
    words = ("easy", "medium", "--rules", "beginners", "--jobs", "1", "--games", "6", "--csv", str(path))
    assert run(*words).exit_code == 0
    whole = {which(row): row["winner"] for row in rows(path)}
    path.write_bytes(path.read_bytes()[:-lost])
    assert run(*words).exit_code == 0
    assert {which(row): row["winner"] for row in rows(path)} == whole
    assert len(rows(path)) == 6


def test_an_option_at_its_default_is_as_one_that_is_left_out(tmp_path: Path) -> None:
    words = ("easy", "medium", "--games", "2", "--jobs", "1", "--csv", str(tmp_path / "games.csv"))
    assert run(*words).exit_code == 0
    told = run(*words, "--option", "last_chance=false", "--option", "log_windows=24")
    assert told.exit_code == 0
    assert "2 of 2 games were played before" in told.output


def test_games_on_tiles_of_which_other_light_sides_lie_up_are_other_games(tmp_path: Path) -> None:
    words = ("easy", "medium", "--games", "2", "--jobs", "1", "--csv", str(tmp_path / "games.csv"))
    words = (*words, "--rules", "dice", "--players", "4", "--option", "experts=true", "--option")
    for layout in ("aBC DeF GHi", "AbC DEf gHI"):
        told = run(*words, f"layout={layout}")
        assert told.exit_code == 0
        assert "played before" not in told.output
    assert len(rows(tmp_path / "games.csv")) == 4


@pytest.mark.parametrize(
    ("played", "kept", "said"),
    [
        (0, False, ""),
        (1, False, "the played games are lost; --csv would have stored them"),
        (0, True, ""),
        (1, True, "the same command plays the rest"),
    ],
)
def test_what_becomes_of_games_is_said_only_if_some_were_played(
    played: int, kept: bool, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Stops(LocalProcesses):
        def play(self, play: Callable[[Work], Outcome], games: Sequence[Work]) -> Generator[Outcome]:
            yield from super().play(play, games[:played])
            raise RunnerLost("no more")

    monkeypatch.setattr(tournament_command, "runner_of", lambda *_: Stops(1))
    words = ("--csv", str(tmp_path / "games.csv")) if kept else ()
    told = run("easy", "medium", "--rules", "beginners", "--games", "2", *words)
    assert told.exit_code == 1
    assert "no more" in told.output
    assert ("the played games" in told.output) == bool(said)
    assert said in told.output


@pytest.mark.parametrize("kept", [False, True])
def test_an_error_of_the_system_is_no_complaint_of_the_file_of_results(
    kept: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Refused(LocalProcesses):
        def play(self, play: Callable[[Work], Outcome], games: Sequence[Work]) -> Generator[Outcome]:  # noqa: ARG002
            raise OSError(11, "no more processes")

    monkeypatch.setattr(tournament_command, "runner_of", lambda *_: Refused(2))
    words = ("--csv", str(tmp_path / "games.csv")) if kept else ()
    told = run("easy", "medium", "--rules", "beginners", "--games", "2", *words)
    assert isinstance(told.exception, OSError)
    assert "--csv" not in told.output


def test_processes_play_the_same_games_as_one(tmp_path: Path) -> None:
    found = []
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.csv"
        words = ("easy", "medium", "--rules", "beginners", "--games", str(amount(4, 200)), "--csv", str(path))
        assert run(*words, "--jobs", jobs).exit_code == 0
        found.append({which(row): (row["winner"], row["rounds"]) for row in rows(path)})
    assert found[0] == found[1]


def test_the_standings_are_told_and_written(tmp_path: Path) -> None:
    path = tmp_path / "standings.json"
    told = run("easy", "medium", "--rules", "beginners", "--games", "4", "--jobs", "1", "--json", str(path))
    assert "easy against medium" in told.output
    assert "n = 4" in told.output
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["meetings"][0]["shares"]["together"]["games"] == 4
    assert sum(written["elo"].values()) == pytest.approx(0)


def test_standings_say_what_was_played_and_by_which_yardboard(tmp_path: Path) -> None:
    games, standings = tmp_path / "games.csv", tmp_path / "standings.json"
    words = ("easy", "medium", "--rules", "us", "--option", "cut_off=true", "--seed", "5", "--jobs", "1", "--games")
    where = ("--csv", str(games), "--json", str(standings))
    assert run(*words, "2", *where).exit_code == 0
    games.write_text(games.read_text(encoding="utf-8").replace(software_version(), "an old one"), encoding="utf-8")
    told = run(*words, "4", *where)
    assert told.exit_code == 0
    assert "2 by an old one" in told.output
    assert f"2 by {software_version()}" in told.output
    written = json.loads(standings.read_text(encoding="utf-8"))
    assert written["versions"] == {"an old one": 2, software_version(): 2}
    assert (written["rules"], written["options"], written["seed"]) == ("us", {"cut_off": True}, 5)


@pytest.mark.parametrize(
    ("place", "complaint"),
    [("nowhere/standings.json", "there is no folder"), ("/proc/standings.json", "cannot be written")],
)
def test_standings_that_cannot_be_written_are_told_before_anything_is_played(
    place: str, complaint: str, tmp_path: Path
) -> None:
    games = tmp_path / "games.csv"
    told = run("easy", "medium", "--games", "2", "--csv", str(games), "--json", str(tmp_path / place))
    assert told.exit_code == 2
    assert complaint in told.output
    assert not games.exists()


def test_standings_are_not_written_over_the_results(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    told = run("easy", "medium", "--games", "2", "--csv", str(path), "--json", str(tmp_path / "." / "games.csv"))
    assert told.exit_code == 2
    assert "is also the file of --csv" in told.output
    assert not path.exists()


@pytest.mark.parametrize("option", ["--csv", "--config"])
def test_standings_are_not_written_over_another_file_by_whatever_name(option: str, tmp_path: Path) -> None:
    path, other = tmp_path / "mine", tmp_path / "other"
    what = (shipped_files.folder() / "simulator.toml").read_text(encoding="utf-8")
    path.write_text(what if option == "--config" else f"{','.join(COLUMNS)}\n", encoding="utf-8")
    before = path.read_bytes()
    other.hardlink_to(path)
    for name in (path, other):
        told = run("easy", "medium", "--rules", "beginners", "--games", "2", option, str(path), "--json", str(name))
        assert told.exit_code == 2, told.output
        assert f"is also the file of {option}; name another" in told.output
        assert path.read_bytes() == before


@pytest.mark.parametrize(("column", "value"), [("winner", "nobody"), ("rounds", "many"), ("mr_x_ms", "-")])
def test_a_line_of_results_that_makes_no_sense_is_told(column: str, value: str, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    words = ("easy", "medium", "--rules", "beginners", "--jobs", "1", "--games", "2", "--csv", str(path))
    assert run(*words).exit_code == 0
    found = rows(path)
    found[1][column] = value
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)
    told = run(*words)
    assert told.exit_code == 2
    assert "games.csv: line 3: " in told.output


@pytest.fixture
def table_with_programs(tmp_path: Path) -> str:
    """A configuration with two programs: one that plays, and one that ends when it is asked for a move."""
    (tmp_path / "forty.py").write_text(EXAMPLE.text, encoding="utf-8")
    (tmp_path / "gone.py").write_text(EXAMPLE.text.replace('case "go":', 'case "go": break'), encoding="utf-8")
    text = (shipped_files.folder() / "simulator.toml").read_text(encoding="utf-8")
    for name in ("forty", "gone"):
        text += f'\n[players.{name}]\ncommand = [{json.dumps(sys.executable)}, "-I", "{name}.py"]\nms = 50\n'
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    return str(tmp_path / "table.toml")


def test_a_program_of_the_configuration_plays_against_our_levels(table_with_programs: str, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    told = run("forty", "medium", "--config", table_with_programs, "--games", "4", "--jobs", "2", "--csv", str(path))
    assert told.exit_code == 0, told.output
    assert {row["mr_x"] for row in rows(path)} == {"forty", "medium"}
    assert not any(row["reason"].startswith("failed") for row in rows(path))
    assert "longest answer of forty" in told.output


def test_a_program_that_fails_has_lost_and_why_is_told(table_with_programs: str, tmp_path: Path) -> None:
    path = str(tmp_path / "games.csv")
    told = run("gone", "easy", "--config", table_with_programs, "--games", "2", "--jobs", "1", "--csv", path)
    assert told.exit_code == 0, told.output
    assert "gone failed in 2 games, and lost them; it ended with status 1" in told.output
    assert {row["reason"] for row in rows(Path(path))} == {"failed: it ended with status 1"}
    assert re.search(r"won together\s+0\.0%", told.output)


def test_an_unknown_player_without_a_configuration_is_told_where_programs_come_from() -> None:
    told = run("deep", "easy")
    assert told.exit_code == 2
    assert "deep: unknown player; players are easy, medium, skilled, hard, expert; to add" in told.output
    assert "--config FILE" in told.output


def test_who_may_be_named_is_told_with_the_programs(table_with_programs: str) -> None:
    told = run("forty", "deep", "--config", table_with_programs)
    assert told.exit_code == 2
    assert "easy, medium, skilled, hard, expert, forty, gone" in told.output
    box, others = TERMS.box, programs(load(table_with_programs))
    assert entrant("forty/strong@70", box, None, others).name == "forty/strong@70"
    with pytest.raises(TournamentError, match="forty/: unknown player"):
        entrant("forty/", box, None, others)
    assert entrant("forty@50", box, None, others).name == "forty"


@pytest.mark.parametrize(
    "what",
    [b"dear,diary\n", "caf\xe9\n".encode("latin-1"), f"{','.join(COLUMNS)}\n{'x' * 200_000}\n".encode()],
    ids=["something else", "not in UTF-8", "a field without end"],
)
def test_a_file_of_something_else_is_left_alone(what: bytes, tmp_path: Path) -> None:
    path = tmp_path / "diary.csv"
    path.write_bytes(what)
    with pytest.raises(TournamentError, match="is not a file of results"):
        ResultsFile(path, [])
    assert path.read_bytes() == what


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("easy",), "at least two players"),
        (("easy", "easy"), "each once"),
        (("easy", "master"), "easy, medium, skilled, hard, expert"),
        (("easy", "expert@0"), "milliseconds from 1"),
        (("easy", f"expert@{'9' * 5000}"), "milliseconds from 1"),
        (("easy", "expert", "--rules", "dice"), "easy, medium, hard"),
        (("easy", "medium", "--games", "5"), "odd"),
        (("easy", "medium", "--option", "cut_off"), "NAME=VALUE"),
        (("easy", "medium", "--option", "cut_off=true"), "unknown option"),
        (("easy", "medium", "--option", "log_windows=9", "--option", "log_windows=abc"), "log_windows: is named more"),
        (("easy", "medium", "--option", "log_windows=9", "--option", "log_windows=9"), "log_windows: is named more"),
        (("easy", "medium", "--option", f"log_windows={'9' * 5000}"), "log_windows: a number of 5000 digits"),
        (("easy", "medium", "--option", "last_chance=0"), "--option: last_chance: 0 is not true or false"),
        (("easy", "medium", "--rules", "dice", "--option", "layout=ABC"), "--option: layout 'ABC': write three rows"),
        (("easy", "medium", "--players", "9"), "players: 9"),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is(words: tuple[str, ...], complaint: str) -> None:
    told = run(*words)
    assert told.exit_code == 2
    assert complaint in told.output


def test_a_time_of_its_own_is_part_of_an_entrants_name() -> None:
    box = TERMS.box
    assert entrant("expert@100", box).name == "expert@100"
    assert entrant("expert", box).name == "expert"
    assert entrant("expert", box, 20).name == "expert@20"
    assert entrant("expert@100", box, 20).level.ms == 100


def test_a_process_that_is_killed_is_told_and_not_waited_for() -> None:
    playing = LocalProcesses(2).play(play, pairings(TERMS, [EASY, MEDIUM], 2000))
    next(playing)
    for process in multiprocessing.active_children():
        process.kill()
    with pytest.raises(RunnerLost, match="a process that plays was killed"):
        list(playing)


def test_processes_end_when_nobody_asks_for_results_any_more() -> None:
    playing = LocalProcesses(2).play(play, pairings(TERMS, [EASY, MEDIUM], 2000))
    next(playing)
    processes = multiprocessing.active_children()
    playing.close()
    # The pool's own thread waits for them, too, and one of the two who wait learns a moment later.
    until(lambda: not any(process.is_alive() for process in processes), "the processes to end")


def test_programs_that_do_not_end_by_themselves_end_with_the_processes_that_play(
    table_with_programs: str, tmp_path: Path
) -> None:
    deaf = "import os, signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)"
    thinks = EXAMPLE.text.replace('case "go":', 'case "go":\n            time.sleep(0.02)')
    (tmp_path / "forty.py").write_text(f"{deaf}\n{thinks}\ntime.sleep(600)\n", encoding="utf-8")
    forty = entrant("forty", TERMS.box, None, programs(load(table_with_programs)))
    playing = LocalProcesses(2).play(play, pairings(TERMS, [forty, MEDIUM], 2000))
    next(playing)

    def runs_here(process: Path) -> bool:
        with suppress(OSError):  # it has just ended
            return (
                os.fsencode(tmp_path) in (process / "cmdline").read_bytes() or (process / "cwd").readlink() == tmp_path
            )
        return False

    def running() -> list[Path]:
        return [process for process in Path("/proc").glob("[0-9]*") if runs_here(process)]

    until(running, "a program in the midst of a game")
    playing.close()
    until(lambda: not running(), "the programs to end")


@pytest.mark.parametrize(
    ("missing", "words"), [("choix", ()), ("scipy", ()), ("distributed", ("--cluster", "tcp://10.0.0.5:8786"))]
)
def test_a_package_that_is_missing_is_told_with_what_installs_it(
    missing: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament_command, "find_spec", lambda name: None if name == missing else object())
    told = run("easy", "medium", *words)
    assert told.exit_code == 1
    remedy = f"{sys.executable} -m pip install '.[tournament]' in yardboard's folder"
    assert f"tournament needs {missing}; install with: {remedy}" in told.output
