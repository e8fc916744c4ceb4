"""Nothing that a table, its commentary and its coach say is left in English where another language is spoken.

A catalogue that puts each word of each text in brackets shows what was not asked of it: that stands outside of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from gettext import GNUTranslations, NullTranslations
from itertools import islice, pairwise, product
from pathlib import Path
from string import Formatter

import polib
import pytest

from firmware_host.past_games.game_analysis import Analysis, Closest, Costly, GameRecord, Narrowed, Slipped
from firmware_host.past_games.game_analyst import BUSY, CLOSED
from firmware_host.past_games.game_analyst import FAILED as ANALYST_FAILED
from firmware_host.past_games.game_json import analysis_json, moment_words, record_json
from firmware_host.past_games.replay_finished_game import replay
from firmware_host.players.coach.coach_port import KNOWS
from firmware_host.referee.readings import RETURN, InHand, Mismatch, Reading, Settled
from firmware_host.referee.scene import (
    BACK,
    CONFIRM,
    Announcement,
    Ask,
    CoachHints,
    CoachMode,
    GameGivenUp,
    Kind,
    NotTakenBack,
    Phase,
    Scene,
    SwitchesIgnored,
    Why,
)
from firmware_host.rules.actions import BLACK, FREE, HELICOPTER, MR_X, START, STAY, PawnMove, RollAgain
from firmware_host.rules.game import Game
from firmware_host.rules.junior.junior_view import ChipWon
from firmware_host.rules.pursuit.pursuit_view import TicketTaken
from firmware_host.rules.views import Outcome, PublicView, Skipped
from firmware_host.system import language
from firmware_host.system.language import LANGUAGES, in_language
from firmware_host.table.ask_coach import FAILED
from firmware_host.table.device_health import Devices, why_paused
from firmware_host.ui.fault_wording import DEVICE_REASONS, device_name, health_words, reason_words
from firmware_host.ui.games.game_registry import game_ui
from firmware_host.ui.handset_menu import home_items
from firmware_host.ui.live_commentary import coach_line, coach_sentences, public_events, seat_lines
from firmware_host.ui.prompt_wording import prompt
from firmware_host.ui.vocabulary import by_ticket, ending, label, pawn_name, rules_name, ticket_letter, ticket_name
from hardware.raspberry_pi.power_watch import SLOWED_DOWN, UNDER_VOLTAGE
from languages.compile_catalogues import HERE
from tests.journal.random_journals import RULES, config, finished, play
from tests.ui.handmade_views import DICE, beginners, dice_game, junior, mr_x, public, scene

REASONS = ("captured", "immobilised", "stalled", "log_full", "trapped", "escaped", "walked_in", "chips", "rounds_over")


@cache
def bracketed_text(message: str) -> str:
    return "".join(
        re.sub(r"[^\W\d_]+", "⟦\\g<0>⟧", text) + ("" if place is None else f"{{{place}}}")
        for text, place, _, _ in Formatter().parse(message)
    )


class Bracketed(NullTranslations):
    """A catalogue of a language in which each word of a text is the English one in brackets."""

    def gettext(self, message: str) -> str:
        return bracketed_text(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        assert context
        return self.gettext(message)


@pytest.fixture
def bracketed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All is said in that language."""
    monkeypatch.setattr(language, "_catalogue", lambda _: Bracketed())
    with in_language("de"):
        yield


def left(said: Iterable[str], *kept: str) -> set[str]:
    """The lines in which letters stand that are none of a translated text, nor of what is the same everywhere."""
    return {line for line in set(said) if any(word not in kept for word in letters(line))}


