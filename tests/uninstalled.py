"""Simulate packages that are not installed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.abc import MetaPathFinder

import pytest


class _Missing(MetaPathFinder):
    """A finder that hides a package, as if it were not installed."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(self, name: str, *_: object) -> None:
        if name.partition(".")[0] == self._package:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def uninstall(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that hides a package for the rest of the test."""

    def hide(package: str) -> None:
        for name in list(sys.modules):
            if name.partition(".")[0] == package:
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setattr(sys, "meta_path", [_Missing(package), *sys.meta_path])

    return hide
