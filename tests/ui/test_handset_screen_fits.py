"""Nothing overflows, whatever a view holds within what a table can have."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from firmware_host.referee.scene import Health, Phase
from firmware_host.rules.actions import (
    BOAT,
    FREE,
    HELICOPTER,
    START,
    STAY,
    TICKETS,
    Action,
    Commit,
    Double,
    MrXMove,
    Pass,
    Surface,
    Take,
)
from firmware_host.rules.dice.dice_view import Dice
from firmware_host.rules.network import TRANSPORTS
from firmware_host.rules.secret import Secret
from firmware_host.rules.views import LogEntry, MrXView, Outcome
from firmware_host.ui import handset_pages
from firmware_host.ui.drawing import handset_screen, public_display, screen_text
from firmware_host.ui.handset_menu import KEYS, Menu
from firmware_host.ui.new_game_menu import NewGameMenu, Offer, open_menu, press
from tests.amount import amount
from tests.ui.handmade_views import DICE, EVERY_PAGE, PAWNS, TINY, content_of, mr_x


def ink(mark: screen_text.Mark) -> tuple[int, int, int, int] | None:
    """The pixels that a mark reaches, however far out they lie."""
    if isinstance(mark, screen_text.Rectangle):
        return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
    sheet = Image.new("1", (mark.font.width(mark.text) + 1, mark.font.height))
    mark.font.draw(sheet, 0, 0, mark.text)
    box = sheet.getbbox()
    return box and (mark.x + box[0], mark.y + box[1], mark.x + box[2], mark.y + box[3])


def assert_in_order(drawn: list[screen_text.Mark]) -> None:
    words = []
    for mark in drawn:
        box = ink(mark)
        if box is None:
            continue
        assert min(box) >= 0, f"{mark} reaches over the left or upper edge"
        assert box[2] <= 128, f"{mark} reaches over the right edge"
        assert box[3] <= 64, f"{mark} reaches over the lower edge"
        if isinstance(mark, screen_text.Word):
            words.append((mark.text, box))
    for (one, a), (other, b) in combinations(words, 2):
        apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
        assert apart, f"{one!r} and {other!r} lie over each other"


stations = st.integers(1, 999)
WAYS = (FREE, *TICKETS, BOAT, START, HELICOPTER, STAY, "pass", "double", "surface")
hands = st.fixed_dictionaries({}, optional=dict.fromkeys((*TICKETS, BOAT, HELICOPTER, "double"), st.integers(0, 99)))
REASONS = ["captured", "immobilised", "stalled", "log_full", "trapped", "walked_in", "escaped", "rounds_over", "chips"]
outcomes = st.builds(
    Outcome, st.sampled_from(["mr_x", "detectives"]), st.sampled_from([*REASONS, "something_else_altogether"])
)
faces = st.lists(st.sampled_from(DICE.faces), max_size=7).map(tuple)
trays = st.builds(
    Dice,
    to_roll=st.integers(0, 7),
    rolled=faces,
    used=st.lists(st.tuples(st.sampled_from(PAWNS), st.sampled_from(DICE.faces)), max_size=5).map(tuple),
    taken=st.integers(0, 2),
    supply=st.integers(0, 24),
    covers=faces,
    tokens=st.integers(0, 24),
    tile=st.sampled_from(["", *"ABCDEFGHI"]),
    faces=st.just(DICE.faces),
)
chips = st.fixed_dictionaries(dict.fromkeys(("mr_x", "detectives"), st.tuples(st.integers(0, 99), st.integers(1, 99))))


@st.composite
def choosings(draw: Callable[[Any], Any], pawn: str) -> tuple[Action, ...]:
    """What Mister X may do: tickets to commit to, or to take from a pawn, or moves and words."""
    match draw(st.sampled_from(["commit", "take", "move", "move"])):
        case "commit":
            return tuple(Commit("mr_x", Secret(way)) for way in draw(st.sets(st.sampled_from([*TRANSPORTS, STAY]))))
        case "take":
            return tuple(Take(pawn, ticket) for ticket in TICKETS[:3])
    tos = draw(st.lists(stations, min_size=1, max_size=20, unique=True))
    ways = st.sampled_from((FREE, *TICKETS, START, HELICOPTER))
    may = tuple(MrXMove(Secret(to), draw(ways)) for to in tos)
    return (*may, *draw(st.lists(st.sampled_from([Double(), Surface(), Pass()]))))


@st.composite
def views(draw: Callable[[Any], Any]) -> MrXView:
    order = tuple(draw(st.permutations(PAWNS)))[: draw(st.integers(1, 5))]
    windows = draw(st.integers(0, 99))
    entries = tuple(
        LogEntry(window, draw(st.sampled_from(WAYS)), draw(st.none() | stations), draw(st.integers(0, 2)))
        for window in range(1, draw(st.integers(0, min(windows, 30))) + 1)
    )
    fugitives = draw(st.sampled_from([("mr_x",), ("mr_x", "mr_x_junior")]))
    turn = draw(st.sampled_from([fugitives, ("mr_x",), order[:1], order[-2:], order, ()]))
    outcome = None if turn else draw(st.none() | outcomes)
    pawns = {pawn: draw(stations) for pawn in (*order, *draw(st.sampled_from([(), ("mr_x",)])))}
    may = draw(choosings(order[0])) if turn and turn[0] == "mr_x" else ()
    return mr_x(
        999 if any(isinstance(action, Commit) for action in may) else draw(st.just(0) | stations),
        may,
        actor=draw(st.sampled_from(fugitives)),
        fugitives=fugitives,
        in_sight=draw(st.booleans()),
        **draw(
            st.just({}) | st.fixed_dictionaries({"dice": trays}) | st.fixed_dictionaries({"chips": chips})
        ),  # of one game or another
        network=TINY,
        order=order,
        turn=turn,
        round=draw(st.integers(1, 99)),
        pawns=pawns,
        log=entries,
        windows=windows,
        surfacing=draw(st.frozensets(st.integers(1, windows), max_size=6)) if windows else frozenset(),
        tickets={owner: draw(hands) for owner in (*order, "mr_x")},
        double=draw(st.integers(0, 2)),
        outcome=outcome,
        route=tuple(draw(stations) for _ in range(len(entries) + 1)) if outcome else (),
    )


@settings(max_examples=amount(20, 150), deadline=None)
@given(
    views(),
    st.builds(Menu, st.sampled_from(EVERY_PAGE), st.integers(0, 110), st.sampled_from([None, *WAYS])),
)
def test_no_word_on_the_handset_reaches_over_an_edge_or_into_another(view: MrXView, menu: Menu) -> None:
    described = handset_pages.page(menu, view)
    assert_in_order(handset_screen.layout(described))
    assert handset_screen.draw(described).size == (128, 64)
    assert handset_pages.lines(described)


DEVICES = ("switches", "keys", "lamps", "handset", "display", "journal")
states = st.sampled_from(["degraded", "lost"])
texts = st.text(st.characters(min_codepoint=32, max_codepoint=126) | st.sampled_from(" \n·→…é"), max_size=220)


@settings(max_examples=amount(20, 150), deadline=None)
@given(
    st.none() | views(),
    texts,
    st.sampled_from(Phase),
    st.dictionaries(st.sampled_from(DEVICES), st.builds(Health, states, texts.map(lambda t: t.replace("\n", " ")))),
    st.frozensets(stations, max_size=8),
    faces,
)
def test_no_word_on_the_display_reaches_over_an_edge_or_into_another(
    view: MrXView | None,
    text: str,
    phase: Phase,
    ailing: dict[str, Health],
    masked: frozenset[int],
    entered: tuple[str, ...],
) -> None:
    shown = content_of(view.public if view else None, text, phase=phase, ailing=ailing, ignored=masked, entered=entered)
    assert_in_order(public_display.layout(shown))
    assert screen_text.paint(public_display.layout(shown)).size == (128, 64)


names = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=30)
offers = st.builds(
    Offer,
    rules=names,
    title=texts.map(lambda text: text.replace("\n", " ")),
    players=st.lists(st.integers(2, 12), min_size=1, max_size=6, unique=True).map(tuple),
    options=st.dictionaries(
        names, st.lists(st.booleans() | st.integers(0, 99) | names, min_size=1, max_size=3).map(tuple), max_size=6
    ).map(lambda options: {**options, "layout": ("",)}),
    tiles=st.sampled_from(("", "ABCDEFGHI")),
)


@settings(max_examples=amount(20, 150), deadline=None)
@given(st.lists(offers, max_size=6), st.booleans(), st.lists(st.sampled_from(KEYS), max_size=60))
def test_no_word_of_the_new_game_menu_reaches_over_an_edge_or_into_another(
    offered: list[Offer], playing: bool, keys: list[str]
) -> None:
    menu: NewGameMenu | None = open_menu(offered, playing=playing)
    for key in keys:
        assert menu is not None
        described = handset_pages.new_game_page(menu, offered)
        assert_in_order(handset_screen.layout(described))
        assert handset_screen.draw(described).size == (128, 64)
        assert handset_pages.lines(described)
        menu, _ = press(menu, key, offered)
        if menu is None:
            return


@settings(deadline=None)
@given(texts.map(lambda text: text.replace("\n", " ")), texts)
def test_no_word_of_a_message_reaches_over_an_edge_or_into_another(title: str, text: str) -> None:
    assert_in_order(handset_screen.layout(handset_pages.Notice(title, text)))


@given(texts, st.integers(20, 128), st.integers(20, 64))
def test_a_text_made_to_fit_fits_and_loses_nothing_unless_it_says_so(text: str, width: int, height: int) -> None:
    font, lines = screen_text.fit(text, width, height)
    assert all(font.width(line) <= width for line in lines)
    assert screen_text.text_height(len(lines), font) <= height
    if not lines[-1].endswith("…"):
        assert "".join(lines).replace(" ", "") == "".join(text.split())
