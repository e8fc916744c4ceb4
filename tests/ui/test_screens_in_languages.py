"""The screens in every language: all letters are drawn, nothing whole in English is cut, a table has its own."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from gettext import GNUTranslations, NullTranslations
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any

import polib
import pytest

from firmware_host.config.loader import parse, simulator
from firmware_host.referee.scene import Scene
from firmware_host.simulator import SimulatedTable
from firmware_host.system import language
from firmware_host.system.language import ENGLISH, LANGUAGES, gettext, in_language
from firmware_host.table import handset
from firmware_host.table.handset import Look
from firmware_host.table.playable_games import offers
from firmware_host.ui import handset_pages, new_game_menu
from firmware_host.ui.drawing import handset_screen, public_display, screen_text, table_menu_screen
from firmware_host.ui.drawing.screen_text import SMALL, TEXT, Font
from firmware_host.ui.handset_menu import HOME, PHONE, Menu
from firmware_host.ui.new_game_menu import NewGameMenu, Offer
from firmware_host.ui.vocabulary import key_name
from tests.amount import amount
from tests.table.any_table import key, started
from tests.table.played_table import confirm, fault
from tests.ui.golden_screens import CODE, DISPLAY, HANDSET, NEW_GAME, TABLE_MENU
from tests.ui.handmade_views import EVERY_PAGE, OFFERS, mr_x
from tests.ui.test_handset_screen_fits import ink
from tests.ui.test_prompt_wording import GAMES, played

CATALOGUES = Path(__file__).parents[2] / "languages"
OTHERS = [code for code in LANGUAGES if code != ENGLISH]
LETTERS = {
    "de": "ÄÖÜäöüß„“‚‘–",
    "es": "ÁÉÍÑÓÚÜáéíñóúü¿¡«»“”ºª",
    "fr": "ÀÂÆÇÈÉÊËÎÏÔŒÙÛÜàâæçèéêëîïôœùûüÿ’«»—\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}",
    "it": "ÀÈÉÌÒÙàèéìîòù’«»“”°",
    "nl": "ÉËÏÓÖÜáéèëíïóöúüç’‘“”",
}
"""What a language needs besides the letters of English, as far as somebody has listed it."""

Page = Callable[[], list[screen_text.Mark]]


# ---- letters ----


@pytest.mark.parametrize("font", [SMALL, TEXT], ids=lambda font: font.name)
@pytest.mark.parametrize("code", LETTERS)
def test_every_language_has_its_letters_in_both_fonts(code: str, font: Font) -> None:
    assert [char for char in LETTERS[code] if not font.covers(char)] == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_of_the_screens_has_its_letters_in_both_fonts(code: str) -> None:
    missing = [
        f"{code}: {font.name} has no {char!r} for {said!r}"
        for said in shown_texts(code)
        for font in (SMALL, TEXT)
        for char in sorted(set(re.sub(r"\{\w*\}", "", said)) - {"\n"})
        if not font.covers(char)
    ]
    assert not missing, "\n".join(missing)


def shown_texts(code: str) -> Iterator[str]:
    """All that a catalogue has for the screens."""
    for entry in polib.pofile(str(CATALOGUES / f"{code}.po")):
        if any(
            file.startswith(("firmware_host/ui/", "firmware_host/table/", "config/")) for file, _ in entry.occurrences
        ):
            yield from filter(None, [entry.msgstr, *entry.msgstr_plural.values()])


def test_no_line_ends_at_a_blank_that_holds_words_together() -> None:
    held = "Vraiment\N{NARROW NO-BREAK SPACE}?"
    assert screen_text.wrap(f"Vite {held}", SMALL, SMALL.width(held)) == ["Vite", held]
    assert screen_text.fits(held, SMALL, SMALL.width(held), SMALL.height)
    assert not screen_text.fits(held, SMALL, SMALL.width(held) - 1, 2 * SMALL.height + 1)


# ---- room ----


@dataclass(frozen=True)
class Placed:
    """A text that was given room, and what is wrong with it, if anything."""

    text: str
    wrong: str = ""


@dataclass
class Recorder:
    """Remembers every text that is given room on a screen."""

    placed: list[Placed]

    def truncate(self, text: str, font: Font, width: int) -> str:
        self._note(text, wide=font.width(text) - width)
        return _truncate(text, font, width)

    def fit(self, text: str, width: int, height: int) -> tuple[Font, list[str]]:
        font, lines = _fit(text, width, height)
        if not screen_text.fits(text, font, width, height):
            words = [font.width(word) for word in re.split(r"[ \t\n]+", text)]
            whole = screen_text.text_height(len(screen_text.wrap(text, font, width)), font)
            self._note(text, wide=max(words) - width, high=whole - height)
        else:
            self._note(text)
        return font, lines

    def _note(self, text: str, wide: int = 0, high: int = 0) -> None:
        wrong = [f"{over} pixels too {way}" for over, way in ((wide, "wide"), (high, "high")) if over > 0]
        self.placed.append(Placed(text, " and ".join(wrong)))


_truncate, _fit = screen_text.truncate, screen_text.fit


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Watches the room of all texts, in the languages of the catalogues as they are now."""
    watching = Recorder([])
    for module in (screen_text, handset_screen, public_display, table_menu_screen):
        monkeypatch.setattr(module, "truncate", watching.truncate)
    monkeypatch.setattr(screen_text, "fit", watching.fit)
    monkeypatch.setattr(language, "_catalogue", catalogue)
    return watching


