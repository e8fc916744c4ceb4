"""One place builds a table."""

from __future__ import annotations

import ast
from pathlib import Path

import firmware_host

HOME = Path(firmware_host.__file__ or "").parent


def test_nothing_else_puts_a_table_together() -> None:
    builders = set()
    for path in HOME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Table":
                builders.add(str(path.relative_to(HOME)))
    assert builders == {"table/compose.py"}
