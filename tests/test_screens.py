from __future__ import annotations

import typing
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from firmware_host import screens
from firmware_host.drawing import marks, pages, placard
from firmware_host.menu import DESTINATIONS, PAGES, Menu
from firmware_host.rules.actions import BLACK, TICKETS, Action, Double, MrXMove
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView, Outcome
from firmware_host.scene import Phase, Scene
from tests import goldens
from tests.views import PAWNS, TINY, choices, log, mr_x, public, scene

FULL = log("TTBU?TB+TUTT?BT+UTTBUTTBUT", {3: 67, 8: 111, 13: 157, 18: 89})
ROUTE = (103, *range(101, 124), 118)


def moves(to: range, ticket: str) -> tuple[Action, ...]:
    return tuple(MrXMove(Secret(station), ticket) for station in to)


OVER = mr_x(
    118,
    turn=(),
    log=FULL[:7],
    outcome=Outcome("detectives", "captured"),
    pawns={"red": 118, "yellow": 34, "green": 26, "blue": 1, "mr_x": 118},
    route=(103, 101, 102, 67, 104, 105, 106, 118),
)

HANDSET: dict[str, tuple[Menu, MrXView]] = {
    "home": (Menu(), mr_x(7)),
    "home-three-figures-scrolled": (Menu(cursor=6), mr_x(185, log=FULL[:16])),
    "home-surfacing": (Menu(cursor=1), mr_x(67, log=FULL[:7])),
    "home-first-of-double": (Menu(), mr_x(140, choices(140, double=False), log=FULL[:7], double=1)),
    "home-second-of-double": (Menu(), mr_x(140, choices(140, double=False), log=FULL[:8], double=2)),
    "home-in-sight": (Menu(cursor=2), mr_x(153, log=FULL[:3], pawns={"red": 5, "mr_x": 153})),
    "home-many-tickets": (
        Menu(cursor=2),
        mr_x(199, choices(67), tickets={"mr_x": dict.fromkeys((*TICKETS, "double"), 54)}),
    ),
    "destinations": (Menu(DESTINATIONS, 1, "underground"), mr_x(67)),
    "destinations-surfacing": (Menu(DESTINATIONS, 4, "taxi"), mr_x(67, log=FULL[:2])),
    "destinations-thirteen-first": (Menu(DESTINATIONS, 0, BLACK), mr_x(67, log=FULL[:4])),
    "destinations-thirteen-last": (Menu(DESTINATIONS, 12, BLACK), mr_x(67, log=FULL[:4])),
    "destinations-thirteen-three-figures": (Menu(DESTINATIONS, 6, BLACK), mr_x(140, moves(range(187, 200), BLACK))),
    "destinations-one": (Menu(DESTINATIONS, 0, "taxi"), mr_x(8, moves(range(19, 20), "taxi"))),
    "waiting": (Menu(), mr_x(174, turn=("red",), log=FULL[:5])),
    "waiting-for-yellow-in-sight": (
        Menu(cursor=2),
        mr_x(9, turn=("yellow",), log=FULL[:3], pawns={"yellow": 6, "mr_x": 9}),
    ),
    "waiting-for-two-pawns": (Menu(cursor=1), mr_x(45, turn=("purple", "yellow"), detectives=5)),
    "waiting-for-anyone": (Menu(), mr_x(45, turn=PAWNS[:4], log=FULL)),
    "log-empty": (Menu("log", 0), mr_x(45)),
    "log-middle": (Menu("log", 8), mr_x(120, log=FULL[:14])),
    "log-full": (Menu("log", 24), mr_x(123, log=FULL)),
    "detectives-four": (Menu("detectives"), mr_x(45)),
    "detectives-five": (
        Menu("detectives"),
        mr_x(45, detectives=5, pawns=dict(zip(PAWNS, (188, 199, 100, 144, 128), strict=True))),
    ),
    "supply": (Menu("supply"), mr_x(128, log=FULL[:9])),
    "end-captured": (Menu(), OVER),
    "end-log-full": (Menu(cursor=2), mr_x(118, turn=(), log=FULL, outcome=Outcome("mr_x", "log_full"), route=ROUTE)),
    "end-stalled": (Menu(cursor=1), mr_x(118, turn=(), log=FULL[:9], outcome=Outcome("mr_x", "stalled"))),
    "end-log-open": (Menu("log", 4), OVER),
}