@cache
def catalogue(code: str) -> NullTranslations:
    """A language as its catalogue has it now, compiled or not."""
    if code == ENGLISH:
        return NullTranslations()
    return GNUTranslations(io.BytesIO(polib.pofile(str(CATALOGUES / f"{code}.po")).to_binary()))


def too_long(recorder: Recorder, code: str, pages: Iterable[tuple[str, Page]]) -> list[str]:
    """What is cut, or lies over something else, in a language and not in English: language, page, text and pixels."""
    found = dict.fromkeys(
        f"{code}: {name}: {text.text!r} is {text.wrong}" + (f" (English: {english.text!r})" if english.text else "")
        for name, page in pages
        for text, english in zip_longest(
            placed(recorder, code, page), placed(recorder, ENGLISH, page), fillvalue=Placed("")
        )
        if text.wrong and not english.wrong
    )
    return list(found)


def placed(recorder: Recorder, code: str, page: Page) -> list[Placed]:
    """All texts of a page, with those that reach over the right edge or into another at the end."""
    recorder.placed = []
    with in_language(code):
        marks = page()
    return [*recorder.placed, *collisions(marks)]


def collisions(marks: list[screen_text.Mark]) -> Iterator[Placed]:
    words = [(mark.text, box) for mark in marks if isinstance(mark, screen_text.Word) and (box := ink(mark))]
    for text, (left, _, right, _) in words:
        over = max(right - screen_text.WIDTH, -left)
        if over > 0:
            yield Placed(text, f"{over} pixels over the edge")
    for (one, a), (other, b) in combinations(words, 2):
        across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
        if across > 0 and down > 0:
            yield Placed(one, f"{across} pixels over {other!r}")


def handset_screens() -> Iterator[tuple[str, Page]]:
    """Every page that the handset has, with each part of its lists in sight."""
    for name, (menu, view) in HANDSET.items():
        menus = [menu, *(Menu(HOME, cursor) for cursor in (0, 4, 8)), *map(Menu, EVERY_PAGE)]
        for one in menus:
            yield (
                f"handset, {name}, {one.page}",
                lambda one=one, view=view: handset_screen.layout(handset_pages.page(one, view)),
            )
    view = mr_x(67)
    for one in (Menu(HOME, 8, phone=True), Menu(PHONE, phone=True)):
        yield (f"handset, {one}", lambda one=one: handset_screen.layout(handset_pages.page(one, view, CODE)))


def new_game_screens() -> Iterator[tuple[str, Page]]:
    shipped = tuple(offers(simulator()))
    for name, menu in NEW_GAME.items():
        yield from new_game_screen(name, menu, OFFERS)
    for place, offer in enumerate(shipped):
        yield from new_game_screen("rules", NewGameMenu("rules", place), shipped)
        yield from new_game_screen("players", NewGameMenu("players", 0, offer=place), shipped)
        most = max([1, *map(len, offer.choices.values())])
        for n in range(min(most, 6)):
            values = tuple(min(n, len(values) - 1) for values in offer.choices.values())
            menu = NewGameMenu("options", 0, offer=place, players=offer.players[0], values=values)
            for cursor in range(len(new_game_menu.option_rows(menu, shipped))):
                yield from new_game_screen("options", replace(menu, cursor=cursor), shipped)


def new_game_screen(name: str, menu: NewGameMenu, offered: tuple[Offer, ...]) -> Iterator[tuple[str, Page]]:
    rules = offered[menu.cursor if menu.page == "rules" else menu.offer].rules
    yield (
        f"new game, {rules}, {name}",
        lambda: handset_screen.layout(handset_pages.new_game_page(menu, offered)),
    )


def messages() -> Iterator[tuple[str, Page]]:
    texts = polib.pofile(str(CATALOGUES / "de.po"))
    refusals = ("firmware_host/table/commands.py", "")
    said = [entry.msgid for entry in texts if refusals in entry.occurrences and "{" not in entry.msgid]
    looks = {
        "cover": Look("cover", Menu()),
        "a computer plays": Look("menu", Menu(), computer=True),
        "no game": Look("menu", Menu()),
        "no game yet": Look("menu", Menu(), offers=OFFERS),
        **{f"notice {text!r}": Look("notice", Menu(), text, text) for text in said},
    }
    for name, look in looks.items():
        yield f"handset, {name}", lambda look=look: drawn(look)


def drawn(look: Look) -> list[screen_text.Mark]:
    assert handset.picture(look, None) is not None
    return []


