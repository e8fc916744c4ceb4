"""Say in plain words why a text is not JSON. Pure."""

from __future__ import annotations

import json

_FAULTS = {
    "Expecting value": "a value is missing, or a text has no quotes",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Illegal trailing comma before end of object": "there is a comma before the closing bracket",
    "Illegal trailing comma before end of array": "there is a comma before the closing bracket",
    "Extra data": "more follows after the end",
    "Unterminated string starting at": "the text has no quote at its end",
    "Invalid control character at": "a text contains a line break or another control character",
}
"""The messages of Python's JSON decoder -> plain words."""


def plain_json_fault(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a text that is not JSON, in plain words."""
    return _FAULTS.get(error.msg, error.msg)
