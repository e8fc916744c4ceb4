"""A file of results loses no game, whatever stops it; what follows from it is as in the books."""

from __future__ import annotations

import math
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import firmware_host
from firmware_host.players.levels.levels import LEVELS
from firmware_host.tournament.entrants import Entrant, Pairing, Terms, TournamentError, pairings
from firmware_host.tournament.one_game import Result, software_version
from firmware_host.tournament.results_file import COLUMNS, ResultsFile
from firmware_host.tournament.standings import AS_DETECTIVES, AS_MR_X, TOGETHER, Share, elo, meetings

HEAD = ",".join(COLUMNS) + "\n"
GAMES = pairings(Terms("beginners", 0, (), 7), [Entrant(name, LEVELS[name]) for name in ("easy", "medium")], 4)
RESULTS = [Result(game, "mr_x", "escaped", 22, 1.5, 2.5, 0.25, "this one") for game in GAMES]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with all results but the last."""
    file = ResultsFile(tmp_path / "games.csv", GAMES)
    for result in RESULTS[:-1]:
        file.add(result)
    return tmp_path / "games.csv"


@contextmanager
def full_disk() -> Iterator[None]:
    """Whatever would make a file of any length fails; what is there may stay, or become less."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("what", ["my notes", f"{HEAD[:-1]},mine", "caf\u00e9", " "])
def test_a_file_of_something_else_without_any_end_of_line_is_left_alone(what: str, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(what, encoding="utf-8")
    with pytest.raises(TournamentError, match="is not a file of results"):
        ResultsFile(notes, GAMES)
    assert notes.read_text(encoding="utf-8") == what


@pytest.mark.parametrize("length", [0, 1, 30, len(HEAD) - 1])
def test_a_head_that_was_cut_off_is_ended(length: int, tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text(HEAD[:length], encoding="utf-8")
    ResultsFile(path, GAMES).add(RESULTS[0])
    assert path.read_text(encoding="utf-8").startswith(HEAD)
    assert ResultsFile(path, GAMES).results == RESULTS[:1]


@pytest.mark.parametrize("torn", [b"beginners,0,,7", "caf\u00e9".encode()[:-1]], ids=["a line", "a letter"])
def test_a_last_line_is_taken_off_without_writing_the_others_anew(torn: bytes, path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    with full_disk():
        found = ResultsFile(path, GAMES).results
    assert found == RESULTS[:-1]
    assert path.read_bytes() == whole


@pytest.mark.parametrize("column", ["rounds", "mr_x_ms", "detectives_ms", "seconds"])
@pytest.mark.parametrize("value", ["nan", "inf", "1e999", "-1", ""])
def test_a_number_that_cannot_be_is_refused_with_its_line(column: str, value: str, path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    columns = lines[2].split(",")
    columns[COLUMNS.index(column)] = value
    lines[2] = ",".join(columns)
    path.write_text("\n".join([*lines, "torn"]), encoding="utf-8")
    before = path.read_bytes()
    with pytest.raises(TournamentError, match=r"games\.csv: line 3: medium as .* times must be numbers, none below 0"):
        ResultsFile(path, GAMES)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "complaint"), [("a,b", "line 5 has 2 columns; it must have 14"), ('a"b"c,"d"e', "line 5: ")]
)
def test_a_line_that_is_none_of_results_is_refused_with_its_number(line: str, complaint: str, path: Path) -> None:
    path.write_text(f"{path.read_text(encoding='utf-8')}{line}\n", encoding="utf-8")
    with pytest.raises(TournamentError, match=complaint):
        ResultsFile(path, GAMES)


@pytest.mark.parametrize("blank", ["\n", "\n\n", " \n", "\r\n"])
def test_a_blank_line_at_the_end_is_passed_over_and_results_go_on_behind_it(blank: str, path: Path) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(blank)
    file_of_results = ResultsFile(path, GAMES)
    assert file_of_results.results == RESULTS[:-1]
    file_of_results.add(RESULTS[-1])
    assert ResultsFile(path, GAMES).results == RESULTS


def test_a_file_that_another_program_has_kept_with_its_ends_of_lines_is_read(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert ResultsFile(path, GAMES).results == RESULTS[:-1]


# ---- shares and Elo points ----


TERMS = Terms("classic", 0, (), 1)
ONE, OTHER, THIRD = (
    Entrant("easy", LEVELS["easy"]),
    Entrant("medium", LEVELS["medium"]),
    Entrant("hard", LEVELS["hard"]),
)


def game(mr_x: Entrant, detectives: Entrant, winner: str, deal: int = 0) -> Result:
    return Result(Pairing(TERMS, deal, mr_x, detectives), winner, "captured", 9, 1.0, 1.0, 0.1, "this one")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (50, 100, 0.4038, 0.5962), (400, 400, 0.9905, 1.0)],
)
def test_the_interval_of_a_share_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    assert Share(won, games).interval == pytest.approx((low, high), abs=1e-4)


def test_nothing_is_known_of_no_games() -> None:
    assert Share(0, 0).interval == (0.0, 1.0)
    assert Share(0, 0).rate == 0.0


def test_a_meeting_tells_both_sides_apart() -> None:
    results = [game(ONE, OTHER, "mr_x"), game(ONE, OTHER, "detectives"), game(OTHER, ONE, "detectives")]
    (meeting,) = meetings(["easy", "medium"], results)
    assert meeting.shares == {AS_MR_X: Share(1, 2), AS_DETECTIVES: Share(1, 1), TOGETHER: Share(2, 3)}


def test_three_wins_of_four_are_a_difference_of_191_points() -> None:
    results = [game(ONE, OTHER, "mr_x" if n % 4 else "detectives", n) for n in range(4000)]
    points = elo(["easy", "medium"], results)
    assert points["easy"] - points["medium"] == pytest.approx(400 * math.log10(3), abs=0.5)
    assert sum(points.values()) == pytest.approx(0)


def test_who_wins_always_is_ahead_by_a_finite_number_of_points() -> None:
    results = [game(ONE, OTHER, "detectives"), game(OTHER, THIRD, "detectives"), game(THIRD, ONE, "mr_x")] * 50
    points = elo(["easy", "medium", "hard"], results)
    assert points["easy"] < points["medium"] < points["hard"] < math.inf


# ---- whether two yardboards play the same ----


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for the package's."""
    for name in ("__init__.py", "players/search/weights.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1", encoding="utf-8")
    monkeypatch.setattr(firmware_host, "__file__", str(tmp_path / "__init__.py"))
    return tmp_path


@pytest.mark.parametrize("name", ["players/search/__pycache__/compiled-py311.json", "__pycache__/left.py"])
def test_what_a_machine_has_compiled_makes_no_other_yardboard(name: str, package: Path) -> None:
    before = software_version.__wrapped__()
    (package / name).parent.mkdir()
    (package / name).write_text("{}", encoding="utf-8")
    assert software_version.__wrapped__() == before


@pytest.mark.parametrize("name", ["__init__.py", "players/search/weights.json", "players/new.py"])
def test_other_code_or_weights_make_another_yardboard(name: str, package: Path) -> None:
    before = software_version.__wrapped__()
    (package / name).write_text("2", encoding="utf-8")
    assert software_version.__wrapped__() != before
