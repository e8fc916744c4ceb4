"""The board's frame and what is around it: the log, the one sentence, and a map that follows whose turn it is."""

from __future__ import annotations

import random

import pytest

from firmware_host.simulator import SimulatedTable
from firmware_host.simulator.actors.simulated_people import SimulatedPeople
from firmware_host.system.language import LANGUAGES
from tests.table.cases import shipped
from tests.web.chromium import Visit, Visitor
from tests.web.open_table import Lay, red_to_move

pytestmark = pytest.mark.long

PHONE, LAPTOP = (390, 844), (1440, 900)

EDGES = """() => ['#frame', '#board .sheet'].map(part => {
  const { left, right, top, bottom } = document.querySelector(part).getBoundingClientRect();
  return [left, right, top, bottom];
})"""
"""Where the map's frame and the map begin and end."""

ALIGNED = f"""() => {{
  const [frame, sheet] = ({EDGES})();
  return [0, 1].every(n => Math.abs(frame[n] - sheet[n]) < 1);
}}"""
"""Whether they begin and end at the same place across the page."""

LINES = """() => {
  const title = document.querySelector('#log h2');
  const words = document.createRange();
  words.selectNodeContents(title);
  return [new Set([...words.getClientRects()].map(({ top }) => top)).size, title.scrollWidth - title.clientWidth];
}"""
"""In how many lines the log's title is written, and how far it reaches beside its place."""

TICKETS_BESIDE = """() => {
  const { scrollWidth, clientWidth } = document.querySelector('#tickets .body');
  return scrollWidth - clientWidth;
}"""
"""How many pixels of the players' tickets lie beside their panel."""

SENTENCE = """theme => {
  const hero = document.querySelector('#prompt .hero');
  const of = colour => getComputedStyle(document.documentElement).getPropertyValue(`--sentence-${colour}`).trim();
  const [red, green, blue] = [1, 3, 5].map(n => parseInt(of('red').slice(n, n + 2), 16));
  const grounds = [hero, hero.parentElement, document.querySelector('#head')]
    .map(one => getComputedStyle(one).backgroundColor);
  return [getComputedStyle(hero).color, `rgb(${red}, ${green}, ${blue})`, new Set(grounds).size, grounds[0]];
}"""
"""The colour of the sentence, red as the theme writes it, and the grounds behind it."""

GRID = """() => {
  const box = part => document.querySelector(part)?.getBoundingClientRect();
  const [log, map, row, key] = ['#frame', '#board .sheet', '#tickets tbody tr', '#undo'].map(box);
  const sentence = parseFloat(getComputedStyle(document.querySelector('#prompt .hero')).fontSize);
  return {
    log: [log.width, log.height], map: [map.width, map.height], left: map.left, row: row.height, key: key.height,
    bottom: innerHeight - map.bottom, column: innerWidth - map.right, padding: innerWidth - box('#turn').right,
    sentence,
  };
}"""
"""The measures of the table's page in pixels."""

ORDER = """() => ['#turn', '#prompt', '#keys', '#tickets', '#news', '#coach', '#menu'].filter((part, n, all) => {
  const [one, next] = [part, all[n + 1]].map(some => some && document.querySelector(some).getBoundingClientRect());
  const { right } = document.querySelector('#board').getBoundingClientRect();
  return next && (one.bottom > next.top + 1 || next.left < right);
})"""
"""The parts of the column after which the next one is not below, beside the board."""

SHIFTS = """window.shifts = 0;
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
}).observe({ type: 'layout-shift', buffered: true });"""

TINT = "() => document.querySelector('meta[name=theme-color]').content"
GROUND = "() => getComputedStyle(document.documentElement).getPropertyValue('--night').trim()"
NEAR = """() => {
  const at = part => document.querySelector(part).getBoundingClientRect();
  const [view, sheet, red] = ['#board .view', '#board .sheet', '#pawns [data-pawn="red"]'].map(at);
  return [sheet.width / view.width, red.left >= view.left && red.right <= view.right && red.bottom <= view.bottom];
}"""
"""How many times as wide the map is as its window, and whether Red's pawn is in sight."""


