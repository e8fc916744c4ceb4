"""The archive holds finished games and no others, whatever the journal says besides; threads do not disturb it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from firmware_host.journal.journal import Finished, Journal
from firmware_host.journal.store_port import MEMORY, DamagedJournal
from firmware_host.past_games.finished_games import KEPT, REPLAYED, Archive
from firmware_host.past_games.game_analysis import CannotReplay, NoSuchGame
from tests.journal.random_journals import RULES, config, finished, play, write
from tests.shipped_grounds import load_map


@pytest.fixture
def journal() -> Iterator[Journal]:
    with Journal.open(MEMORY) as opened:
        yield opened


@pytest.fixture
def archive() -> Archive:
    return Archive(config())


def numbers(archive: Archive) -> list[int]:
    return [summary.number for summary in archive.summaries()]


class FinishedGamesSource:
    """As many finished games as one likes, without the time it takes to play them."""

    def __init__(self, record: Finished) -> None:
        self._record = record
        self.newest_finished = 0
        self.writing = False
        self.asked: list[tuple[int, int]] = []

    def finished(self, after: int = 0, most: int = 1) -> list[Finished]:
        self.asked.append((after, most))
        return [replace(self._record, number=n) for n in range(after + 1, self.newest_finished + 1)][-most:]


def test_an_empty_journal_gives_an_empty_archive(journal: Journal, archive: Archive) -> None:
    assert archive.follow(journal)  # the first time pages are told, be it that there is nothing
    assert not archive.follow(journal)
    assert (archive.newest, archive.summaries()) == (None, [])
    with pytest.raises(NoSuchGame):
        archive.record(1)


def test_a_game_is_there_as_soon_as_it_is_finished_and_not_before(journal: Journal, archive: Archive) -> None:
    game, entries = play("junior", 3)
    assert game.public.outcome is not None
    archive.follow(journal)
    journal.begin(game.setup, 1.0)
    for entry in entries:
        assert not archive.follow(journal)
        assert (archive.newest, archive.summaries()) == (None, [])
        with pytest.raises(NoSuchGame):
            archive.record(1)
        if entry is None:
            journal.take_back(2.0)
        else:
            journal.play(entry, 2.0)
    assert not archive.follow(journal)  # the last move is made, the end not yet written down
    journal.finish(game.public.outcome, 3.0)
    assert archive.follow(journal)
    assert archive.newest == 1
    assert archive.record(1).route == game.public.route


def test_who_played_on_which_seat_is_told(journal: Journal, archive: Archive) -> None:
    game, entries = play("junior", 3)
    assert game.public.outcome is not None
    journal.begin(game.setup, 1.0, seats={"mr_x": "deep/strong"}, names={"1": "Ada"})
    for entry in entries:
        _ = journal.take_back(2.0) if entry is None else journal.play(entry, 2.0)
    journal.finish(game.public.outcome, 3.0)
    archive.follow(journal)
    people = dict.fromkeys(map(str, sorted({*game.setup.owners.values()})), "person")
    assert archive.summaries()[0].seats == {"mr_x": "deep/strong", **people}
    assert archive.summaries()[0].names == {"1": "Ada"}


def test_games_given_up_and_the_one_in_play_are_never_there(journal: Journal, archive: Archive) -> None:
    for seed, how in enumerate(("finish", "abandon", "finish", "another begins", "finish", "in play")):
        game, entries = play("junior", seed)
        write(journal, game, entries, finish=how == "finish")
        if how == "abandon":
            journal.abandon(5.0)
        archive.follow(journal)
    assert numbers(archive) == [5, 3, 1]
    assert archive.newest == 5
    for number in (2, 4, 6, 7, 0, -1):
        with pytest.raises(NoSuchGame, match=f"no finished game {number} at this table"):
            archive.record(number)


def test_games_of_every_system_are_told_whatever_the_table_is_configured_for(
    journal: Journal, archive: Archive
) -> None:
    games = {n: play(rules, 4) for n, rules in enumerate(RULES, 1)}
    for game, entries in games.values():
        write(journal, game, entries)
    archive.follow(journal)
    assert {summary.rules for summary in archive.summaries()} == set(RULES)
    for number, (game, _) in games.items():
        assert archive.record(number).route == game.public.route
        assert archive.record(number).network.name == game.setup.network.name


def test_a_game_that_was_played_before_the_map_was_changed_is_told_on_the_shipped_one(journal: Journal) -> None:
    london = load_map("london")
    changed = Archive(replace(config(), ground=london.changed(remove=london.links[:1])))
    write(journal, *play("classic", 1))
    changed.follow(journal)
    assert changed.summaries()[0].trouble == ""
    assert len(changed.record(1).steps) > 1


def test_a_game_that_cannot_be_told_is_listed_with_the_reason() -> None:
    _, record = finished("classic", 1)
    setup = record.entries[0][2].replace('"map":["london","', '"map":["london","0')
    assert setup != record.entries[0][2]
    source = FinishedGamesSource(replace(record, entries=((*record.entries[0][:2], setup), *record.entries[1:])))
    source.newest_finished = 1
    archive = Archive(config())
    archive.follow(source)
    (summary,) = archive.summaries()
    assert summary.trouble.startswith("The map of this game is no longer available")
    with pytest.raises(CannotReplay, match="The map of this game"):
        archive.record(1)


def test_a_damaged_entry_spoils_its_own_game_alone(archive: Archive) -> None:
    _, good = finished("junior", 1)
    bad = Finished(2, ((1.0, "begin", "{"), *good.entries[1:]))

    source = FinishedGamesSource(good)
    source.newest_finished = 2
    source.finished = lambda *_: [good, bad]  # type: ignore[method-assign]
    archive.follow(source)
    spoilt, sound = archive.summaries()
    why = "game 2 cannot be shown: one of its entries is damaged; a backup may have it whole"
    assert (spoilt.trouble, spoilt.outcome) == (why, None)
    assert sound.trouble == ""
    with pytest.raises(CannotReplay, match=why):
        archive.record(2)
    assert archive.record(1).steps


def test_only_the_newest_games_are_kept() -> None:
    _, record = finished("junior", 1)
    source, archive = FinishedGamesSource(record), Archive(config())
    source.newest_finished = KEPT + 50
    archive.follow(source)
    assert numbers(archive) == list(range(KEPT + 50, 50, -1))
    for newest in (KEPT + 51, KEPT + 52, 3 * KEPT):
        source.newest_finished = newest
        archive.follow(source)
        assert numbers(archive) == list(range(newest, newest - KEPT, -1))
    assert all(most <= KEPT for _, most in source.asked)
    for number in range(2 * KEPT + 1, 2 * KEPT + 3 * REPLAYED):
        archive.record(number)
    assert len(archive._records) == REPLAYED


def test_nothing_is_read_while_something_is_written(archive: Archive) -> None:
    source = FinishedGamesSource(finished("classic", 1)[1])
    source.newest_finished, source.writing = 3, True
    assert not archive.follow(source)
    assert source.asked == []
    source.writing = False
    assert archive.follow(source)
    assert archive.newest == 3


def test_the_journal_tells_of_the_newest_games_and_of_newer_ones_alone(journal: Journal) -> None:
    for seed in range(4):
        write(journal, *play("junior", seed), finish=seed != 2)
    assert [game.number for game in journal.finished(most=9)] == [1, 2, 4]
    assert [game.number for game in journal.finished(most=2)] == [2, 4]
    assert [game.number for game in journal.finished(after=2, most=9)] == [4]
    assert journal.finished(after=4, most=9) == []
    assert journal.newest_finished == 4


def test_a_journal_that_cannot_be_read_does_not_stop_the_table(caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: int) -> list[Finished]:
        raise DamagedJournal("journal X: is damaged (SQLITE_CORRUPT)")

    _, record = finished("junior", 1)
    source, archive = FinishedGamesSource(record), Archive(config())
    source.newest_finished = 3
    source.finished = broken  # type: ignore[method-assign, assignment]
    assert archive.follow(source)
    assert not archive.follow(source)
    assert archive.summaries() == []
    assert caplog.messages == ["Past games cannot be shown: journal X: is damaged (SQLITE_CORRUPT)"]


def test_games_that_could_not_be_read_are_there_with_the_next_one(archive: Archive) -> None:
    source = FinishedGamesSource(finished("junior", 1)[1])
    plain, broken = source.finished, iter([DamagedJournal("journal X: the disk reports an error")])

    def at_times(after: int = 0, most: int = 1) -> list[Finished]:
        for error in broken:
            raise error
        return plain(after, most)

    source.finished = at_times  # type: ignore[method-assign]
    source.newest_finished = 3
    archive.follow(source)
    assert numbers(archive) == []
    source.newest_finished = 4
    archive.follow(source)
    assert numbers(archive) == [4, 3, 2, 1]


def test_pages_ask_on_threads_of_their_own_while_the_table_goes_on() -> None:
    """The journal is touched by the table's thread alone; those who ask never wait for it, nor it for them."""
    _, record = finished("junior", 1)
    source, archive = FinishedGamesSource(record), Archive(config())
    asked_by: set[int] = set()
    plain = source.finished

    def noted(after: int = 0, most: int = 1) -> list[Finished]:
        asked_by.add(threading.get_ident())
        return plain(after, most)

    source.finished = noted  # type: ignore[method-assign]
    wrong: list[BaseException] = []
    over = threading.Event()

    def visitor() -> None:
        try:
            while not over.is_set():
                newest = archive.newest
                if newest is not None:
                    assert len(archive.summaries()) <= KEPT
                    assert archive.record(newest).summary.number == newest
        except BaseException as error:  # noqa: BLE001 - told below
            wrong.append(error)

    visitors = [threading.Thread(target=visitor) for _ in range(4)]
    for one in visitors:
        one.start()
    for newest in range(1, 60):
        source.newest_finished = newest
        archive.follow(source)
    over.set()
    for one in visitors:
        one.join(30)
    assert not wrong
    assert asked_by == {threading.get_ident()}
    assert numbers(archive)[0] == 59