def letters(line: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", re.sub(r"⟦[^⟧]*⟧", "", line))


# ---- what the table may be in ----

VIEWS = (
    public(turn=("red",)),
    public(turn=("red", "yellow")),
    public(turn=(MR_X,), skipped=(Skipped("red", "blocked"), Skipped("blue", "immobilised"))),
    public(turn=(MR_X,), double=1),
    public(turn=(MR_X,), double=2, skipped=(Skipped("red", "blocked"), Skipped("blue", "blocked"))),
    *(beginners(double=double).public for double in (0, 1, 2)),
    *(beginners(double=n, open_moves=(PawnMove(MR_X, 68, "taxi"),)).public for n in (0, 1, 2)),
    *(replace(beginners(double=n).public, log=public().log[:2], surfacing=frozenset()) for n in (0, 1, 2)),
    public(turn=(MR_X,), giving=("red",)),
    dice_game(turn=("red",), skipped=(Skipped("yellow", "no_die"),), extras={BACK: RollAgain()}).public,
    dice_game(turn=("red",), dice=replace(DICE, to_roll=4, rolled=(), used=(), by_hand=True)).public,
    dice_game(turn=("red",), dice=replace(DICE, to_roll=1, rolled=(), used=())).public,
    dice_game(turn=(MR_X,), dice=replace(DICE, tile="")).public,
    junior(turn=(MR_X,)).public,
    junior(turn=("white",), two=True).public,
)

SILENT = tuple(Settled((PawnMove(MR_X, 7, ticket),)) for ticket in ("taxi", STAY, RETURN))
MANY = Mismatch({"red": 1, "yellow": 2, "green": 3, "blue": 4, "white": 5}, frozenset({6, 7, 8, 9, 10}))
WRONG = (MANY, Mismatch({"red": 1}, frozenset()), Mismatch({}, frozenset({6})))


def readings(kind: Kind) -> tuple[Reading, ...]:
    """What the switches may say where that is asked."""
    if kind in (Kind.PUT_RIGHT, Kind.ALL_RIGHT, Kind.SWITCH):
        return WRONG
    if kind in (Kind.MR_X_MOVED, Kind.MOVE_OR_CONFIRM):
        return SILENT
    return (Settled(), InHand(("red",)))


def asks(kind: Kind, view: PublicView) -> Iterator[Ask]:
    """Ways to ask that: of a pawn where it stands and elsewhere, with one key and with several."""
    pawns = tuple(pawn for pawn in view.order if pawn in view.pawns)
    tickets: list[tuple[str, ...]] = [("taxi",), ("taxi", "bus")]
    if kind in (Kind.ROLL, Kind.ENTER, Kind.ENTERED):
        tickets = [("table.taxi", "table.bus", "table.underground")]
    elif kind is Kind.CARRY_OUT:
        tickets = [(one,) for one in ("taxi", BLACK, HELICOPTER, FREE, START)]
    for named, keys, at in product(
        (pawns[:1],) if kind is Kind.CARRY_OUT else (pawns[:1], pawns[:2]),
        ((CONFIRM,), (CONFIRM, BACK)),
        (view.pawns[pawns[0]], 0, 17),
    ):
        for ways, unfelt in product(tickets, (False, True)):
            yield Ask(kind, keys, named, at, ways, unfelt)
    for doubt in (Ask(Kind.EMPTY, (CONFIRM,), (), 7), Ask(Kind.EMPTY, (CONFIRM, BACK), (), 7), Ask(Kind.STILL_SENSED)):
        yield Ask(kind, (CONFIRM, BACK), pawns[:1], 17, tickets[0], besides=doubt)
    if kind is Kind.SWITCH:
        yield Ask(kind, (CONFIRM,), (), 17)


def scenes(kind: Kind) -> Iterator[Scene]:
    """Scenes in which that is asked."""
    for view in VIEWS:
        layout = "ABC dEF GHI" if kind is Kind.LAY_TILES else ""
        outcome = Outcome(MR_X, "escaped") if kind is Kind.NEXT_GAME else None
        seen = replace(view, outcome=outcome, layout=layout)
        phases = (Phase.PLAY, Phase.SET_UP, Phase.RESUME) if readings(kind) == WRONG else (Phase.PLAY,)
        for reading, phase, ask in product(readings(kind), phases, asks(kind, view)):
            yield scene(
                seen,
                ask=ask,
                reading=reading,
                phase=phase,
                set_down={MR_X: 7} if ask.besides is None and not ask.unsensed else {},
                take_off=frozenset({8, 9}),
                ignored=frozenset({17}) if ask.unsensed else frozenset(),
                entered=("bus", "taxi", "taxi") if ask.unsensed or kind is Kind.ENTERED else (),
                paused="the switches are lost" if kind is Kind.PAUSED else "",
            )


HAPPENED: tuple[tuple[PublicView, Announcement], ...] = (
    (public(), GameGivenUp()),
    *((public(), NotTakenBack(why)) for why in Why),
    (public(), SwitchesIgnored((17,))),
    (public(), SwitchesIgnored((17, 18))),
    *((public(), TicketTaken(ticket, "red")) for ticket in ("taxi", "bus", "underground")),
    *((junior().public, ChipWon(side)) for side in ("detectives", MR_X)),
)


# ---- nothing is left in English ----


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.usefixtures("bracketed")
def test_whatever_is_asked_is_said_in_the_language_of_the_table(kind: Kind) -> None:
    said = [prompt(each) for each in scenes(kind)]
    kept = ("A", "B", "C", "d", "E", "F", "G", "H", "I") if kind is Kind.LAY_TILES else ()
    assert left((one.text for one in said), *kept) == set()
    assert left((one.brief for one in said), *kept) == set()
    assert any(one.text for one in said)


@pytest.mark.usefixtures("bracketed")
def test_what_has_just_happened_is_said_in_it() -> None:
    told = [scene(v, announcement=what, ask=Ask(Kind.MOVE, (), ("red",)), places={17: "3"}) for v, what in HAPPENED]
    assert left(prompt(one).text for one in told) == set()
    assert left([prompt(scene(None, ask=Ask(Kind.NEW_GAME))).text]) == set()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.usefixtures("bracketed")
def test_a_game_is_told_in_it_from_its_beginning_to_its_end(rules: str) -> None:
    views = course(rules)
    told = public_events(None, views[0])
    for before, after in pairwise(views):
        told += public_events(before, after)
    told += seat_lines(views[0], {MR_X: "1", "1": "2"})
    assert left(told, *re.findall("[A-Za-z]", views[-1].layout), *views[-1].layout.split()) == set()


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.usefixtures("bracketed")
def test_a_finished_game_is_told_in_it(rules: str) -> None:
    told = record_json(record(rules))
    said = [told["title"], *told["ending"], *(words for step in told["steps"] for words in step["words"])]
    layout = told["layout"]
    assert left(said, *re.findall("[A-Za-z]", layout), *layout.split()) == set()


@pytest.mark.usefixtures("bracketed")
def test_every_word_of_the_games_is_said_in_it() -> None:
    pawns = {
        pawn for rules in RULES for hands in config(rules).edition.seats.values() for hand in hands for pawn in hand
    }
    tickets = ("taxi", "bus", "underground", BLACK, "boat", HELICOPTER, FREE, STAY, START, "pass", "double")
    items = {item for view in (mr_x(), dice_game(), junior(), beginners()) for item in home_items(view)}
    said = [*map(pawn_name, (*pawns, MR_X, "mr_x_junior")), *map(ticket_name, tickets), *map(by_ticket, tickets)]
    said += [*map(label, {*tickets, *items, "surface", "supply"}), *map(rules_name, RULES)]
    said += [*map(ticket_letter, tickets[:-1]), *(ending(Outcome(MR_X, reason)) for reason in REASONS)]
    said += [
        game_ui(v).reason(Outcome(w, reason), v) for v in ENDED for w in (MR_X, "detectives") for reason in REASONS
    ]
    said += [game_ui(view).waiting(view) for view in VIEWS]
    assert left(said) == set()


ENDED = (public(route=(7, 13)), public(route=(7, 118), pawns={"red": 118}), junior().public, dice_game().public)


@pytest.mark.usefixtures("bracketed")
def test_the_coach_speaks_it() -> None:
    moves = (None, PawnMove("red", 7, FREE), PawnMove("red", 7, "underground"))
    few = [CoachHints(CoachMode.ADVICE, dict.fromkeys(range(n), 0.1), move) for n in (0, 1, 2) for move in moves]
    hints = [*few, *(CoachHints(trouble=trouble) for trouble in (KNOWS, FAILED))]
    assert left(line for each in hints for line in (coach_line(each), *coach_sentences(each))) == set()
    moments = [kind(3, n, 5) for kind in (Narrowed, Slipped) for n in (1, 4)] + [
        Closest(3, "red", n) for n in (0, 1, 2)
    ]
    moments += [Costly(3, "red", cost) for cost in (0.01, 0.2)]
    assert left(map(moment_words, moments)) == set()
    assert (
        left(analysis_json(Analysis(trouble=why))["trouble"] for why in (KNOWS, BUSY, CLOSED, ANALYST_FAILED)) == set()
    )


@pytest.mark.usefixtures("bracketed")
def test_what_ails_and_for_what_the_game_waits_is_said_in_it() -> None:
    names = ("switches", "lamps", "display", "handset", "keys", "journal", "power")
    assert left(map(device_name, names)) == set()
    assert {UNDER_VOLTAGE, SLOWED_DOWN} <= set(DEVICE_REASONS)
    assert left(reason_words(re.sub(r"\{\w+\}", "3", reason)) for reason in DEVICE_REASONS) == set()
    places = ("chip 8, pin F", "row 2, column 5 (GPIO 3, GPIO 4)", "input 17", "GPIO 17")
    assert left(map(reason_words, places), "F", "GPIO") == set()
    for device in ("switches", "handset", "keys"):
        devices, view = Devices(names, 0.0, lambda: 0.0), mr_x().public
        said: list[str] = []
        for n in range(10):  # it comes and goes
            devices.lost(device, "3", float(n))
            said += [health_words(devices[device])]
            said += [prompt(scene(view, paused=why_paused(devices, view))).text]
            devices.ok(device, n + 0.5)
        assert left(said) == set()
        assert len({(letters(one) and one) or re.sub(r"\d", "", one) for one in said}) > 3


# ---- the languages that there are ----


@pytest.mark.parametrize("code", [code for code in LANGUAGES if (HERE / f"{code}.po").exists()])
@pytest.mark.long_but_first
def test_everything_asked_can_be_said_in_every_language(
    code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    polib.pofile(str(HERE / f"{code}.po")).save_as_mofile(str(tmp_path / "texts.mo"))
    with (tmp_path / "texts.mo").open("rb") as file:
        catalogue = GNUTranslations(file)
    monkeypatch.setattr(language, "_catalogue", lambda _: catalogue)
    with in_language(code):
        for kind in Kind:
            assert all(prompt(each).text for each in islice(scenes(kind), 0, None, 7))
        for rules in RULES:
            assert all(step["words"] for step in record_json(record(rules))["steps"][:1])


def course(rules: str) -> list[PublicView]:
    """What everyone saw of a game by chance, moves taken back among it."""
    told, entries = play(rules, 1)
    game = Game(told.setup)
    views = [game.public]
    for entry in entries:
        if entry is None:
            game.take_back()
        else:
            game.play(entry)
        views.append(game.public)
    return views


def record(rules: str) -> GameRecord:
    """A finished game by chance."""
    return replay(finished(rules, 1)[1], [(config(rules).edition, config(rules).ground)])