def reds_turn(simulated: SimulatedTable) -> SimulatedPeople:
    """Begin a game and play it until Red is to move."""
    simulated.new_game()
    people = SimulatedPeople(simulated, random.Random(2))
    people.set_up()
    while list(simulated.public.turn) != ["red"]:
        people.play()
    simulated.advance(500)
    return people


def begin(simulated: SimulatedTable) -> None:
    reds_turn(simulated)


def late(simulated: SimulatedTable) -> None:
    """Play until the middle of the log."""
    people = reds_turn(simulated)
    while len(simulated.public.log) < 11:
        people.play()


def opened(lay: Lay, visit: Visit, path: str = "", *, helped: bool = False, **more: object) -> Visitor:
    page = visit(lay(shipped("classic"), begin=begin, helped=helped).url, path, **more)
    page.see("#log [data-window='1'] [data-ticket]")
    page.see("#pawns [data-pawn='red']")
    return page


def test_the_logs_title_has_a_line_or_two_in_every_language(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begin)
    for language in LANGUAGES:
        page = visit(table.url, size=LAPTOP, locale=language)
        page.see(f"html[lang='{language}'] #log [data-window='24']")
        for size in (LAPTOP, (1280, 720), PHONE):
            page.page.set_viewport_size({"width": size[0], "height": size[1]})
            lines, beside = page.page.evaluate(LINES)
            assert lines in (1, 2), (language, size)
            assert beside <= 0, (language, size)


def test_no_column_of_tickets_is_cut_off_beside_a_map_in_any_language(lay: Lay, visit: Visit) -> None:
    table = lay(shipped("classic"), begin=begin)
    for language in LANGUAGES:
        page = visit(table.url, size=LAPTOP, locale=language)
        page.see(f"html[lang='{language}'] #tickets tbody tr")
        for width, height in ((1024, 768), (1280, 900), (1920, 1080), (360, 740)):
            page.page.set_viewport_size({"width": width, "height": height})
            assert page.page.evaluate(TICKETS_BESIDE) <= 0, (language, width)


@pytest.mark.parametrize("size", [LAPTOP, (1280, 720), (1100, 900)])
@pytest.mark.parametrize("path", ["", "spectate"])
def test_the_log_is_the_upper_edge_of_the_map_and_as_wide(
    lay: Lay, visit: Visit, path: str, size: tuple[int, int]
) -> None:
    page = opened(lay, visit, path, size=size)
    page.wait(ALIGNED)
    frame, sheet = page.page.evaluate(EDGES)
    assert 0 <= sheet[2] - frame[3] < 40


GRIDS = {
    (1280, 720): {"log": [878, 56], "map": [878, 664], "column": 402, "padding": 24, "row": 36, "key": 44},
    (1440, 900): {"log": [1105, 64], "map": [1105, 836], "column": 335, "padding": 24, "row": 44, "key": 48},
    (1920, 1080): {"log": [1330, 74], "map": [1330, 1006], "column": 590, "padding": 40, "row": 56, "key": 60},
}
"""What they are to be in each window."""

SENTENCES = {(1280, 720): 34, (1440, 900): 38, (1920, 1080): 60}
"""The size of the sentence's letters."""


@pytest.mark.parametrize("size", GRIDS)
def test_the_map_the_log_and_the_column_have_the_measures_of_the_grid(
    lay: Lay, visit: Visit, size: tuple[int, int]
) -> None:
    page = opened(lay, visit, helped=True, size=size)
    page.wait("() => document.querySelector('#prompt').textContent.includes('Red')")
    found = page.page.evaluate(GRID)
    wanted = GRIDS[size] | {"left": 0, "bottom": 0, "sentence": SENTENCES[size]}
    for name, pixels in wanted.items():
        assert found[name] == pytest.approx(pixels, abs=1), name
    assert page.page.evaluate(ORDER) == []


