"""Say in plain words why a text is not JSON. Pure."""

from __future__ import annotations

import json
import re

_COMMA = "delete the comma before the closing bracket"
_WORDS = {"True": "true", "False": "false", "None": "null"}
"""Words of Python -> words of JSON."""

_FAULTS = {
    "Expecting value": "a value is missing, or a text has no quotes",
    "Expecting ',' delimiter": "a comma or a closing bracket is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Illegal trailing comma before end of object": _COMMA,
    "Illegal trailing comma before end of array": _COMMA,
    "Extra data": "more follows after the end",
    "Unterminated string starting at": "the text has no quote at its end",
    "Invalid control character at": "a text contains a line break or another control character",
}
"""The messages of Python's JSON decoder -> plain words."""


def plain_json_fault(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a text that is not JSON, in plain words."""
    before, after = error.doc[: error.pos].rstrip(), error.doc[error.pos :]
    if before.endswith(",") and after.startswith(("}", "]")):
        return _COMMA
    word = re.match("True|False|None", after)
    if word and error.msg == "Expecting value":
        return f"write {_WORDS[word[0]]}, not {word[0]}"
    return _FAULTS.get(error.msg, error.msg)
