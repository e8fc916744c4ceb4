"""Names tell files and classes apart: none is there twice."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import firmware_host
import hardware
from firmware_host.web.pages.static_files import STATIC

HOMES = tuple(Path(package.__file__ or "").parent for package in (firmware_host, hardware))
MODULES = [path for home in HOMES for path in sorted(home.rglob("*.py")) if not path.stem.startswith("__")]


def test_no_module_has_the_name_of_another() -> None:
    assert [name for name, times in Counter(path.stem for path in MODULES).items() if times > 1] == []
    scripts = Counter(path.name for path in STATIC.rglob("*.js"))
    assert [name for name, times in scripts.items() if times > 1] == []


def test_no_class_of_a_module_has_the_name_of_another() -> None:
    named = Counter(
        node.name
        for path in MODULES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    )
    assert len(named) > 300
    assert [name for name, times in named.items() if times > 1] == []