WIDTH = """() => {
  const dot = document.createRange();
  const [text] = document.querySelector('#turn span').childNodes;
  dot.setStart(text, text.data.indexOf('·'));
  dot.setEnd(text, text.data.indexOf('·') + 1);
  return dot.getBoundingClientRect().width;
}"""
"""How wide the dot between round and move is, in pixels."""


def test_the_dot_between_round_and_move_has_a_width(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, size=LAPTOP)
    page.wait("() => document.querySelector('#turn').textContent.includes('·')")
    page.page.evaluate("document.fonts.ready.then(() => null)")
    assert page.page.evaluate(WIDTH) > 2


def test_the_column_is_never_narrower_than_320_pixels(lay: Lay, visit: Visit) -> None:
    found = opened(lay, visit, size=(1366, 900)).page.evaluate(GRID)
    assert found["column"] == pytest.approx(320, abs=1)
    assert found["left"] == 0


@pytest.mark.parametrize("size", [(390, 844), (320, 480)])
def test_on_a_phone_the_board_has_three_fifths_of_the_height_and_the_log_is_one_line(
    lay: Lay, visit: Visit, size: tuple[int, int]
) -> None:
    page = opened(lay, visit, helped=True, size=size, touch=True)
    page.see("#undo", state="visible")
    view, log, head, undo = (page.page.locator(one).bounding_box() for one in ("#board", "#frame", "#head", "#undo"))
    assert view
    assert log
    assert head
    assert undo
    assert view["height"] >= 0.6 * size[1]
    assert (head["height"], log["y"], log["height"], view["y"]) == (56, 56, 58, 114)
    assert page.page.evaluate("document.documentElement.scrollHeight") <= size[1]
    assert (undo["width"], undo["height"]) == (52, 52)  # round, on the map's lower left corner
    assert undo["x"] <= 16
    assert 0 < view["y"] + view["height"] - undo["y"] - undo["height"] <= 16
    now = page.page.locator("#log [data-now]").bounding_box()
    assert now
    assert now["width"] >= 40
    assert now["x"] >= 0
    assert now["x"] + now["width"] <= size[0]


def test_on_a_phone_the_log_follows_the_game(lay: Lay, visit: Visit) -> None:
    page = visit(lay(shipped("classic"), begin=late).url, "spectate", size=PHONE)
    page.see("#log [data-now]")
    page.wait("() => document.querySelector('#log .windows').scrollLeft > 0")
    now = page.page.locator("#log [data-now]").bounding_box()
    assert now
    assert now["x"] + now["width"] / 2 == pytest.approx(PHONE[0] / 2, abs=21)


@pytest.mark.parametrize("size", [(1280, 720), LAPTOP, (1920, 1080), PHONE])
@pytest.mark.parametrize("rules", ["classic", "dice", "junior"])
def test_nothing_jumps_when_the_table_tells_how_it_stands(
    lay: Lay, visit: Visit, rules: str, size: tuple[int, int]
) -> None:
    table = lay(shipped(rules), begin=begin if rules == "classic" else SimulatedTable.new_game, helped=True)
    for path in ("", "spectate"):
        page = visit(table.url, "install", size=size)
        page.page.add_init_script(SHIFTS)
        page.page.goto(f"{table.url}{path}")
        page.see("#tickets tbody tr")
        page.centre("#board .sheet")
        assert page.page.evaluate("shifts") <= 0.02, (path, size)


PAGES = {
    "detective": "#sheet #seats",
    "tutorial": "body[data-phase='play'] #lesson .words",
    "tutorial_mr_x": "body[data-phase='play'] #choose .end",
    "install": "#kept:not(:text('One moment'))",
    "handset": "#screen[style]",
}
"""The other pages, and what each of them shows when the table has said how it stands."""


