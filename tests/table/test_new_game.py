"""A new game at the table: chosen on the handset by keys alone, through the daemon, and by the table's confirm key."""

from __future__ import annotations

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware_host.config import Config
from firmware_host.journal import Journal, UnwritableJournal
from firmware_host.parlour import IN_MEMORY, Parlour
from firmware_host.parlour.player import Players
from firmware_host.rules.actions import MR_X, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.scene import Mismatch, Phase
from tests.table.house import Shaky, Watched, begun, carry, config, confirm, go, text
from tests.table.parlours import box, carried, done, handset, lift, pick, table

CLASSIC = ["> Classic", "  Beginners", "  Current"]


def empty(conf: Config | None = None, journal: Path | str = IN_MEMORY) -> Parlour:
    """A table on which nothing has been begun."""
    p = Parlour(conf or box("classic"), journal=journal)
    p.advance(200)
    assert p.daemon.game is None
    return p


def kinds(path: Path) -> list[str]:
    """What the journal holds, entry by entry. Its daemon keeps the file to itself: a copy is read."""
    with TemporaryDirectory() as folder:
        for file in path.parent.glob(path.name + "*"):
            shutil.copy(file, folder)
        return _kinds(Path(folder) / path.name)


def _kinds(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [kind for (kind,) in connection.execute("SELECT kind FROM entries ORDER BY seq")]


def over(p: Parlour | None = None) -> Parlour:
    """A game that has just ended: red has caught Mister X."""
    p = p or begun(45, red=75, yellow=13, green=26)
    go(p, 58)
    carry(p, "red", 58)
    assert p.public.outcome is not None
    return p


def played(p: Parlour) -> tuple[str, int]:
    """The rules of the game in play, and how many players have pawns."""
    return p.public.rules, len(set(p.public.owners.values())) + 1


# ---- where there is none ----


def test_without_a_game_any_key_of_the_handset_opens_the_choice() -> None:
    for key in "udsb":
        p = empty()
        assert p.handset_lines() == ["No game", "Press CONFIRM on the table or SELECT here"]
        handset(p, key)
        assert p.handset_lines()[2:] == CLASSIC
        assert p.daemon.game is None
        handset(p, "b")
        assert p.handset_lines() == ["No game", "Press CONFIRM on the table or SELECT here"]


def test_select_alone_begins_the_configured_game() -> None:
    p = empty()
    handset(p, "sss")
    assert p.daemon.game is None
    handset(p, "s")
    assert played(p) == ("classic", 5)
    assert p.daemon.scene().phase is Phase.SET_UP
    assert text(p).startswith("Set up: Put Red on ")
    assert p.handset_lines()[0].startswith("You are at ")
    p.set_up()
    assert p.public.turn == (MR_X,)


def test_number_of_players_and_options_are_chosen_key_by_key() -> None:
    p = empty()
    handset(p, "ss" + "dd" + "s")  # classic, four players
    assert p.handset_lines()[0] == "Classic, 4 players"
    handset(p, "d" + "s" + "d" + "s")  # round to the fares, counted; a last chance
    assert p.handset_lines()[1:3] == ["  Fares: counted", "> Last chance: yes"]
    handset(p, "uu" + "s")
    assert played(p) == ("classic", 4)
    assert p.daemon.game is not None
    assert p.daemon.game.setup.options == {"x_fares": "counted", "last_chance": True}


@pytest.mark.parametrize(("downs", "rules"), [(1, "beginners"), (2, "current")])
def test_another_box_of_the_same_board_is_chosen_and_its_pawns_are_guided_to_their_stations(
    downs: int, rules: str
) -> None:
    p = empty()
    handset(p, "s" + "d" * downs + "sss")
    assert p.public.rules == rules
    home = dict(p.public.pawns)
    for pawn in p.public.order:
        assert f"{pawn.capitalize()} on {home[pawn]}" in text(p)
        p.table.put(home[pawn], pawn)
        p.advance(700)
    assert p.daemon.scene().phase is Phase.PLAY
    assert p.public.turn == (MR_X,)
    if rules == "beginners":
        assert home[MR_X] == 82
        p.choose(MrXMove(Secret(81), "free"))
    else:
        p.choose(next(c for c in p.private.choices.value if isinstance(c, MrXMove)))
    assert len(p.public.log) == 1


def test_a_box_with_a_longer_log_than_the_board_has_lamps_for_is_played_all_the_same() -> None:
    p = empty(box("beginners"))
    p.new_game("classic", players=4, seed=7)
    players = Players(p, random.Random(7))
    players.set_up()
    lit: set[int] = set()
    while p.public.outcome is None:
        players.play()
        lit |= set(p.log_leds())
    windows = p.config.edition.windows
    assert len(p.public.log) > windows == 14
    assert lit == set(range(1, windows + 1))


def test_the_junior_game_is_begun_with_two_mister_xs_for_four_players() -> None:
    p = empty(box("junior"))
    handset(p, "s")
    assert p.handset_lines() == ["Junior", "> 4 players", "  2 players", "  3 players"]
    handset(p, "ss")
    assert p.public.fugitives == ("mr_x", "mr_x_junior")
    p.set_up()
    pick(p, "stay")
    assert p.public.turn == ("mr_x_junior",)


# ---- tiles ----


def test_di_01_tiles_chosen_letter_by_letter_are_those_of_the_game() -> None:
    p = empty(box("dice"))
    handset(p, "s" + "s" + "u" + "s")  # four players; one row up from "Start": tiles
    assert p.handset_lines()[0] == "Row 1, tile 1"
    handset(p, "ds" + "s" * 7)  # B first, and then what is left in order: A C D E F G H
    assert p.handset_lines()[0] == "Row 3, tile 3"
    handset(p, "s")
    assert p.daemon.game is None
    handset(p, "s")
    assert p.daemon.game is not None
    assert p.daemon.game.setup.layout == p.public.layout == "BAC DEF GHI"
    assert p.daemon.sheet.stations[0] == 5
    p.advance(500)
    assert text(p) == "Lay the tiles: B A C / D E F / G H I. CONFIRM when they lie"


def test_di_02_tiles_that_cannot_lie_together_are_refused_with_a_notice_and_nothing_changes(tmp_path: Path) -> None:
    p = empty(box("dice"), tmp_path / "journal.sqlite")
    handset(p, "s" + "ds" + "u" + "s")  # two players, six tiles
    for letter in "BDFICA":  # only two of them have an underground place
        _to_letter(p, letter)
    handset(p, "s")
    lines = p.handset_lines()
    assert lines[0] == "No game"
    assert "three must have an underground place" in " ".join(lines)
    assert p.daemon.game is None
    assert kinds(tmp_path / "journal.sqlite") == []
    handset(p, "s")  # the notice is put away
    assert p.handset_lines()[0] == "Dice, 2 players"
    handset(p, "u" + "s")  # drawn, after all
    assert "Tiles: drawn" in " ".join(p.handset_lines())
    handset(p, "d" + "s")
    assert played(p) == ("dice", 2)
    assert kinds(tmp_path / "journal.sqlite") == ["begin"]
    p.close()


def _to_letter(p: Parlour, letter: str) -> None:
    """The cursor goes to a tile, and it is laid."""
    letters = [line.strip("> ") for line in p.handset_lines()[2:]]
    handset(p, "d" * letters.index(letter) + "s")


def test_a_refused_wish_leaves_the_game_that_has_just_ended_on_the_table() -> None:
    p = table("dice", players=4, options={"layout": "ABC DEF GHI"})
    p.advance(500)
    confirm(p)
    for pawn, station in {"red": 1, "yellow": 6, "green": 36}.items():
        carried(p, pawn, station)
    p.choose(MrXMove(Secret(2), "start"))
    while p.public.outcome is None:
        confirm(p)  # roll
        if any(m.to == 2 for m in p.public.moves):
            carried(p, "red", 2)
        else:
            p.table.press("table.back")  # another roll
            p.advance(200)
    end = p.public
    handset(p, "u" + "s")
    assert p.handset_lines()[0] == "Dice"
    handset(p, "ds" + "u" + "s")
    for letter in "BDFICA":
        _to_letter(p, letter)
    handset(p, "s")
    assert p.handset_lines()[0] == "No game"
    assert p.public == end
    assert p.daemon.scene().phase is Phase.OVER


# ---- after the end ----


def test_after_the_end_the_last_item_of_the_home_page_begins_another_game() -> None:
    p = over()
    p.advance(5000)
    handset(p, "b" + "u" + "s")
    assert p.handset_lines()[2:] == CLASSIC
    assert p.public.outcome is not None
    handset(p, "sss")
    assert played(p) == ("classic", 5)
    assert p.daemon.scene().phase is Phase.SET_UP


def test_after_the_end_the_pawns_of_the_last_game_are_guided_to_their_new_stations() -> None:
    p = over()
    p.advance(5000)
    handset(p, "busdss")
    handset(p, "s")
    assert p.public.rules == "beginners"
    reading = p.daemon.scene().reading
    assert isinstance(reading, Mismatch)
    assert {58, 13, 26} <= reading.extra
    assert reading.missing == {pawn: p.public.pawns[pawn] for pawn in p.public.order}
    p.set_up()
    assert p.daemon.scene().phase is Phase.PLAY


def test_confirm_on_the_table_begins_the_configured_game_where_none_was_chosen_on_the_handset() -> None:
    p = empty(config(game={"rules": "current", "players": 4}))
    handset(p, "s")
    assert p.handset_lines()[2] == "> Current"
    handset(p, "b")
    confirm(p)
    assert played(p) == ("current", 4)
    q = over(begun(45, config(game={"rules": "classic", "players": 4}), red=75, yellow=13, green=26))
    confirm(q)
    assert q.public.outcome is not None  # a last look
    q.advance(3500)
    confirm(q)
    assert played(q) == ("classic", 4)


def test_confirm_after_the_end_begins_a_game_like_the_one_chosen_last_on_the_handset() -> None:
    p = empty()
    handset(p, "ss" + "dd" + "s" + "ds" + "u" + "s")  # classic, four players, the fares counted
    assert p.daemon.game is not None
    first = p.daemon.game.setup
    assert (played(p), first.options["x_fares"]) == (("classic", 4), "counted")
    p.daemon.give_up()
    p.advance(200)
    assert text(p) == "The game was given up. Press CONFIRM for a new game"
    confirm(p)
    assert p.daemon.game.setup.options == first.options
    assert played(p) == ("classic", 4)
    assert p.daemon.game.setup != first  # dealt anew
    p.set_up()
    _caught(p)
    p.advance(3500)
    confirm(p)
    assert p.public.outcome is None
    assert played(p) == ("classic", 4)
    assert p.daemon.game.setup.options == first.options


def _caught(p: Parlour) -> None:
    """Somehow the game is played to its end."""
    players = Players(p, random.Random(1))
    while p.public.outcome is None:
        players.play()


def test_confirm_begins_a_game_of_the_box_chosen_on_the_handset_until_the_table_starts_again(tmp_path: Path) -> None:
    p = empty(journal=tmp_path / "journal.sqlite")
    handset(p, "s" + "dd" + "sss")
    assert p.public.rules == "current"
    p.daemon.give_up()
    p.advance(200)
    confirm(p)
    assert p.public.rules == "current"
    p.daemon.give_up()
    p.restart()
    p.advance(500)
    assert text(p) == "Press CONFIRM for a new game"
    confirm(p)
    assert played(p) == ("classic", 5)
    p.close()


def test_a_game_that_could_not_be_begun_on_the_handset_is_not_the_one_that_confirm_begins() -> None:
    p = empty(box("dice"))
    handset(p, "s" + "ds" + "u" + "s")  # two players, six tiles that cannot lie together
    for letter in "BDFICA":
        _to_letter(p, letter)
    handset(p, "s")
    assert p.daemon.game is None
    confirm(p)
    assert played(p) == ("dice", 4)


def test_what_has_happened_at_the_end_of_a_game_is_told_until_the_next_begins() -> None:
    p = begun(45, red=75, yellow=13, green=26)
    p.daemon.give_up()
    p.advance(60_000)
    assert text(p) == "The game was given up. Press CONFIRM for a new game"
    confirm(p)
    assert "given up" not in text(p)
    p.set_up()
    assert text(p) == "Mister X moves"


def test_confirm_on_the_table_closes_the_choice_on_the_handset() -> None:
    p = empty()
    handset(p, "ss")
    confirm(p)
    assert played(p) == ("classic", 5)
    assert p.handset_lines()[0].startswith("You are at ")
    handset(p, "s")
    assert p.public.log == ()


# ---- during a game ----


def lobby_in_play(tmp_path: Path) -> tuple[Parlour, Path]:
    """Mister X asks for a new game in the middle of one."""
    path = tmp_path / "journal.sqlite"
    p = Parlour(box("classic"), journal=path)
    p.new_game(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26})
    p.set_up()
    go(p, 58)
    handset(p, "bus")
    assert p.handset_lines() == ["New game", "Give up this game?", "> No, go on", "  Yes, give it up"]
    return p, path


