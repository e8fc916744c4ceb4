"""Why an order is refused is said in the language of the page that asked, however late, and whatever others speak."""

from __future__ import annotations

import pytest

from firmware_host.referee.referee import NotNow
from firmware_host.system.language import in_language, reason_of, translatable
from firmware_host.web.feeds.page_orders import NewGameOrder, PageOrderQueue, StepOrder, UserOrder
from tests.web.page_table import Room

LAYOUT = NewGameOrder("dice", options={"layout": "AAA DEF GHI"})
SHORT = NewGameOrder("dice", options={"layout": "ABC"})
EXPERT = NewGameOrder("dice", seats={"mr_x": "expert"})
ORDER = StepOrder()
SAID = [
    (LAYOUT, "en", "layout 'AAA DEF GHI': tile A lies twice; there is one of each"),
    (LAYOUT, "de", "Auslage 'AAA DEF GHI': Plättchen A liegt zweimal; jedes gibt es einmal"),
    (
        EXPERT,
        "es",
        "puestos: mr_x: el nivel 'expert' es para juegos de persecución; dice admite: easy, medium, hard",
    ),
    (SHORT, "nl", "ligging 'ABC': schrijf drie rijen, of twee, van drie tegels, zoals ‘ABC DEF GHI’"),
]


def test_a_refusal_is_made_in_the_language_in_which_the_order_came_and_said_in_it_later() -> None:
    heard: list[str] = []
    queue = PageOrderQueue()
    with in_language("de"):
        queue.ask("table", 1, ORDER, heard.append)
    (asked,) = queue.orders()
    asked.refuse("this game is over")
    asked.refuse(translatable("the game is paused: {why}", why="the switches are lost"))
    assert heard == ["dieses Spiel ist zu Ende", "das Spiel ist angehalten: die Schalter antworten nicht"]


def test_the_reason_of_an_error_is_its_text_for_logs_and_can_still_be_said_in_any_language() -> None:
    error = NotNow(translatable("the game is paused: {why}", why="the switches are lost"))
    assert str(error) == reason_of(error) == "the game is paused: the switches are lost"
    assert reason_of(OSError(28, "No space left")) == "[Errno 28] No space left"


@pytest.mark.parametrize(("order", "code", "said"), SAID)
def test_a_page_is_refused_in_its_own_language(order: UserOrder, code: str, said: str) -> None:
    room = Room()
    with in_language(code):
        room.requests.ask("table", 1, order, room.refused.append)
    room.wait(50)
    assert room.refusal() == said
