"""Create invalid contents of files by changing some places, at any depth."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import strategies as st


def values(*words: str) -> st.SearchStrategy[Any]:
    """Return a strategy for all values of a TOML file, these words included."""
    single = st.none() | st.booleans() | st.integers() | st.integers(1, 4) | st.floats() | st.dates()
    return st.recursive(
        single | st.text(max_size=8) | st.sampled_from(words),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=6,
    )


@st.composite
def spoilt(draw: st.DrawFn, data: dict[str, Any], words: tuple[str, ...], keys: tuple[str, ...]) -> dict[str, Any]:
    """Draw a copy of the data in which up to three places are replaced, left out or added under one of these keys."""
    spoilt = deepcopy(data)
    for _ in range(draw(st.integers(1, 3))):
        places = _places(spoilt)
        if not places:
            break
        *path, last = draw(st.sampled_from(places))
        inner: Any = spoilt
        for key in path:
            inner = inner[key]
        match draw(st.sampled_from(["replace", "delete", "add"])):
            case "replace":
                inner[last] = draw(values(*words))
            case "delete":
                del inner[last]
            case "add" if isinstance(inner, dict):
                inner[draw(st.text(max_size=4) | st.sampled_from(keys))] = draw(values(*words))
    return spoilt


def _places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = data if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [place for key in keys for place in ((*path, key), *_places(data[key], (*path, key)))]
