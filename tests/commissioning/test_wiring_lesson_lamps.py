"""Lamps learned one by one, by magnet or by word; and a configuration that lists everything, learned anew."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.commissioning.learn_command import LearnCommand
from firmware_host.commissioning.wiring_file import WiringFile
from firmware_host.config.loader import load
from tests.amount import amount
from tests.commissioning.wiring_sittings import Board, Sitting, kept


@settings(max_examples=amount(3, 6), deadline=None)
@given(seed=st.integers(0, 10**6))
def test_lamps_named_by_word_alone_are_learned(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    board = Board(tmp_path_factory.mktemp("board"), seed=seed, spare=seed % 4)
    chance = random.Random(seed)
    for _ in range(200):
        if board.wired("lamps") and board.wired("log"):
            break
        sitting = Sitting(board, "log" if learned_all(board, "lamps") else "lamps")
        while sitting.asking and chance.random() < 0.95:
            seen = sitting.seen()
            sitting.type(str(seen) if seen > 0 else f"w{-seen}" if seen else "none")
        if not sitting.asking or chance.random() < 0.5:  # else the power failed
            sitting.end()
    assert board.wired("lamps") == board.truth("lamps")
    assert board.wired("log") == board.truth("log")


def listed(board: Board) -> None:
    """The configuration lists every line in the order of the map, as the complete examples do."""
    text = board.path.read_text(encoding="utf-8")
    inputs = "".join(f"{station} = {n}\n" for n, station in enumerate(board.stations))
    log = "".join(f"{window} = {len(board.stations) + n}\n" for n, window in enumerate(range(1, board.windows + 1)))
    text = text.replace("# station = input\n", inputs) + f"\n[lamps.wiring]\n{inputs}\n[lamps.log]\n{log}"
    board.path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("seed", range(amount(2, 4)))
def test_a_configuration_that_lists_everything_in_the_order_of_the_map_is_learned_anew(
    tmp_path: Path, seed: int
) -> None:
    board = Board(tmp_path, seed=seed)
    listed(board)
    before = board.path.read_text(encoding="utf-8").splitlines()
    for what in ("switches", "lamps", "log"):
        refused = LearnCommand(board.path, load(board.path), board.backend, what)
        assert refused.lesson is None
        assert "--again" in refused.heading[0]
    sitting = Sitting(board, again=True)
    assert "which shines" in sitting.question
    while sitting.asking:
        board.touch(sitting.asked)  # another station shines: the lamps are not where the file says
        board.table.advance(20)
    assert sitting.end()[-1] == f"Written to {board.path}: switches."
    lamps = Sitting(board, "lamps", again=True)
    lamps.name_all()
    lamps.end()
    if board.wired("log") != board.truth("log"):
        log = Sitting(board, "log", again=not lamps.tuition._book.notes.log)
        log.name_all()
        assert log.end()[-1].startswith("Written")
    assert [board.wired(what) == board.truth(what) for what in ("switches", "lamps", "log")] == [True] * 3
    after = board.path.read_text(encoding="utf-8").splitlines()
    assert [line.partition("=")[0] if line[:1].isdigit() else line for line in after] == [
        line.partition("=")[0] if line[:1].isdigit() else line for line in before
    ]


def test_old_lamps_of_the_log_that_are_in_the_way_are_told_with_what_to_do(tmp_path: Path) -> None:
    board = Board(tmp_path, spare=0)
    listed(board)
    board.lamps = [*(thing for thing in board.lamps if thing < 0), *board.stations]
    lamps = Sitting(board, "lamps", again=True)
    while lamps.asking:
        seen = lamps.seen()
        lamps.type(str(seen) if seen > 0 else "none")
    said = lamps.end()
    assert "Doubled: lamp 48 is that of station" in " ".join(said)
    assert f"Learn the lamps of the log, too: yardboard wiring learn {board.path} --what log --again" in said
    log = Sitting(board, "log", again=True)
    log.name_all()
    assert log.end()[-1] == f"Written to {board.path}: lamps and log."
    assert (board.wired("lamps"), board.wired("log")) == (board.truth("lamps"), board.truth("log"))


def test_two_swapped_lamps_are_mended_and_the_log_is_left_alone(tmp_path: Path) -> None:
    board = Board(tmp_path)
    listed(board)
    board.lamps = [*board.stations, *range(-1, -board.windows - 1, -1)]
    board.lamps[4], board.lamps[7] = board.lamps[7], board.lamps[4]
    lamps = Sitting(board, "lamps", only=[board.stations[4], board.stations[7]])
    assert lamps.heading[0] == "Lamps to ask for: 5."  # these two, and those that serve nothing
    assert "w3" not in lamps.question
    while lamps.asking:
        lamps.type(str(lamps.seen()))
    assert lamps.end()[-1] == f"Written to {board.path}: lamps."
    assert (board.wired("lamps"), board.wired("log")) == (board.truth("lamps"), board.truth("log"))


def learned_all(board: Board, what: str) -> bool:
    book = WiringFile(board.path, load(board.path), inputs=1000, lamps=1000)
    return len(book.known(load(board.path), what)) == len(board.truth(what))


def test_lamps_of_stations_wait_for_those_of_the_log_where_the_usual_order_would_not_fit(tmp_path: Path) -> None:
    board = Board(tmp_path, spare=0)
    board.lamps = [*(thing for thing in board.lamps if thing < 0), *board.stations]
    board.lamps[0], board.lamps[-1] = board.lamps[-1], board.lamps[0]  # a window's lamp is the last
    lamps = Sitting(board, "lamps")
    lamps.name_all()
    assert lamps.end() == [
        "36 of 36 stations have a lamp.",
        "12 of 13 windows of the log have a lamp.",
        f"Missing: {-board.lamps[-1]}.",
        f"Not written: {board.path} would not be good any more, and stays as it was.",
        f"{board.path}: with this wiring lamp 60 would be used; there are lamps 0 to 48",
        f"Learn the lamps of the log, too: yardboard wiring learn {board.path} --what log",
        kept(board, " --what log"),
    ]
    log = Sitting(board, "log")
    assert log.heading[0] == "Lamps to ask for: 1."
    log.type(str(-board.lamps[-1]))
    assert log.end()[-1] == f"Written to {board.path}: lamps and log."
    assert (board.wired("lamps"), board.wired("log")) == (board.truth("lamps"), board.truth("log"))


def test_lamps_behind_nothing_are_asked_for_again_only_where_something_is_missing(tmp_path: Path) -> None:
    board = Board(tmp_path, spare=2)
    sitting = Sitting(board, "lamps")
    while (seen := sitting.seen()) <= 0:
        sitting.type(f"w{-seen}" if seen else "none")
    sitting.type("none")  # a mistake
    sitting.name_all()
    assert sitting.end()[:2] == ["35 of 36 stations have a lamp.", f"Missing: {seen}."]
    anew = LearnCommand(board.path, load(board.path), board.backend, "lamps", again=True)
    assert anew.heading[0] == f"Lamps to ask for: {len(board.lamps)}."
    later = Sitting(board, "lamps")
    later.name_all()
    assert later.end()[0] == "36 of 36 stations have a lamp."
    assert board.wired("lamps") == board.truth("lamps")
