"""`yardboard player` plays at any table that speaks the protocol, and so does the example of the pages."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from firmware_host.cli import cli
from firmware_host.players.player_port import NewGame, Position, PublicHistory
from firmware_host.players.protocol import player_session
from firmware_host.players.protocol.limited_process import own_command, own_environment
from firmware_host.players.protocol.player_process import Command
from firmware_host.players.protocol.player_session import PlayerSession, serve
from firmware_host.players.protocol.protocol_decoding import actions_of
from firmware_host.players.protocol.protocol_encoding import new_game_line, position_line
from firmware_host.players.protocol.protocol_messages import Over, Ready, line, read_move
from firmware_host.rules.actions import MR_X, Action
from firmware_host.rules.game import Game
from tests.amount import amount
from tests.docs.pages import DOCS, blocks
from tests.players.process_games import behind_pipes, played_out
from tests.players.test_protocol import GAMES, dealt, told

EXAMPLE = next(block for block in blocks(DOCS / "players.md") if block.mark == "player")


def own(level: str) -> Command:
    return Command(own_command("player", "--level", level), Path("/"), own_environment(), 512)


class Listening:
    """A player whose lines are handed to a session in this process; a table of another maker, if `foreign`."""

    def __init__(self, level: str, *, foreign: bool = False) -> None:
        self._session, self._foreign, self._heard = PlayerSession(level), foreign, 0

    def begin(self, game: NewGame) -> None:
        self._game = game
        assert self._say(new_game_line(game)) == {"ok": True}

    def ask(self, position: Position) -> None:
        said = position_line(self._game, position)
        assert self._say(said) is None
        answer = self._session.answer(b'{"cmd": "go", "ms": 5}')
        self._answer = actions_of(read_move(line(answer)), self._game, position)  # type: ignore[arg-type]

    def answer(self) -> tuple[Action, ...] | None:
        return self._answer

    def over(self, winner: str, reason: str) -> None:
        assert self._say(Over(winner, reason)) == {"ok": True}

    def wait(self, timeout: float) -> None: ...

    def close(self) -> None: ...

    def _say(self, record: msgspec.Struct) -> Any:
        said: dict[str, Any] = json.loads(line(record))
        answer = self._session.answer(json.dumps(bare(said) if self._foreign else said).encode())
        return None if answer is None else json.loads(line(answer))


RULES = ("edition", "detectives", "pawns", "order", "windows", "surfacing", "x_fares", "last_chance")
NEW_GAME = ("cmd", "role", "seed", "ms", "clock", "level", "rules", "cards", "map")
POSITION = ("cmd", "role", "round", "turn", "start", "pawns", "mr_x", "log", "events", "legal", "may_double")


def bare(said: dict[str, Any]) -> dict[str, Any]:
    """What the table of another maker says: no key but those that the protocol has had from the beginning."""
    if said["cmd"] == "new_game":
        said = {key: said[key] for key in NEW_GAME}
        said["rules"] = {key: said["rules"][key] for key in RULES}
        said["map"] = {key: said["map"][key] for key in ("name", "stations", "links")}
    elif said["cmd"] == "position":
        said = {key: said[key] for key in POSITION if key in said}
    return said


@pytest.mark.parametrize(
    ("name", "level"),
    [("classic", "easy"), ("counted", "easy"), ("current", "medium"), ("counted", "medium"), ("classic", "expert")],
)
def test_our_players_play_at_tables_of_other_makers(name: str, level: str) -> None:
    for seed in range(amount(1, 20)):
        game = dealt(name, seed, players=5)
        players = {role: Listening(level, foreign=True) for role in (MR_X, "detectives")}
        for role, player in players.items():
            player.begin(told(game, role))
        assert played_out(game, players, seed).public.outcome is not None


@pytest.mark.parametrize(("name", "level"), [(name, ("easy", "medium")[n % 2]) for n, name in enumerate(GAMES)])
def test_our_players_play_every_game_from_its_lines(name: str, level: str) -> None:
    game = dealt(name, 7)
    players = {role: Listening(level) for role in (MR_X, "detectives")}
    for role, player in players.items():
        player.begin(told(game, role))
    assert played_out(game, players).public.outcome is not None


def test_the_command_plays_whole_games_as_a_process() -> None:
    with behind_pipes(own("easy")) as his, behind_pipes(own("medium")) as theirs:
        for name in ("classic", "dice"):
            game = dealt(name, 2)
            his.begin(NewGame.of(game.setup, (MR_X,), seed=1, level="", ms=20))
            theirs.begin(NewGame.of(game.setup, game.setup.pawns, seed=1, level="", ms=20))
            assert played_out(game, {MR_X: his, "detectives": theirs}).public.outcome is not None


def test_the_example_of_the_pages_plays_whole_games_on_both_sides(tmp_path: Path) -> None:
    assert len(EXAMPLE.text.splitlines()) <= 50
    (tmp_path / "example.py").write_text(EXAMPLE.text, encoding="utf-8")
    run = Command((sys.executable, "-I", "example.py"), tmp_path, {}, 128)
    with behind_pipes(run) as his, behind_pipes(run) as theirs:
        for name in ("classic", "us advanced"):
            game = dealt(name, 4)
            his.begin(NewGame.of(game.setup, (MR_X,), seed=1, level="", ms=20))
            theirs.begin(NewGame.of(game.setup, game.setup.pawns, seed=1, level="", ms=20))
            assert played_out(game, {MR_X: his, "detectives": theirs}).public.outcome is not None


def said_to(*lines: bytes) -> list[Any]:
    out = io.BytesIO()
    serve(PlayerSession("easy"), io.BytesIO(b"\n".join(lines) + b"\n"), out)
    return [json.loads(answer) for answer in out.getvalue().splitlines()]


def test_whatever_a_table_says_is_answered_and_the_next_line_too() -> None:
    game = dealt("classic", 1)
    new_game = told(game, MR_X)
    good = line(new_game_line(new_game)).strip()
    position = line(position_line(new_game, Position(PublicHistory.begin(game.public), game.private))).strip()
    go = b'{"cmd": "go", "ms": 5}'
    lines = [
        b"garbage", b"\xff", b"[" * 9000, b"x" * (player_session.LONGEST_QUESTION + 5), b'{"cmd": "dance"}', go,
        good.replace(b'"classic"', b'"dice"').replace(b'"pursuit"', b'"dice"'), good.replace(b'"taxi"', b'"tram"', 1),
        b'{"cmd": "new_game", "role": "mr_x"}', good, position, go,
    ]  # fmt: skip
    answers = said_to(*lines)
    assert [answer.get("ok") for answer in answers] == [False] * 9 + [True, None]
    assert all(answer["error"] for answer in answers[:9])
    assert "to" in answers[-1]["move"] or "double" in answers[-1]


@pytest.mark.parametrize(
    ("what", "other", "told_where"),
    [
        ('"role":"mr_x"', '"role":"referee"', "role"), ('"ms":40', '"ms":-5', "ms"),
        ('"clock":"cpu"', '"clock":"sun"', "clock"),
        ('"windows":24', '"windows":0', "rules.windows"),
        ('"surfacing":[3,', '"surfacing":[25,', "rules.surfacing must have only windows from 1 to rules.windows"),
        ('"doubles":2', '"doubles":-1', "rules.doubles"),
        ('"pawns":["', '"pawns":["red","red","', "pawns"), ('"seat":["mr_x"]', '"seat":[7]', "seat"),
        ('"cards":[', '"cards":[999,', "cards"), ('"start":{', '"start":{"white":999,', "start must have only"),
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_is_refused_with_what_is_wrong_and_the_next_is_played(
    what: str, other: str, told_where: str
) -> None:
    good = line(new_game_line(told(dealt("classic", 1, players=6), MR_X))).decode().strip()
    assert what in good
    refused, taken = said_to(good.replace(what, other, 1).encode(), good.encode())
    assert not refused["ok"]
    assert told_where in refused["error"]
    assert taken == {"ok": True}


def test_a_position_that_cannot_be_read_is_told_when_the_answer_is_asked_for_and_none_before_it_is_answered() -> None:
    game = dealt("classic", 1)
    new_game = told(game, MR_X)
    good = line(new_game_line(new_game)).strip()
    position = line(position_line(new_game, Position(PublicHistory.begin(game.public), game.private))).strip()
    go, broken = b'{"cmd": "go", "ms": 5}', position.replace(b'"log":[]', b'"log":null')
    assert broken != position
    answers = said_to(good, position, go, broken, go, position, go, good.replace(b'"ms":40', b'"ms":"x"'), go)
    assert [answer.get("ok") for answer in answers] == [True, None, False, None, False, False]
    assert answers[2]["error"] == "position: log: must be a list, not null"
    assert "no position yet" in answers[-1]["error"]


@pytest.mark.parametrize(
    ("what", "other"),
    [('"taxi":10', '"taxi":40000'), ('"round":1', f'"round":{10**20}'), ('"black":5', '"black":1000000')],
)
@pytest.mark.parametrize("level", ["easy", "expert"])
def test_numbers_beyond_all_games_lead_to_some_answer_and_the_next_line_is_answered(
    what: str, other: str, level: str
) -> None:
    game = dealt("classic", 1, players=6)
    new_game = told(game, MR_X)
    position = line(position_line(new_game, Position(PublicHistory.begin(game.public), game.private))).decode().strip()
    assert what in position
    session = PlayerSession(level)
    assert session.answer(line(new_game_line(new_game)).strip()) == Ready(ok=True)
    for said in (position.replace(what, other, 1), position):
        assert session.answer(said.encode()) is None
        assert session.answer(b'{"cmd": "go", "ms": 5}') is not None


def test_a_map_without_start_cards_or_with_numbers_beyond_reason_is_refused() -> None:
    said = line(new_game_line(told(dealt("classic", 1, players=6), MR_X))).decode().strip()
    record = json.loads(said)
    bare_cards = record | {"cards": [], "rules": record["rules"] | {"mr_x_cards": []}}
    far = record | {"map": record["map"] | {"stations": [*record["map"]["stations"], 40000]}}
    session = PlayerSession("expert")
    for wrong in (bare_cards, far):
        answer = session.answer(json.dumps(wrong).encode())
        assert isinstance(answer, Ready)
        assert not answer.ok
    assert session.answer(said.encode()) == Ready(ok=True)


def test_a_level_gets_ready_for_each_kind_of_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ready_for: list[str] = []
    monkeypatch.setattr(player_session, "warm_up", lambda game: ready_for.append(game.box.name))
    session = PlayerSession("medium")
    for name in ("junior", "classic", "us", "classic", "junior"):
        assert session.answer(line(new_game_line(told(dealt(name, 1), "detectives"))).strip()) == Ready(ok=True)
    assert ready_for == ["junior", "classic"]


def test_the_word_is_in_the_program_and_its_memory_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[bool] = []
    monkeypatch.setattr(player_session, "keep_memory_to_itself", lambda: kept.append(True))
    done = CliRunner().invoke(cli, ["player", "--level", "easy"], input='{"cmd": "hello", "protocol": 1}\n')
    assert json.loads(done.output)["ok"]
    assert kept == [True]
    assert CliRunner().invoke(cli, ["player", "--level", "godlike"]).exit_code == 2


def test_a_double_move_is_answered_whole() -> None:
    for seed in range(8):
        game = dealt("classic", seed, players=6)
        players = {role: Listening("easy") for role in (MR_X, "detectives")}
        for role, player in players.items():
            player.begin(told(game, role))
        played_out(game, players, seed)
        if any(entry.double == 2 for entry in game.public.log):
            return
    pytest.fail("no double move was ever made")


def test_arguments_and_environment_of_our_own_players_tell_nothing_of_a_game() -> None:
    with behind_pipes(own("easy")) as player:
        game: Game = dealt("classic", 2)
        player.begin(told(game, MR_X))
        player.ask(Position(PublicHistory.begin(game.public), game.private))
        while player.answer() is None:
            player.wait(60)
        assert player._process is not None
        seen = Path(f"/proc/{player._process.pid}/cmdline").read_bytes()
        assert seen.split(b"\0")[-3:-1] == [b"--level", b"easy"]
        assert set(own_environment()) == {"PYTHONPATH", "PYTHONSAFEPATH", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}


def test_a_missing_field_is_named_with_its_words() -> None:
    answer = PlayerSession().answer(b'{"cmd": "new_game"}')
    assert getattr(answer, "error", "") == 'new_game: "role" is missing; write one of mr_x, detectives'


def test_a_seat_of_mister_x_has_only_pawns_of_his_side() -> None:
    message = json.loads(line(new_game_line(told(dealt("classic", 3), "mr_x"))))
    answer = PlayerSession().answer(json.dumps({**message, "seat": ["pink"]}).encode())
    assert getattr(answer, "error", "") == "new_game: seat must name pawns of Mister X's side: mr_x, mr_x_junior"