LONG = (
    "Put Red on 103, Yellow on 154, Green on 112, Blue on 197 and Purple on 138. Clear 5 and 7. "
    "Already so? Press CONFIRM"
)
PLAYING = public(turn=("red",), round=7, log=FULL[:8])

DISPLAY: dict[str, Scene] = {
    "no-game": scene(None, "Press CONFIRM for a new game", phase=Phase.NO_GAME),
    "set-up": scene(public(), "Set up: " + LONG, phase=Phase.SET_UP),
    "mister-x-moves": scene(public(), "Mister X moves"),
    "red-moves": scene(PLAYING, "Red moves. Set Mister X's pawn on 111"),
    "which-ticket": scene(PLAYING, "Red to 58: TAXI or BUS?"),
    "long-prompt": scene(public(turn=PAWNS[:4], round=22, log=FULL, detectives=5), LONG),
    "full-log": scene(public(turn=("blue",), round=22, log=FULL), "Blue moves"),
    "trouble": scene(PLAYING, "Red moves", ailing={"handset": "does not answer"}),
    "troubles-long": scene(
        public(turn=("yellow",), round=12, log=FULL[:17]),
        "Yellow: to a lit station. Already on 112? Press TAXI, BUS or UNDERGROUND, BACK: elsewhere",
        ailing={"lamps": "the SPI device /dev/spidev0.0 is gone", "switches": "chain broken"},
        masked=frozenset({58, 74}),
    ),
    "resume": scene(PLAYING, "Going on: Put Red on 103", phase=Phase.RESUME),
    "over": scene(OVER.public, "", phase=Phase.OVER),
}


@pytest.mark.parametrize("name", HANDSET)
def test_the_handset_shows_each_page_as_it_was_approved(name: str) -> None:
    goldens.check(f"handset-{name}", screens.draw(*HANDSET[name]))


@pytest.mark.parametrize("name", DISPLAY)
def test_the_public_display_shows_each_scene_as_it_was_approved(name: str) -> None:
    goldens.check(f"display-{name}", screens.display(DISPLAY[name]))


@pytest.mark.parametrize(
    ("name", "image"),
    [
        ("cover", screens.cover()),
        ("blank", screens.blank()),
        ("message-set-up", screens.message("Set up", "Set up the board")),
        ("message-paused", screens.message("Paused", "The switches do not answer. The game goes on by itself.")),
        ("message-without-title", screens.message("", "Starting…")),
        ("message-long", screens.message("The handset's token", LONG + " " + LONG)),
    ],
)
def test_messages_look_as_they_were_approved(name: str, image: Image.Image) -> None:
    goldens.check(f"handset-{name}", image)


def test_every_page_of_the_menu_has_a_golden() -> None:
    assert {menu.page for menu, _ in HANDSET.values()} == set(PAGES)


def test_home_says_where_he_is_what_he_has_left_and_what_is_under_the_cursor() -> None:
    assert screens.lines(Menu(cursor=1), mr_x(67, log=FULL[:4])) == [
        "You are at 67",
        "Move 5",
        "Seen at 8",
        "  Taxi 4",
        "> Bus 3",
        "  Undergr 3",
        "  Black 4",
        "  2× move 2",
        "  Log",
        "  Detectives",
        "  My tickets",
    ]


@pytest.mark.parametrize(("filled", "warned"), [(1, False), (2, True), (3, False), (7, True), (17, True), (18, False)])
def test_the_warning_stands_exactly_when_the_next_move_fills_a_surfacing_window(filled: int, warned: bool) -> None:
    for menu in (Menu(), Menu(DESTINATIONS, 0, "taxi")):
        assert ("SURFACE" in screens.lines(menu, mr_x(67, log=FULL[:filled]))) is warned


def test_no_warning_stands_while_another_moves() -> None:
    assert "SURFACE" not in screens.lines(Menu(), mr_x(67, turn=("red",), log=FULL[:2]))


def test_the_title_says_which_half_of_a_double_move_it_is() -> None:
    assert screens.lines(Menu(), mr_x(67, double=1))[0] == "1st of 2 67"
    assert screens.lines(Menu(), mr_x(67, double=2))[0] == "2nd of 2 67"


def test_destinations_list_every_station_though_not_all_are_drawn() -> None:
    said = screens.lines(Menu(DESTINATIONS, 12, BLACK), mr_x(67))
    stations = (13, 23, 51, 52, 65, 66, 68, 79, 82, 84, 89, 102, 111)
    assert said[0] == "Black → 111"
    assert said[-13:] == [*(f"  {station}" for station in stations[:-1]), "> 111"]