def test_during_a_game_two_deliberate_yeses_give_it_up_and_that_is_written_down(tmp_path: Path) -> None:
    p, path = lobby_in_play(tmp_path)
    handset(p, "ds")
    assert p.handset_lines() == ["New game", "Sure? Nobody wins", "> No, go on", "  Yes, give it up"]
    assert p.daemon.game is not None
    assert kinds(path) == ["begin", "play"]
    handset(p, "ds")
    assert p.daemon.game is None
    assert kinds(path) == ["begin", "play", "abandon"]
    assert p.daemon.scene().phase is Phase.NO_GAME
    assert text(p) == "The game was given up. Press CONFIRM for a new game"
    assert p.station_leds() == {}
    assert p.handset_lines()[2:] == CLASSIC
    handset(p, "sss")
    assert kinds(path) == ["begin", "play", "abandon", "begin"]
    assert p.daemon.scene().phase is Phase.SET_UP
    p.close()


def test_a_game_that_was_given_up_is_not_taken_up_again(tmp_path: Path) -> None:
    p, path = lobby_in_play(tmp_path)
    handset(p, "dsds")
    p.restart()
    p.advance(500)
    assert p.daemon.game is None
    assert p.daemon.scene().phase is Phase.NO_GAME
    assert p.handset_lines()[0] == "No game"
    assert kinds(path) == ["begin", "play", "abandon"]
    p.close()