def displays() -> Iterator[tuple[str, Page]]:
    for name, content in DISPLAY.items():
        yield f"display, {name}", lambda content=content: public_display.layout(content())
    yield "display, the code for a phone", invited
    for name, screen in TABLE_MENU.items():
        yield f"table menu, {name}", lambda screen=screen: table_menu_screen.layout(screen)


def invited() -> list[screen_text.Mark]:
    assert public_display.invitation(CODE)
    return []


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("screens", [handset_screens, new_game_screens, messages, displays])
def test_nothing_is_cut_on_a_screen_that_is_whole_in_english(
    recorder: Recorder, screens: Callable[[], Iterator[tuple[str, Page]]], code: str
) -> None:
    found = too_long(recorder, code, screens())
    assert not found, "\n".join(found)


@cache
def scenes_of(game: int) -> list[Scene]:
    rules, players, seed, options = GAMES[game]
    return played(rules, players, seed, options).scenes


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("game", range(amount(6, len(GAMES))), ids=lambda game: f"{GAMES[game][0]}-{game}")
@pytest.mark.long_but_first
def test_nothing_is_cut_on_the_display_in_a_whole_game(recorder: Recorder, game: int, code: str) -> None:
    pages = ((f"display, {GAMES[game][0]}, {scene.ask.kind.name}", shown(scene)) for scene in scenes_of(game))
    found = too_long(recorder, code, pages)
    assert not found, "\n".join(found)


def shown(scene: Scene) -> Page:
    return lambda: public_display.layout(public_display.content_of(scene))


@pytest.mark.parametrize("code", LANGUAGES)
def test_di_13_the_key_that_mends_an_entered_die_is_named_on_the_display_beside_a_switch_that_is_ignored(
    code: str,
) -> None:
    p = started(players=2)
    fault(p, "switch:7", "stuck_closed", 6000)
    confirm(p)
    assert p.table.scene().ignored == {7}
    key(p, "underground", "taxi")
    assert p.table.scene().entered == ("underground", "taxi")
    with in_language(code):
        marks = public_display.layout(public_display.content_of(p.table.scene()))
        drawn = " ".join(mark.text for mark in marks if isinstance(mark, screen_text.Word))
        assert all(key_name(one) in drawn for one in p.table.scene().ask.keys)


def test_a_text_that_is_too_long_is_told_with_language_page_and_pixels(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(language, "_catalogue", lambda code: NullTranslations() if code == ENGLISH else Fake("w" * 30))
    found = too_long(recorder, "de", handset_screens())
    pattern = r"de: handset, home, home: 'You are at' is \d+ pixels too wide \(English: 'You are at'\)"
    assert any(re.fullmatch(pattern.replace("'You are at' is", "'w+You are at' is"), line) for line in found), found
    for screens in (new_game_screens, messages, displays):
        assert too_long(recorder, "fr", screens())
        assert not too_long(recorder, ENGLISH, screens())


# ---- a table's own language ----


class Fake(NullTranslations):
    """A language that says everything in English, with a mark before it."""

    def __init__(self, mark: str) -> None:
        super().__init__()
        self._mark = mark

    def gettext(self, message: str) -> str:
        return self._mark + message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self._mark + (msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - gettext's own
        return self._mark + message


def fake(code: str) -> NullTranslations:
    return Fake("«") if code == "de" else NullTranslations()


def table(tongue: str) -> SimulatedTable:
    simulated = SimulatedTable(parse(f'[board]\nlanguage = "{tongue}"\n', "table.toml"))
    simulated.new_game(players=3, seed=1)
    simulated.advance(2000)
    return simulated


def test_a_table_draws_its_screens_in_its_own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_catalogue", fake)
    german, english = table("de"), table(ENGLISH)
    for simulated, tongue in ((german, "de"), (english, ENGLISH)):
        panel, scene = simulated.hardware.display, simulated.scene
        assert panel is not None
        with in_language(tongue):
            wanted = public_display.display(scene)
        assert panel.picture is not None
        assert panel.picture.tobytes() == wanted.tobytes()
    assert german.scene == english.scene
    assert german.display_lines()[0].startswith("«Set up")
    assert english.display_lines()[0].startswith("Set up")


def test_the_handset_is_drawn_in_the_tables_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_catalogue", fake)
    pictures: dict[str, Any] = {}
    for tongue in ("de", ENGLISH):
        simulated = table(tongue)
        simulated.hardware.press("handset.select")
        simulated.advance(500)
        pictures[tongue] = simulated.hardware.handset.picture
        said = simulated.handset_lines()
        assert said
        assert any("«" in line for line in said) is (tongue == "de")
    assert all(pictures.values())
    assert pictures["de"].tobytes() != pictures[ENGLISH].tobytes()
    assert gettext("Mister X") == "Mister X"


def test_a_notice_is_kept_in_english_and_said_in_the_language_of_who_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_catalogue", fake)
    look = Look("notice", Menu(), "Not now", "why")
    assert handset.lines(look, None) == ["Not now", "why"]
    with in_language("de"):
        assert handset.lines(look, None) == ["«Not now", "«why"]
