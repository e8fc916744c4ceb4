"""Names, comments, messages and docs avoid the words that readers stumbled over, folder by folder."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

WORDS = {
    r"told|tells?|telling": "report, say, show, send, log, publish or notify",
    r"feels?|felt|unfelt": "read or sense",
    r"hears?|heard|unheard": "read, receive or trust; unheard: ignored",
    r"whoever": "anyone who, the user or the player",
    r"anew": "again; or restart, reload, redraw",
    r"(?:be|is|are) to be had": "is available",
    r"by (?:itself|themselves)": "automatically",
    r"by hand": "manually; or: by people, with their hands",
    r"vouch\w*|attest\w*|heals?|healed": "confirm or trust again",
    r"masked": "ignored",
    r"doubt\w*|unsure": "suspect (a switch), ambiguous (a reading)",
    r"deeds?": "input or action",
    r"(?<!to )beats?": "tick",
    r"so (?:many|much) (?:milliseconds|ms|seconds|bytes|bits)": "N ms, N seconds",
    r"(?:lies|stands|lie|stand) in(?! series| order)": "is in or is stored in",
}
"""What readers stumbled over, as patterns of whole words -> what to write."""

KEYS = {"tells", "by_hand", "beat_s"}
"""Keys of the protocols and of files: they stay, because other programs and old files use them."""

MOST = {
    "docs": 14,
    "firmware_host/table": 3,
    "firmware_host/ui": 4,
    "firmware_host/web": 3,
    "firmware_host/web/static": 8,
}
"""How many of these words a folder may have. Lower a number where you have removed some; do not raise one."""

_FORMS = [(re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE), better) for pattern, better in WORDS.items()]
_ANY = re.compile("|".join(form.pattern for form, _ in _FORMS), re.IGNORECASE)
_KEY = re.compile(rf"(?<=[\"'`.])(?:{'|'.join(KEYS)})\b|\b(?:{'|'.join(KEYS)})(?=:)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class Stumble:
    """A word to avoid: where it is, and what to write."""

    file: str
    line: int
    word: str
    better: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word!r}; write {self.better}"


def in_text(file: str, line: int, text: str) -> Iterator[Stumble]:
    """Find the words to avoid in a text, also as parts of names such as `by_itself` and `isHeard`."""
    for number, row in enumerate(text.split("\n"), line):
        plain = _CAMEL.sub(" ", _KEY.sub("", row)).replace("_", " ")
        if not _ANY.search(plain):
            continue
        for form, better in _FORMS:
            for found in form.finditer(plain):
                yield Stumble(file, number, found[0], better)


def in_python(file: str, source: str) -> Iterator[Stumble]:
    """Find the words to avoid in names, comments and strings of a module, including docstrings."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.string not in KEYS:
            yield from in_text(file, token.start[0], token.string)


def folders() -> dict[str, list[Path]]:
    """Return the folders that are counted, each with its files."""
    found = {"README.md": [ROOT / "README.md"], "docs": sorted((ROOT / "docs").rglob("*.md"))}
    for top in ("artwork", "hardware", "languages"):
        found[top] = sorted((ROOT / top).rglob("*.py"))
    package = ROOT / "firmware_host"
    found["firmware_host"] = sorted(package.glob("*.py"))
    for folder in sorted(path for path in package.iterdir() if (path / "__init__.py").is_file()):
        found[f"firmware_host/{folder.name}"] = sorted(folder.rglob("*.py"))
    static = package / "web" / "static"
    scripts = (path for path in static.rglob("*.js") if path.relative_to(static).parts[0] != "languages")  # built ones
    found["firmware_host/web/static"] = sorted(scripts)
    return found


def stumbles(folder: str) -> list[Stumble]:
    """Find the words to avoid in one of the `folders`."""
    found: list[Stumble] = []
    for path in folders()[folder]:
        text, file = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
        found += in_python(file, text) if path.suffix == ".py" else in_text(file, 1, text)
    return found


@pytest.mark.parametrize("folder", folders())
def test_no_folder_has_more_words_to_avoid_than_it_had(folder: str) -> None:
    found, most = stumbles(folder), MOST.get(folder, 0)
    assert len(found) <= most, f"{folder}: {len(found)} words to avoid, {most} allowed:\n" + "\n".join(map(str, found))


def test_words_to_avoid_are_found_in_names_comments_and_strings_but_keys_stay() -> None:
    source = 'def tell_all(tells):\n    """Say it anew."""\n    return {"tells": 1}  # whoever asks\n'
    assert [(one.line, one.word) for one in in_python("a.py", source)] == [(1, "tell"), (2, "anew"), (3, "whoever")]
    script = "const isHeard = line.tells; // it tells by itself"
    assert [one.word for one in in_text("a.js", 1, script)] == ["tells", "Heard", "by itself"]
    assert [str(one) for one in in_text("a.md", 7, "is to be had")] == ["a.md:7: 'is to be had'; write is available"]