@pytest.mark.parametrize("keys", ["s", "b", "dss", "dsb" + "s", "ds" + "uu" + "s", "dds"])
def test_every_other_way_through_goes_on_with_the_game(tmp_path: Path, keys: str) -> None:
    p, path = lobby_in_play(tmp_path)
    handset(p, keys)
    assert p.handset_lines()[0].startswith("You are at ")
    assert kinds(path) == ["begin", "play"]
    carried(p, "red", 74)
    assert p.public.pawns["red"] == 74 or p.daemon.scene().asked
    p.close()


def test_the_board_is_played_on_while_the_handset_asks(tmp_path: Path) -> None:
    p, path = lobby_in_play(tmp_path)
    handset(p, "ds")
    carried(p, "red", 58)  # red catches him meanwhile
    assert p.public.outcome is not None
    handset(p, "d")  # nothing is to be given up any more
    assert p.handset_lines()[2:] == CLASSIC
    handset(p, "s")
    assert "abandon" not in kinds(path)
    assert kinds(path)[-1] == "finish"
    assert p.public.outcome is not None
    p.close()


def test_a_game_cannot_be_given_up_while_the_journal_cannot_be_written() -> None:
    p = Watched(box("classic"), journal=IN_MEMORY)
    p.daemon.new_game(detectives=3, start={MR_X: 45, "red": 75, "yellow": 13, "green": 26})
    p.set_up()
    assert isinstance(p.journal, Shaky)
    go(p, 58)
    assert isinstance(p.journal, Journal)
    before = p.public
    handset(p, "bus" + "ds" + "d")
    p.journal.abandon = _refuse  # type: ignore[method-assign]
    handset(p, "s")
    assert p.handset_lines()[0] == "Not saved"
    assert p.public == before
    handset(p, "s")
    assert p.handset_lines() == ["New game", "Sure? Nobody wins", "  No, go on", "> Yes, give it up"]


