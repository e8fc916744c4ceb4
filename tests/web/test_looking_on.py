"""What a spectator's page is made of: all that there is to see, and nothing by which anything could be asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import firmware_host.web

STATIC = Path(firmware_host.web.__file__).parent / "static"
HANDS = ("hands", "box", "fingers", "keys", "letters", "newgame", "faults", "dialogs", "help", "refusals")
"""The modules by which something can be done, or is told how."""


def _loaded(entry: Path) -> Iterator[Path]:
    """A module, and all that it imports."""
    waiting, seen = [entry], {entry}
    while waiting:
        module = waiting.pop()
        yield module
        for name in re.findall(r'(?:from|import)\s*\(?"(\.[^"]+)"', module.read_text()):
            found = (module.parent / name).resolve()
            if found not in seen:
                seen.add(found)
                waiting.append(found)


def _names(entry: str) -> set[str]:
    return {module.stem for module in _loaded(STATIC / entry)}


def test_a_spectators_page_does_not_load_what_hands_need() -> None:
    assert _names("table.js") >= set(HANDS)
    assert _names("spectate.js") & set(HANDS) == set()


def test_a_spectators_page_is_the_tables_without_the_hands() -> None:
    assert "looking" in _names("spectate.js")
    assert _names("spectate.js") - {"spectate"} < _names("table.js")


def test_no_module_of_a_spectators_page_writes_an_order_but_hello() -> None:
    orders = [
        (module.name, order)
        for module in _loaded(STATIC / "spectate.js")
        for order in re.findall(r'\bdo: "(\w+)"', module.read_text())
    ]
    assert orders == [("link.js", "hello")]


def test_the_table_reads_nothing_as_markup() -> None:
    """Words from the table become text, never elements: nothing that is told can run."""
    for module in _loaded(STATIC / "table.js"):
        assert not re.search(r"\binnerHTML|outerHTML|insertAdjacentHTML|document\.write\b|\beval\(", module.read_text())
