"""Each page is answered in the language that its browser asks for, or that somebody chose there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product

import pytest
from starlette.datastructures import Headers

from firmware_host.system.language import LANGUAGES, language
from firmware_host.web.pages.page_language import page_language
from tests.web.served import Served, hear, served


@pytest.fixture(scope="module")
def table() -> Iterator[Served]:
    with served() as running:
        yield running


@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en-GB,en;q=0.9,de;q=0.8", "en"),
        ("tlh-KX, fr;q=0.4, it;q=0.7", "it"),
        ("fr;q=0, nl;q=0.1", "nl"),
        ("tlh, *;q=0.5", "en"),
        ("ES", "es"),
        ("de;q=often, it", "it"),
        (";;;,,,=;q", "en"),
        ("de;q=nan, fr;q=0.2", "fr"),
        ("x" * 100_000 + ", de", "en"),
    ],
)
def test_the_browsers_best_language_that_there_is_holds(asked: str, answered: str) -> None:
    assert page_language(Headers({"accept-language": asked})) == answered


@pytest.mark.parametrize(
    ("kept", "answered"),
    [
        ("language=it", "it"),
        ("a=b; language=nl; c=d", "nl"),
        ("language=", "fr"),
        ("language=../../etc", "fr"),
        ("language=tlh", "fr"),
        ("\x00=;language", "fr"),
        ("languages=it", "fr"),
    ],
)
def test_what_somebody_chose_comes_before_what_the_browser_asks_for(kept: str, answered: str) -> None:
    assert page_language(Headers({"cookie": kept, "accept-language": "fr"})) == answered


@pytest.mark.parametrize(
    ("query", "answered"), [(b"language=es", "es"), (b"language=tlh", "it"), (b"", "it"), (b"\xff=de", "it")]
)
def test_a_line_is_in_the_language_that_its_page_says(query: bytes, answered: str) -> None:
    assert page_language(Headers({"cookie": "language=it", "accept-language": "fr"}), query) == answered


def test_a_page_says_in_which_language_it_is(table: Served) -> None:
    for code, path in product(LANGUAGES, ("/", "/spectate", "/seat", "/handset", "/detective", "/install", "/offline")):
        status, headers, page = table.fetch(path, **{"accept-language": code})
        assert status == 200
        assert (headers["content-language"], headers["vary"]) == (code, "accept-language, cookie")
        assert f'<html lang="{code}"' in page


def test_two_pages_are_told_the_same_in_their_own_languages(table: Served) -> None:
    table.server.public.put("scene", lambda: json.dumps({"kind": "scene", "said": language()}))
    german, english = {"accept-language": "de"}, {"accept-language": "it", "cookie": "language=en"}
    with (
        table.page("spectator", additional_headers=german) as one,
        table.page("spectator", additional_headers=english) as other,
    ):
        assert hear(one, "scene")["said"] == "de"
        assert hear(other, "scene")["said"] == "en"
        table.server.public.put("scene", lambda: json.dumps({"kind": "scene", "said": f"{language()} again"}))
        assert hear(other, "scene")["said"] == "en again"
        assert hear(one, "scene")["said"] == "de again"
