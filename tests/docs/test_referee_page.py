"""docs/referee.md shows the table that the referee goes by."""

from __future__ import annotations

from tests.docs.referee_page import PAGE, drawn_anew


def test_the_referees_page_shows_its_table_as_it_is_today() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == drawn_anew(text), "draw it anew: python -m tests.docs"