def test_waiting_says_who_moves_and_offers_what_there_is_to_read() -> None:
    said = screens.lines(Menu(), mr_x(67, turn=("red",)))
    assert said[3:] == ["Red moves…", "> Log", "  Detectives", "  My tickets"]


def test_the_log_has_his_own_stations_and_marks_where_he_is_seen() -> None:
    said = screens.lines(Menu("log", 2), mr_x(67, log=FULL[:2]))
    assert said[:5] == ["Log 2/24", "  Start 100", "  1 Taxi 101", "> 2 Taxi 67", "  3 – seen"]
    assert len(said) == 1 + 25


def test_the_detectives_stand_with_station_and_tickets() -> None:
    said = screens.lines(Menu("detectives"), mr_x(67, tickets={"red": {"taxi": 9, "bus": 8, "underground": 0}}))
    assert said[:3] == ["at T B U", "> Red 26 9 8 0", "  Yellow 34"]


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        (Outcome("detectives", "captured"), "Red caught Mister X at 118."),
        (Outcome("detectives", "trapped"), "Mister X had nowhere to go."),
        (Outcome("mr_x", "immobilised"), "No detective can move any more."),
        (Outcome("mr_x", "stalled"), "No detective could move in this round."),
        (Outcome("mr_x", "log_full"), "The log is full."),
        (Outcome("mr_x", "nine_chips"), "Nine chips."),
    ],
)
def test_the_end_says_who_won_and_why(outcome: Outcome, sentence: str) -> None:
    view = mr_x(118, turn=(), outcome=outcome, route=(7, 118), pawns={"red": 118})
    winner = "Mister X wins" if outcome.winner == "mr_x" else "Detectives win"
    assert screens.lines(Menu(), view)[:2] == [winner, sentence]
    assert screens.display_lines(scene(view.public, phase=Phase.OVER))[0].startswith(winner)


def test_the_cover_names_the_key() -> None:
    assert screens.cover_lines() == ["Mister X", "Hold PEEK", "to look"]


def test_a_message_is_text_too() -> None:
    assert screens.message_lines("Paused", "switches lost") == ["Paused", "switches lost"]


def test_a_blank_screen_is_dark() -> None:
    assert screens.blank().getbbox() is None


def test_the_display_tells_turn_round_window_prompt_troubles_and_log() -> None:
    shown = scene(PLAYING, "Red moves", ailing={"lamps": "slow"}, masked=frozenset({58}))
    assert screens.display_lines(shown) == [
        "Red · Round 7 · 8/24",
        "Red moves",
        "! lamps: slow",
        "! No switch at 58",
        "T T B→67 U ? T B+T→111",
    ]


def test_a_prompt_too_long_beside_the_log_takes_the_logs_place() -> None:
    def words(name: str) -> list[str]:
        return [mark.text for mark in display_marks(DISPLAY[name]) if isinstance(mark, marks.Word)]

    assert not any("→" in word for word in words("troubles-long"))
    assert any("→" in word for word in words("full-log"))


def test_the_display_takes_a_scene_and_nothing_else() -> None:
    for function in (screens.display, screens.display_lines, placard.placard):
        hints = typing.get_type_hints(function)
        hints.pop("return")
        assert hints == {"scene": Scene}


def test_no_page_prints_what_it_holds() -> None:
    for menu, view in HANDSET.values():
        described = pages.page(menu, view)
        assert repr(described).startswith("<firmware_host.drawing.pages.")
        for mark in screens.layout(described):
            if isinstance(mark, marks.Word):
                assert repr(mark).startswith("<firmware_host.drawing.marks.Word object at")


def test_the_public_display_knows_neither_the_handset_nor_mister_xs_view() -> None:
    source = Path(placard.__file__).read_text()
    assert not any(word in source for word in ("MrXView", "menu", "pages", "Secret"))


# Nothing overflows, whatever a view holds within what a table can have.


def display_marks(shown: Scene) -> list[marks.Mark]:
    return placard.layout(placard.placard(shown))


def ink(mark: marks.Mark) -> tuple[int, int, int, int] | None:
    """The pixels that a mark reaches, however far out they lie."""
    if isinstance(mark, marks.Box):
        return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
    sheet = Image.new("1", (mark.font.width(mark.text) + 1, mark.font.height))
    mark.font.draw(sheet, 0, 0, mark.text)
    box = sheet.getbbox()
    return box and (mark.x + box[0], mark.y + box[1], mark.x + box[2], mark.y + box[3])


