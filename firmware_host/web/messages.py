"""What is said to pages: JSON objects that name their kind."""

from __future__ import annotations

import json


def message(kind: str, **fields: object) -> str:
    """A message of one kind, as short as it can be said."""
    return json.dumps({"kind": kind, **fields}, ensure_ascii=False, separators=(",", ":"))
