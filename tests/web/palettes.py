"""Read the palettes of the pages from colours.css as a browser would: name -> colour for each setting."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import firmware_host.web

STATIC = Path(firmware_host.web.__file__).parent / "static"

THEMES = ("night", "day")
CONTRASTS = ("usual", "high")
PALETTES = ("usual", "colour-blind")
SETTINGS = list(product(THEMES, CONTRASTS, PALETTES))
"""All combinations of the root element's three attributes."""


def rules(sheet: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every rule of a sheet, also within media queries: its selector, and property -> value."""
    text = re.sub(r"/\*.*?\*/", "", (STATIC / "styles" / sheet).read_text(), flags=re.DOTALL)
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        lines = (line.partition(":") for line in body.split(";") if line.strip())
        yield " ".join(selector.split()), {name.strip(): value.strip() for name, _, value in lines}


def tokens(theme: str, contrast: str, palette: str) -> dict[str, str]:
    """Return every colour that is set on the root element: name -> "#rrggbb"."""
    attributes = {"theme": theme, "contrast": contrast, "palette": palette}
    holding: list[tuple[int, dict[str, str]]] = []
    for selector, rule in rules("colours.css"):
        for one in selector.split(", "):
            asked = re.findall(r'\[data-(\w+)="([\w-]+)"\]', one)
            if re.fullmatch(r':root(\[data-\w+="[\w-]+"\])*', one) and all(attributes[k] == v for k, v in asked):
                holding.append((len(asked), rule))
    holding.sort(key=lambda found: found[0])  # stable: of rules that ask for as much the later one holds
    said = {name: value for _, rule in holding for name, value in rule.items()}
    return {name[2:]: value for name, value in said.items() if re.fullmatch("#[0-9a-f]{6}", value)}