def assert_in_order(drawn: list[marks.Mark]) -> None:
    words = []
    for mark in drawn:
        box = ink(mark)
        if box is None:
            continue
        assert min(box) >= 0, f"{mark} reaches over the left or upper edge"
        assert box[2] <= 128, f"{mark} reaches over the right edge"
        assert box[3] <= 64, f"{mark} reaches over the lower edge"
        if isinstance(mark, marks.Word):
            words.append((mark.text, box))
    for (one, a), (other, b) in combinations(words, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one!r} and {other!r} lie over each other"


stations = st.integers(1, 999)
hands = st.fixed_dictionaries({}, optional=dict.fromkeys((*TICKETS, "double"), st.integers(0, 99)))
outcomes = st.builds(
    Outcome,
    st.sampled_from(["mr_x", "detectives"]),
    st.sampled_from(["captured", "immobilised", "stalled", "log_full", "trapped", "something_else_altogether"]),
)


@st.composite
def views(draw: Callable[[Any], Any]) -> MrXView:
    order = tuple(draw(st.permutations(PAWNS)))[: draw(st.integers(1, 5))]
    windows = draw(st.integers(1, 99))
    entries = tuple(
        LogEntry(window, draw(st.sampled_from(TICKETS)), draw(st.none() | stations), draw(st.integers(0, 2)))
        for window in range(1, draw(st.integers(0, min(windows, 30))) + 1)
    )
    turn = draw(st.sampled_from([("mr_x",), order[:1], order[-2:], order, ()]))
    outcome = None if turn else draw(st.none() | outcomes)
    pawns = {pawn: draw(stations) for pawn in (*order, *draw(st.sampled_from([(), ("mr_x",)])))}
    tos = draw(st.lists(stations, min_size=1, max_size=20, unique=True))
    may: tuple[Action, ...] = tuple(MrXMove(Secret(to), draw(st.sampled_from(TICKETS))) for to in tos)
    return mr_x(
        draw(stations),
        (*may, *draw(st.sampled_from([(), (Double(),)]))) if turn == ("mr_x",) else (),
        network=TINY,
        order=order,
        turn=turn,
        round=draw(st.integers(1, 99)),
        pawns=pawns,
        log=entries,
        windows=windows,
        surfacing=draw(st.frozensets(st.integers(1, windows), max_size=6)),
        tickets={owner: draw(hands) for owner in (*order, "mr_x")},
        double=draw(st.integers(0, 2)),
        outcome=outcome,
        route=tuple(draw(stations) for _ in range(len(entries) + 1)) if outcome else (),
    )


@settings(max_examples=150, deadline=None)
@given(
    views(),
    st.builds(Menu, st.sampled_from(PAGES), st.integers(0, 110), st.sampled_from([None, *TICKETS])),
)
def test_no_word_on_the_handset_reaches_over_an_edge_or_into_another(view: MrXView, menu: Menu) -> None:
    described = pages.page(menu, view)
    assert_in_order(screens.layout(described))
    assert screens.draw(menu, view).size == (128, 64)
    assert screens.lines(menu, view) == pages.lines(described)


texts = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from(" \n·→…é"), max_size=220)


@settings(max_examples=150, deadline=None)
@given(
    st.none() | views(),
    texts,
    st.sampled_from(Phase),
    st.dictionaries(st.sampled_from(["lamps", "switches", "handset"]), texts.map(lambda t: t.replace("\n", " "))),
    st.frozensets(stations, max_size=8),
)
def test_no_word_on_the_display_reaches_over_an_edge_or_into_another(
    view: MrXView | None, text: str, phase: Phase, ailing: dict[str, str], masked: frozenset[int]
) -> None:
    shown = scene(view.public if view else None, text, phase=phase, ailing=ailing, masked=masked)
    assert_in_order(display_marks(shown))
    assert screens.display(shown).size == (128, 64)


@settings(deadline=None)
@given(texts.map(lambda text: text.replace("\n", " ")), texts)
def test_no_word_of_a_message_reaches_over_an_edge_or_into_another(title: str, text: str) -> None:
    assert_in_order(screens.layout(pages.Notice(title, text)))


@given(texts, st.integers(20, 128), st.integers(20, 64))
def test_a_text_made_to_fit_fits_and_loses_nothing_unless_it_says_so(text: str, width: int, height: int) -> None:
    font, lines = marks.fit(text, width, height)
    assert all(font.width(line) <= width for line in lines)
    assert marks.tall(len(lines), font) <= height
    if not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == "".join(text.split())