@pytest.mark.parametrize("size", [(1280, 720), LAPTOP, (1920, 1080), PHONE])
def test_nothing_jumps_on_any_other_page(lay: Lay, visit: Visit, size: tuple[int, int]) -> None:
    table = lay(shipped("classic"), begin=begin, helped=True)
    for path, shown_last in PAGES.items():
        page = visit(table.url, "install", size=size)
        page.page.add_init_script(SHIFTS)
        page.page.goto(f"{table.url}{path}" + (f"#{table.token()}" if path == "handset" else ""))
        page.see(shown_last)
        page.page.evaluate("document.fonts.ready.then(() => null)")
        page.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.page.evaluate("shifts") <= 0.02, (path, size)


COVERED = """() => {
  const [head, log] = ['#head', '#frame'].map(part => document.querySelector(part).getBoundingClientRect());
  return Math.round(head.bottom - log.top);
}"""
"""How many pixels of the log are covered by the head."""


def ended(simulated: SimulatedTable) -> None:
    """Play to the end."""
    people = reds_turn(simulated)
    while simulated.public.outcome is None:
        people.play()


@pytest.mark.parametrize("language", ["en-US", "de-DE"])
@pytest.mark.parametrize("path", ["", "spectate", "detective", "seat"])
def test_on_a_phone_the_end_of_a_game_covers_nothing_of_the_log(
    lay: Lay, visit: Visit, path: str, language: str
) -> None:
    table = lay(shipped("classic"), begin=ended, helped=True)
    for size in (PHONE, (320, 480)):
        secret = f"#{table.token()}" if path == "seat" else ""
        page = visit(table.url, path + secret, size=size, touch=True, locale=language)
        if secret:
            page.page.locator("#look").tap()
        page.see("body[data-ended] #end-title")
        page.page.evaluate("document.fonts.ready.then(() => null)")
        page.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.page.evaluate(COVERED) == 0, size


@pytest.mark.parametrize("path", ["tutorial", "tutorial_mr_x"])
def test_on_a_phone_a_lesson_covers_nothing_of_the_log(lay: Lay, visit: Visit, path: str) -> None:
    page = visit(lay(shipped("classic"), begin=begin).url, path, size=PHONE, touch=True)
    page.see(PAGES[path])
    page.wait(f"() => ({COVERED})() === 0")


CUT_OFF = """() => ['#seats ul', '#seats > .row', '.end-keys'].filter(part => {
  const { bottom } = document.querySelector(part).getBoundingClientRect();
  return bottom > document.querySelector('#menu').getBoundingClientRect().top;
})"""
"""What of the seats and of the keys at the end does not fit into the column."""


@pytest.mark.parametrize("size", [(1280, 720), LAPTOP])
def test_the_seats_and_the_keys_at_the_end_of_a_game_are_in_one_column(
    lay: Lay, visit: Visit, size: tuple[int, int]
) -> None:
    page = visit(lay(shipped("classic"), begin=ended, helped=True).url, "detective", size=size)
    page.see("body[data-ended] #end-title")
    page.see("#seats ul .button")
    assert page.page.evaluate(CUT_OFF) == []


def test_on_a_phone_the_question_of_a_ticket_is_as_large_as_other_sentences(lay: Lay, visit: Visit) -> None:
    page = visit(red_to_move(lay).url, size=PHONE, touch=True)
    page.see('[data-pawn="red"][data-at="74"]')
    for station in (74, 58):
        page.page.locator(f"#board [data-station='{station}']").focus()
        page.page.keyboard.press("Enter")
    page.see("#prompt button.keyword")
    page.wait("() => parseFloat(getComputedStyle(document.querySelector('#prompt .hero')).fontSize) >= 19")
    assert page.page.evaluate(COVERED) == 0


WHOLE = """() => [...document.querySelectorAll('#log .entry:has(.station)')].map(entry => {
  const [box, ...parts] = [entry, ...entry.children].map(one => one.getBoundingClientRect());
  const rim = entry.clientTop;
  return parts.every(({ top, bottom }) => top >= box.top + rim - 0.5 && bottom <= box.bottom - rim + 0.5);
})"""
"""Whether each ticket and station that share a window of the log are whole."""


def shown(simulated: SimulatedTable) -> None:
    """Play until Mister X has shown himself."""
    people = reds_turn(simulated)
    while not any(entry.station for entry in simulated.public.log):
        people.play()


