"""Join a page's script or style sheet with all files that it imports, so that browsers need one request.

A page's own files are at the top of the folder of static files; the files that they import are in folders below. The
sources stay plain modules for editors, the type checker and tests. A bundle puts each module into a function of its
own, in the order in which a browser would evaluate them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from os.path import normpath
from pathlib import Path
from typing import NamedTuple

SHARED = "theme.js"
"""The script that every page runs before it is drawn. Other bundles import its modules from there."""

_SCRIPT_IMPORT = re.compile(r'^import (?:\{(?P<names>[^}]*)\} from )?"(?P<path>\.{1,2}/[^"]+)";\n', re.MULTILINE)
_SHEET_IMPORT = re.compile(r'^@import "(?P<path>[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (?P<name>\w+))", re.MULTILINE)
_UNKNOWN = re.compile(r"^(?:import|export)\b.*|^.*\bimport\(.*|^@import\b.*|^.*\burl\(\"?\.{1,2}/.*", re.MULTILINE)
_LEFT_OUT = re.compile(
    r"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n"  # a comment on lines of its own
    r"|[ \t]+//[^\n\"'`]*$|[ \t]*/\*(?:[^*\n]|\*(?!/))*\*/[ \t]*$"  # a comment at a line's end
    r"|/\*\* @type [^*\n]*\*/ ?"  # the type of an expression
    r"|^[ \t]+",
    re.MULTILINE,
)
"""What bundles leave out: comments and indents, a third of the scripts. So a text in backticks must be on one line."""


class BundleError(ValueError):
    """The error that a script or style sheet cannot be joined with its imports."""


class Bundle(NamedTuple):
    """A script or style sheet joined with its imports, and the list of these files."""

    sources: tuple[Path, ...]
    text: str


def is_bundled(name: str) -> bool:
    """Return whether a file such as "table.js" is served joined with its imports."""
    return "/" not in name and name.endswith((".js", ".css"))


def imported_files(entry: Path) -> list[Path]:
    """Return a script or style sheet and each file that it imports, imported ones first.

    Raises:
        BundleError: files import each other in a circle, or import a missing file.
    """
    return list(_read(entry))


def bundle(entry: Path) -> Bundle:
    """Join a script or style sheet from the top of a folder with its imports.

    Raises:
        BundleError: as for `imported_files`, or a source contains something that bundles do not support.
    """
    sources = _read(entry)
    text = _join_scripts(sources, entry.parent) if entry.suffix == ".js" else _join_sheets(sources)
    return Bundle(tuple(sources), text)


class _Source(NamedTuple):
    """The text of a file, and the statements that import other files."""

    text: str
    imports: list[tuple[re.Match[str], Path]]


def _read(entry: Path) -> dict[Path, _Source]:
    """Return a file and all its imports in the order in which a browser runs them."""
    done: dict[Path, _Source] = {}
    _read_after_imports(entry, [], done)
    return done


def _read_after_imports(file: Path, importing: list[Path], done: dict[Path, _Source]) -> None:
    if file in importing:
        circle = " -> ".join(path.name for path in (*importing[importing.index(file) :], file))
        raise BundleError(f"{file}: modules import each other in a circle; remove one of: {circle}")
    if file in done:
        return
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        by = importing[-1] if importing else "a page"
        raise BundleError(f"{by}: imports {file}, which does not exist; correct the import") from None
    pattern = _SCRIPT_IMPORT if file.suffix == ".js" else _SHEET_IMPORT
    imports = [(found, Path(normpath(file.parent / found["path"]))) for found in pattern.finditer(text)]
    for _, imported in imports:
        _read_after_imports(imported, [*importing, file], done)
    done[file] = _Source(text, imports)


def _join_sheets(sources: Mapping[Path, _Source]) -> str:
    return "".join(_rest(file, _SHEET_IMPORT.sub("", source.text)) for file, source in sources.items())


def _join_scripts(sources: Mapping[Path, _Source], root: Path) -> str:
    *modules, entry = sources
    is_shared = entry.name == SHARED
    shared = [] if is_shared or not (root / SHARED).is_file() else imported_files(root / SHARED)[:-1]
    parts = [f'import {{ shared }} from "./{SHARED}";\n'] if sources.keys() & shared else []
    for file in modules:
        value = f"shared.{_variable(file, root)};\n" if file in shared else _module(file, sources[file], root)
        parts.append(f"const {_variable(file, root)} = {value}")
    parts.append(_body(entry, sources[entry], root))
    if is_shared:
        parts.append(f"export const shared = {{ {', '.join(_variable(file, root) for file in modules)} }};\n")
    return "".join(parts)


def _module(file: Path, source: _Source, root: Path) -> str:
    """Return a JavaScript expression that runs a module and gives its exports.

    The module may use top-level `await`.
    """
    exports = ", ".join(found["name"] for found in _EXPORT.finditer(source.text))
    return f"await (async () => {{\n{_body(file, source, root)}return {{ {exports} }};\n}})();\n"


def _body(file: Path, source: _Source, root: Path) -> str:
    """Return a module's source for a bundle: each import becomes a constant, and `export` is removed."""
    text = source.text
    for found, imported in source.imports:
        names = (found["names"] or "").replace(" as ", ": ")
        text = text.replace(found[0], f"const {{{names}}} = {_variable(imported, root)};\n" if names else "", 1)
    return _rest(file, _EXPORT.sub("", text))


def _rest(file: Path, text: str) -> str:
    """Return a file's text without comments, and raise BundleError if something in it cannot be bundled."""
    open_texts = (line for line in text.splitlines() if line.count("`") % 2)
    text = _LEFT_OUT.sub("", text)
    unknown = next(open_texts, None) or next((found[0] for found in _UNKNOWN.finditer(text)), None)
    if unknown is not None:
        raise BundleError(f"{file}: a bundle cannot have {unknown.strip()!r}; see {__name__}")
    return text


def _variable(file: Path, root: Path) -> str:
    """Return the variable for a module's exports, such as board$zoom for board/zoom.js."""
    return file.relative_to(root).with_suffix("").as_posix().replace("/", "$")
