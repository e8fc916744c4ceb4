"""Orders of programs and pages: what is one is read into its record; what is none is told where, and what would be."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import pytest
from msgspec import Meta

from firmware_host.system.orders import BadOrder, Order, fields, parse, read

SHAPE = 'write an object such as {"do": "fault", "device": "lamps", "kind": "unplug"}'


class Pour(Order, frozen=True, tag="pour"):
    """Pour tea."""

    cups: Annotated[int, Meta(ge=1, le=9)]
    milk: list[str] = []  # noqa: RUF012 - msgspec copies it


class Sit(Order, frozen=True, tag="sit"):
    """Sit down."""


class Sweet(Enum):
    """What it is sweetened with."""

    SUGAR = "sugar"
    HONEY = "honey"


class Stir(Order, frozen=True, tag="stir"):
    """Stir it."""

    sweet: Sweet


Tea = Pour | Sit | Stir


def test_an_order_becomes_the_record_of_its_word() -> None:
    assert read(parse('{"do": "pour", "cups": 2, "milk": ["soy"]}', 99), Tea) == Pour(2, ["soy"])
    assert read(parse(b'{"do": "sit"}', 99), Tea) == Sit()
    assert fields(Tea) == {"pour": ("cups", "milk"), "sit": (), "stir": ("sweet",)}


@pytest.mark.parametrize("said", ['{"do": "sit",}', '{"do": "sit", \n}', '{"do": "pour", "cups": 1, "milk": ["soy",]}'])
def test_a_comma_too_many_before_a_closing_bracket_is_to_be_deleted(said: str) -> None:
    with pytest.raises(BadOrder, match=": delete the comma before the closing bracket; write an object such as"):
        parse(said, 99)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ('{"do": "dance"}', '"do": unknown order "dance"; orders are pour, sit, stir'),
        ('{"do": "sitt"}', '"do": unknown order "sitt"; did you mean sit?'),
        ('{"do": ["sit"]}', '"do": must be a text; orders are pour, sit, stir'),
        ("{}", '"do": is missing; orders are pour, sit, stir'),
        ('{"do": "pour"}', 'pour: "cups" is missing; it takes cups, milk'),
        (
            '{"do": "pour", "cups": 2.0}',
            "pour: cups: must be a whole number, not a number with a fraction",
        ),
        ('{"do": "pour", "cups": 10}', "pour: cups: must be a whole number, at most 9, not 10"),
        (
            '{"do": "pour", "cups": 1, "milk": [1]}',
            "pour: milk[0]: must be a text, not a whole number",
        ),
        (
            '{"do": "pour", "cups": "2"}',
            'pour: cups: must be a whole number without quotes, such as 2, not "2"',
        ),
        ('{"do": "pour", "cups": "two"}', 'pour: cups: must be a whole number, not "two"'),
        ('{"do": "pour", "cups": "2.5"}', 'pour: cups: must be a whole number, not "2.5"'),
        ('{"do": "pour", "cups": 1, "milk": "soy"}', 'pour: milk: must be a list, not "soy"'),
        ('{"do": "sit", "at": 1}', 'sit: unknown field "at"; it takes no field'),
        ('{"do": "stir", "sweet": "salt"}', 'stir: sweet: must be one of sugar, honey, not "salt"'),
        ('{"do": "stir"}', 'stir: "sweet" is missing; it takes sweet'),
        ('{"do": "sit", "do": "pour"}', 'the order gives "do" twice; keep one of them'),
        ('{"do": "pour", "of": [{"a": 1, "a": 1}]}', 'the order gives "a" twice; keep one of them'),
        ('{"do": NaN}', "the order is not valid JSON: NaN is not a number; write digits"),
        ('["sit"]', f"the order is not a JSON object; {SHAPE}"),
        ("sit", f"the order is not valid JSON at character 1: a value is missing, or a text has no quotes; {SHAPE}"),
        (
            '{"do": "sit"',
            f"the order is not valid JSON at character 13: a comma or a closing bracket is missing; {SHAPE}",
        ),
        ('{"do": True}', f"the order is not valid JSON at character 8: write true, not True; {SHAPE}"),
        ('{"do": [None]}', f"the order is not valid JSON at character 9: write null, not None; {SHAPE}"),
        (b"\xff", "the order is not text in UTF-8; encode it as such"),
        ('{"do": "' + "x" * 99, "the order is too long; at most 99 bytes are allowed"),
    ],
)
def test_what_is_none_is_told_where_it_is_wrong_and_what_would_be_right(said: str | bytes, why: str) -> None:
    with pytest.raises(BadOrder) as refused:
        read(parse(said, 99), Tea)
    assert str(refused.value) == why
