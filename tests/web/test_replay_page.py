"""The pages of past games in a real Chromium: every step can be reached, by hand and by keys, and says the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, product

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.journal.journal import Journal
from firmware_host.journal.store_port import MEMORY
from firmware_host.past_games.finished_games import Archive
from firmware_host.past_games.game_analysis import GameRecord
from firmware_host.past_games.game_json import record_json, summary_json
from firmware_host.players.coach import coach as coaches
from firmware_host.players.coach.coach_port import Review
from firmware_host.rules.actions import MR_X, PawnMove
from firmware_host.web.feeds.page_orders import AT_REAL_BOARD, PageOrderQueue
from firmware_host.web.server import Server
from tests.amount import amount
from tests.journal.random_journals import RULES, config, play, write
from tests.past_games.own_reviewer import OwnReviewer
from tests.web.chromium import visits

NAMES = {
    "classic": "Classic", "us": "American", "current": "Today's box", "beginners": "Beginners", "dice": "Dice",
    "junior": "Junior",
}  # fmt: skip
"""What games are called where people choose among them."""

PHONE, DESK = (390, 844), (1440, 900)

COVERED = """() => {
  const within = ([x, y], box) => box.left < x && x < box.right && box.top < y && y < box.bottom;
  const badges = [...document.querySelectorAll(".route-line .badge .plate")].map(rect => rect.getBoundingClientRect());
  return [...document.querySelectorAll("[data-station]")].filter(station => {
    const { x, y, width, height } = station.getBoundingClientRect();
    return badges.some(badge => within([x + width / 2, y + height / 2], badge));
  }).map(station => station.dataset.station);
}"""
"""The stations in whose middle, where the number is, a badge lies."""


@pytest.fixture(scope="module")
def house() -> Iterator[tuple[str, Archive]]:
    """The pages of a table at which a game of every system has been played."""
    archive = Archive(config(), make_reviewer=OwnReviewer)
    server = Server("127.0.0.1", 0, PageOrderQueue(AT_REAL_BOARD), archive)
    with Journal.open(MEMORY) as journal:
        for rules in RULES:
            write(journal, *play(rules, 2))
        archive.follow(journal)
    server.start()
    yield server.url, archive
    server.stop()


@pytest.fixture
def visit(browser: Browser, house: tuple[str, Archive]) -> Iterator[Callable[..., Page]]:
    """Opens one of the pages; whatever goes wrong there fails the test."""
    with visits(browser) as go:
        yield lambda path, size=DESK, **kind: go(house[0], path, size=size, **kind).page


def shows(page: Page, record: GameRecord, number: int) -> None:
    """The page shows a step, all of it."""
    step = record.steps[number]
    expect(page.locator("#told")).to_have_text(record_json(record)["steps"][number]["words"][0])
    expect(page.locator("#step")).to_have_value(str(number))
    expect(page.locator(f"[data-step='{number}']")).to_have_attribute("aria-current", "step")
    for pawn, at in step.pawns.items():
        expect(page.locator(f"#pawns [data-pawn='{pawn}']")).to_have_attribute("data-at", str(at))
    for pawn, route in record.routes.items():
        ways = set(pairwise(route[: step.walked]))
        legs = {frozenset(way) for way in ways if way[0] != way[1]}
        expect(page.locator(f".route-line .shaft[data-of='{pawn}']")).to_have_count(len(legs))
    if record.end.windows:
        expect(page.locator("#log .window .station")).to_have_count(len(step.view.log))


def number_of(rules: str) -> int:
    return RULES.index(rules) + 1


@pytest.mark.parametrize(
    ("rules", "size"),
    amount([("beginners", PHONE), ("dice", DESK), ("junior", PHONE)], list(product(RULES, (PHONE, DESK)))),
)
@pytest.mark.long_but_first
def test_a_game_of_every_system_can_be_gone_through(
    visit: Callable[..., Page], house: tuple[str, Archive], rules: str, size: tuple[int, int]
) -> None:
    record = house[1].record(number_of(rules))
    page = visit(f"games/{number_of(rules)}", size)
    last = len(record.steps) - 1
    shows(page, record, 0)
    for number in (last, last // 2):
        page.locator("#step").fill(str(number))
        shows(page, record, number)
    page.get_by_role("button", name="One step on").click()
    shows(page, record, last // 2 + 1)
    page.get_by_role("button", name="To the end").click()
    shows(page, record, last)
    page.locator("[data-step='3']").click()
    shows(page, record, 3)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_keys_alone_lead_through_a_game_wherever_the_focus_is(
    visit: Callable[..., Page], house: tuple[str, Archive]
) -> None:
    record = house[1].record(1)
    page = visit("games/1")
    shows(page, record, 0)
    for focus in ("", "[data-time='on']", "[data-step='0']", "#step"):
        if focus:
            page.locator(focus).focus()
        for key, number in (("ArrowRight", 1), ("ArrowLeft", 0), ("End", len(record.steps) - 1), ("Home", 0)):
            page.keyboard.press(key)
            shows(page, record, number)


def test_no_badge_of_the_route_lies_on_a_number(visit: Callable[..., Page], house: tuple[str, Archive]) -> None:
    """They lie where the picture to take home has them."""
    page = visit(f"games/{number_of('us')}")
    page.locator("#step").fill(str(len(house[1].record(number_of("us")).steps) - 1))
    assert page.locator(".route-line .badge").count() > 5
    assert page.evaluate(COVERED) == []


def test_it_plays_to_the_end_and_then_stops(visit: Callable[..., Page], house: tuple[str, Archive]) -> None:
    record = house[1].record(number_of("junior"))
    page = visit(f"games/{number_of('junior')}", calm=False)
    last = len(record.steps) - 1
    page.locator("#step").fill(str(last - 3))
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    shows(page, record, last)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


@pytest.mark.long
def test_who_hides_is_a_shade_until_he_shows_himself(visit: Callable[..., Page], house: tuple[str, Archive]) -> None:
    record = house[1].record(number_of("classic"))
    page = visit(f"games/{number_of('classic')}")
    pawn = page.locator(f"#pawns [data-pawn='{MR_X}']")
    hidden = next(n for n, step in enumerate(record.steps) if not step.seen)
    seen = next(n for n, step in enumerate(record.steps) if step.seen)
    for number, opacity in ((hidden, "0.6"), (seen, "1")):
        page.locator("#step").fill(str(number))
        expect(pawn).to_have_css("opacity", opacity)


@pytest.mark.long
def test_who_wants_nothing_to_move_sees_nothing_move(visit: Callable[..., Page]) -> None:
    page = visit(f"games/{number_of('classic')}")
    page.get_by_label("Speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".route-line .shaft")).to_have_count(1)
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_list_leads_to_every_game_and_has_a_picture_of_its_route(
    visit: Callable[..., Page], house: tuple[str, Archive]
) -> None:
    page = visit("games")
    entries, pictures = page.locator("#games > li"), page.locator("#games .route")
    expect(entries).to_have_count(len(RULES))
    expect(pictures).to_have_count(len(RULES))
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=picture.element_handle())
    for summary in house[1].summaries():
        entry = page.locator(f"[data-game='{summary.number}']")
        expect(entry.get_by_role("link")).to_have_text(NAMES[summary.rules])
        expect(entry.locator(".result")).to_have_text(" ".join(summary_json(summary)["ending"]))
    entries.first.get_by_role("link").click()
    expect(page.locator("#title")).to_have_text(NAMES[house[1].summaries()[0].rules])


def test_the_analysis_is_shown_on_the_map_in_words_and_as_chart_and_its_moments_lead_to_their_steps(
    visit: Callable[..., Page], house: tuple[str, Archive], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaches, "can_search", lambda: False)
    number = number_of("classic")
    page = visit(f"games/{number}")
    panel, heat = page.locator("#analysis"), page.locator("#coach-heat .hunch")
    panel.get_by_role("button", name="Analyse this game").click()
    expect(panel.get_by_role("img")).to_have_attribute("aria-label", re.compile("^Stations at which Mister X may have"))
    analysis = house[1].analysis(number)
    assert analysis is not None
    expect(panel.locator("tbody tr")).to_have_count(len(analysis.steps))
    for step in (0, 5, len(analysis.steps) - 1):
        page.locator("#step").fill(str(step))
        expect(heat).to_have_count(len(analysis.steps[step].stations))
    page.locator("#step").fill(str(len(analysis.steps)))
    expect(heat).to_have_count(0)
    expect(panel.locator(".insight")).to_have_text("The game is over: everything is open.")
    panel.locator(".moments button").first.click()
    expect(page.locator("#step")).to_have_value(str(analysis.moments[0].step))
    panel.get_by_label("Show it on the map").uncheck()
    expect(heat).to_have_count(0)
    expect(panel).to_contain_text("The cost of moves is not shown: this table lacks the extra “players”.")
    expect(panel.get_by_role("img")).to_have_count(1)


@pytest.mark.long
def test_what_moves_cost_is_told_in_words_as_chart_and_in_the_table_and_leads_to_the_costly_ones(
    visit: Callable[..., Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OwnReviewer, "review", lambda *_: None)
    monkeypatch.setattr(OwnReviewer, "reviewed", lambda _: Review({7: 1.0}, PawnMove("red", 9, "taxi"), 0.25, 0.3))
    page = visit(f"games/{number_of('us')}")
    panel = page.locator("#analysis")
    panel.get_by_role("button", name="Analyse this game").click()
    told = panel.locator(".insight")
    expect(told).to_contain_text("The detectives won 25% of the games that the coach played on from here.")
    expect(told).to_contain_text("What was done lowered the chance to win by 30 percentage points.")
    expect(panel.get_by_role("img").last).to_have_attribute("aria-label", re.compile("chance to win, in per cent"))
    expect(panel.locator("tbody tr").first).to_contain_text("25%Red to 930%")
    panel.locator(".moments button", has_text="A costly move").first.click()
    expect(page.locator("#step")).to_have_value("0")