def _refuse(at: float) -> None:
    raise UnwritableJournal(f"journal test: cannot be written at {at}: the disk is full")


# ---- privacy ----


def test_behind_the_cover_nothing_can_be_chosen_without_peek() -> None:
    p = empty(config(handset={"privacy": "hold"}))
    cover = p.handset_lines()
    handset(p, "ssssss" + "dsdsds")
    assert p.daemon.game is None
    assert p.handset_lines() == cover
    p.table.hold("handset.peek")
    p.advance(100)
    handset(p, "sss")
    assert p.daemon.game is None
    p.table.release("handset.peek")
    p.advance(100)
    handset(p, "s")
    assert p.daemon.game is None
    p.table.hold("handset.peek")
    p.advance(100)
    handset(p, "s")
    assert played(p) == ("classic", 5)


def test_behind_the_cover_no_game_is_given_up_without_peek() -> None:
    p = begun(45, config(handset={"privacy": "hold"}), red=75, yellow=13, green=26)
    handset(p, "bus" + "ds" + "ds")
    assert p.daemon.game is not None
    p.table.hold("handset.peek")
    p.advance(100)
    handset(p, "bus" + "ds" + "d")
    p.table.release("handset.peek")
    p.advance(100)
    handset(p, "s")
    assert p.daemon.game is not None
    p.table.hold("handset.peek")
    p.advance(100)
    handset(p, "s")
    assert p.daemon.game is None