def test_what_shines_over_the_edge_of_the_log_is_seen_whole(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, size=LAPTOP)
    page.see("#log .lamp[data-colour^='#']")
    box = page.page.locator("#log").bounding_box()
    assert box is not None
    around = {"x": box["x"], "y": box["y"], "width": box["width"], "height": box["height"] + 8}
    before = page.page.screenshot(clip=around, animations="disabled")
    page.page.evaluate("document.querySelector('#log').style.contentVisibility = 'visible'")
    assert page.page.screenshot(clip=around, animations="disabled") == before


@pytest.mark.parametrize("size", [LAPTOP, (1920, 1080), PHONE])
def test_where_he_was_seen_is_whole_below_his_ticket(lay: Lay, visit: Visit, size: tuple[int, int]) -> None:
    page = visit(lay(shipped("classic"), begin=shown).url, "spectate", size=size)
    page.see("#log .entry .station")
    assert page.page.evaluate(WHOLE) == [True]


def test_the_sentence_is_written_in_the_colour_of_the_pawn_that_is_to_move(lay: Lay, visit: Visit) -> None:
    written, red, grounds, ground = opened(lay, visit).page.evaluate(SENTENCE)
    assert written == red
    assert (grounds, ground) == (1, "rgba(0, 0, 0, 0)")  # no slab behind it


def test_on_a_phone_the_map_comes_near_to_the_pawn_that_is_to_move(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit, size=PHONE, touch=True)
    page.see(".view.near")
    larger, seen = page.page.evaluate(NEAR)
    assert larger > 2
    assert seen


def test_whoever_wants_the_whole_board_on_a_phone_keeps_it(lay: Lay, visit: Visit) -> None:
    people: list[SimulatedPeople] = []
    table = lay(shipped("classic"), begin=lambda p: people.append(reds_turn(p)))
    page = visit(table.url, size=PHONE, touch=True)
    page.see(".view.near")
    page.page.get_by_role("button", name="Whole board").click()
    page.see(".view:not(.near)")
    table.look(lambda _: people[0].play())
    page.wait("() => !document.querySelector('#prompt').textContent.includes('Red')")
    page.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.page.locator(".view.near").count() == 0


def test_what_is_around_the_page_follows_day_and_night(lay: Lay, visit: Visit) -> None:
    page = opened(lay, visit)
    tints = []
    for scheme in ("dark", "light"):
        page.page.emulate_media(color_scheme=scheme)
        page.see(f"html[data-theme='{'night' if scheme == 'dark' else 'day'}']")
        tints.append(page.page.evaluate(TINT))
        assert tints[-1] == page.page.evaluate(GROUND) != ""
    assert tints[0] != tints[1]


@pytest.mark.parametrize("path", ["", "spectate"])
def test_devices_and_the_display_are_shown_to_those_who_ask_for_help(lay: Lay, visit: Visit, path: str) -> None:
    page = opened(lay, visit, path)
    technical = ("#health ul", "#display canvas") if path else ("#health ul", "#display canvas", "#faults summary")
    assert not any(page.page.locator(part).is_visible() for part in technical)
    page.page.get_by_role("button", name="Help").click()
    assert all(page.page.locator(part).is_visible() for part in technical)


def test_mister_xs_screen_is_opened_in_the_first_keys_place(lay: Lay, visit: Visit) -> None:
    room = lay(shipped("classic"), begin=SimulatedTable.new_game, helped=True)
    page = visit(room.url, size=LAPTOP, locale="de-DE")
    page.see("#keys #seat", state="visible")
    page.wait("() => /zieht/.test(document.querySelector('#prompt').textContent)")
    seat, undo = (page.page.locator(one).bounding_box() for one in ("#seat", "#undo"))
    assert seat
    assert undo
    assert (seat["y"], seat["height"]) == (undo["y"], undo["height"])
    assert seat["x"] + seat["width"] <= undo["x"]
    assert page.page.locator("#head").get_attribute("data-step") == "0"
