"""Texts are said in the language that holds for a thread or a task."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from gettext import NullTranslations

import pytest

from firmware_host.system import language
from firmware_host.system.language import ENGLISH, LANGUAGES, gettext, in_language, ngettext, pgettext


class Loud(NullTranslations):
    """A language in which everything is said in capitals, but for the places."""

    def gettext(self, message: str) -> str:
        return message.replace("moves", "MOVES")

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return f"<{msgid1 if n == 1 else msgid2}>"

    def pgettext(self, context: str, message: str) -> str:
        return f"{context}:{message}"


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    known = language._catalogue
    monkeypatch.setattr(language, "_catalogue", lambda code: Loud() if code == "de" else known(code))
    return


def test_outside_of_any_language_it_is_english() -> None:
    assert language.language() == ENGLISH
    assert gettext("{pawn} moves", pawn="Red") == "Red moves"
    assert [ngettext("{count} die", "{count} dice", count) for count in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert pgettext("of a pawn", "Red") == "Red"


def test_within_a_language_its_texts_are_said_and_afterwards_those_of_before() -> None:
    with in_language("de"):
        assert gettext("{pawn} moves", pawn="Red") == "Red MOVES"
        assert ngettext("{count} die", "{count} dice", 2) == "<2 dice>"
        assert pgettext("of a pawn", "Red") == "of a pawn:Red"
        with in_language("en"):
            assert gettext("{pawn} moves", pawn="Red") == "Red moves"
        assert gettext("{pawn} moves", pawn="Red") == "Red MOVES"
    assert gettext("{pawn} moves", pawn="Red") == "Red moves"


def test_an_error_ends_a_language_too() -> None:
    with pytest.raises(KeyError), in_language("de"):
        raise KeyError
    assert language.language() == ENGLISH


def test_a_text_that_holds_braces_as_a_value_stays_as_it_is() -> None:
    """People's names are values, and may be anything."""
    assert gettext("{name} moves", name="{pawn} {0}") == "{pawn} {0} moves"


def test_an_italian_article_is_joined_to_a_number_that_begins_with_a_vowel() -> None:
    def said(origin: int, to: int) -> str:
        return gettext("{pawn}: {origin} to {station}.", pawn="Rosso", origin=origin, station=to)

    with in_language("it"):
        assert said(67, 113) == "Rosso: dal 67 al 113."
        assert said(87, 86) == "Rosso: dall’87 all’86."
        assert said(11, 8) == "Rosso: dall’11 all’8."
        assert said(1, 180) == "Rosso: dall’1 al 180."
        assert gettext("{pawn} is on {station}", pawn="al {x} 8", station=81) == "al {x} 8 è sull’81"
        assert gettext("Is {station} empty? CONFIRM", station=88) == "L’88 è libero? CONFIRM"


def test_tasks_keep_their_languages_apart() -> None:
    async def said(code: str, ready: asyncio.Barrier) -> str:
        with in_language(code):
            await ready.wait()
            return await asyncio.to_thread(gettext, "{pawn} moves", pawn="Red")

    async def both() -> list[str]:
        ready = asyncio.Barrier(2)
        return await asyncio.gather(said("de", ready), said("en", ready))

    assert asyncio.run(both()) == ["Red MOVES", "Red moves"]


def test_there_is_a_compiled_catalogue_for_each_language() -> None:
    there = {path.stem for path in language.CATALOGUES.glob("*.mo")}
    assert there == LANGUAGES.keys() - {ENGLISH}