# ---- started again ----


@pytest.mark.parametrize(("configured", "rules"), [("classic", "current"), ("current", "beginners")])
def test_the_journal_goes_on_with_a_game_of_another_box_than_the_configured_one(
    tmp_path: Path, configured: str, rules: str
) -> None:
    p = empty(box(configured), tmp_path / "journal.sqlite")
    handset(p, "s")
    names = [line.strip("> ") for line in p.handset_lines()[2:]]
    handset(p, "d" * names.index(rules.capitalize()) + "sss")
    p.set_up()
    p.choose(next(c for c in p.private.choices.value if isinstance(c, MrXMove)))
    before = p.public, p.private
    assert p.public.rules == rules != p.config.edition.name
    p.restart()
    p.advance(2000)
    assert (p.public, p.private) == before
    assert p.daemon.scene().phase is Phase.PLAY
    move = p.public.moves[0]
    carried(p, move.pawn, move.to)
    if not done(p)[1:]:
        p.table.press(f"table.{move.ticket}" if len(p.daemon.scene().asked) > 1 else "table.confirm")
        p.advance(500)
    assert done(p)[1:] == [move]
    p.close()


def test_a_game_begun_while_pawns_stand_right_goes_on_at_once_and_lifting_one_guides_it_back() -> None:
    p = empty(box("beginners"))
    handset(p, "sdsss")  # some other box first, to see that this is no matter of the first
    for pawn in p.public.order:
        p.table.put(p.public.pawns[pawn], pawn)
    p.advance(1000)
    assert p.daemon.scene().phase is Phase.PLAY
    lift(p, p.public.order[0])
    p.advance(1500)
    assert text(p).startswith(f"Put {p.public.order[0].capitalize()} on ")
