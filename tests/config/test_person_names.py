"""What people are called: a wish is read strictly, and comes out in one form."""

from __future__ import annotations

import pytest

from firmware_host.config.person_names import LONGEST, BadNames, fitting, fold_name, read_names
from firmware_host.rules.errors import BadSetup

OWNERS = {"purple": 1, "blue": 2, "red": 3, "yellow": 1}


def test_nobody_has_a_name_where_nothing_is_said() -> None:
    assert read_names({}, OWNERS) == {}
    assert read_names({"mr_x": "  ", "2": ""}, OWNERS) == {}


def test_all_detectives_are_each_of_them_but_for_who_has_a_name_of_their_own() -> None:
    names = read_names({"2": "Ben", "detectives": "The Yard", "mr_x": " Ada  L. "}, OWNERS, ["3"])
    assert names == {"mr_x": "Ada L.", "1": "The Yard", "2": "Ben"}
    assert list(names) == ["mr_x", "1", "2"]
    assert read_names(names, OWNERS, ["3"]) == names


@pytest.mark.parametrize("name", ["Žofie", "李雷", "Ольга", "O'Neill", "Zoe\u0308", "x" * LONGEST, "محمد", "<b>&\"'"])
def test_a_name_is_of_any_letters(name: str) -> None:
    (kept,) = read_names({"mr_x": name}, OWNERS).values()
    assert fold_name(kept) == fold_name(name)


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"4": "Ada"}, r"names: '4' is not a seat of this game; seats are mr_x, detectives, 1, 2, 3"),
        ({"mr_x": "x" * 21}, r"names: mr_x: 21 characters; a name has at most 20"),
        ({"mr_x": 7}, r"names: mr_x: 7 is not a text; a name is a text, such as 'Ada'"),
        ({"3": "Cleo"}, r"names: 3: a computer plays there; names are for people"),
        *[
            (
                {"1": f"A{sign}da"},
                r"^names: 1: a name has no control characters; write letters, digits, blanks and signs$",
            )
            for sign in ("\n", "\t", "\0", "\x1b", "\x7f", "\u202e", "\u2028", "\ud800")
        ],
    ],
)
def test_what_is_no_seat_or_no_name_is_refused_with_what_would_be_right(wish: dict[str, object], why: str) -> None:
    with pytest.raises(BadNames, match=why) as refused:
        read_names(wish, OWNERS, ["3"])
    assert isinstance(refused.value, BadSetup)


def test_where_computers_alone_lead_the_detectives_these_have_no_name() -> None:
    with pytest.raises(BadNames, match="detectives: a computer plays there"):
        read_names({"detectives": "Ben"}, OWNERS, ["1", "2", "3"])


def test_usual_names_are_used_as_far_as_people_sit_there() -> None:
    wish = {"mr_x": "Ada", "1": "Ben", "4": "Dora", "detectives": "The Yard"}
    assert fitting(wish, OWNERS, ["mr_x", "1"]) == {"2": "The Yard", "3": "The Yard"}
    assert fitting(wish, OWNERS, ["1", "2", "3"]) == {"mr_x": "Ada"}


def test_names_compare_without_case() -> None:
    assert fold_name("ADA") == fold_name("ada")
    assert fold_name("Straße") == fold_name("STRASSE")
    assert fold_name("Ada") != fold_name("Ida")
