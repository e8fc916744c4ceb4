"""Model a disk that loses power: the operations of a process in a folder, and all that may be left of them.

Synced data is there. Of other data anything may be left: all of it, nothing, some writes and not others, some sectors
of a write, or rubbish in its place. A name is there once its folder was synced; before, it may be missing.
Nothing is assumed about the order in which a disk or a file system writes.
"""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import random
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECTOR = 512
_HEAD = struct.Struct("=cqqqq")

Tree = dict[str, bytes | None]
"""Path -> content of a file; None for a folder."""


@dataclass(frozen=True, slots=True)
class DiskStep:
    """One operation of a process: `kind` is the letter from disk.c, or `!` for a word of the story."""

    kind: str
    numbers: tuple[int, int, int]
    data: bytes


@functools.cache
def library() -> Path:
    """Return disk.c, compiled."""
    folder = Path(tempfile.mkdtemp(prefix="yardboard-power-"))
    atexit.register(shutil.rmtree, folder)
    made, source = folder / "disk.so", Path(__file__).with_name("disk.c")
    flags = ["-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run(["gcc", *flags, "-o", made, source, "-ldl"], check=True)  # noqa: S607
    return made


def watched(root: Path, tape: Path | None = None) -> dict[str, str]:
    """Return the environment of a process whose operations in `root` are recorded on `tape`."""
    told = {} if tape is None else {"POWER_TAPE": str(tape)}
    return {**os.environ, "LD_PRELOAD": str(library()), "POWER_ROOT": str(root), **told}


def steps(tape: Path) -> Iterator[DiskStep]:
    """Yield the recorded operations in order."""
    told, place = tape.read_bytes(), 0
    while place < len(told):
        kind, a, b, c, length = _HEAD.unpack_from(told, place)
        place += _HEAD.size
        yield DiskStep(kind.decode(), (a, b, c), told[place : place + length])
        place += length


def tree_of(folder: Path) -> Tree:
    """Return the content of a folder."""
    return {str(path.relative_to(folder)): None if path.is_dir() else path.read_bytes() for path in folder.rglob("*")}


def plant(tree: Tree, folder: Path) -> None:
    for name, content in sorted(tree.items()):
        path = folder / name
        if content is None:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        else:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(content)


# ---- what is on the disk, and what is on its way there ----

Write = tuple[int, bytes | None]
"""A write: its place and its bytes; None: the file ends there."""


def _with(content: bytes, writes: Sequence[Write]) -> bytes:
    now = bytearray(content)
    for place, data in writes:
        if data is None:
            del now[place:]
            now.extend(bytes(place - len(now)))
        else:
            now.extend(bytes(max(0, place + len(data) - len(now))))
            now[place : place + len(data)] = data
    return bytes(now)


@dataclass(slots=True, eq=False)
class File:
    safe: bytes = b""
    pending: list[Write] = field(default_factory=list)

    def sync(self) -> None:
        self.safe = _with(self.safe, self.pending)
        self.pending.clear()


Naming = tuple[str, "Node | None"]
"""A name, and the node that it names from now on."""


@dataclass(slots=True, eq=False)
class Folder:
    """A folder: its safe names, and the names that were given or removed since."""

    safe: dict[str, Node] = field(default_factory=dict)
    pending: list[list[Naming]] = field(default_factory=list)  # each list at once or not at all

    def sync(self) -> None:
        self.safe = self.seen(self.pending)
        self.pending.clear()

    def seen(self, changes: Sequence[Sequence[Naming]]) -> dict[str, Node]:
        names = {**self.safe}
        for name, node in itertools.chain(*changes):
            if node is None:
                names.pop(name, None)
            else:
                names[name] = node
        return names


Node = File | Folder
Chosen = dict[Node, Sequence[Any]]
"""Which pending writes have reached the disk, by node; of a missing node: none."""


class Disk:
    """The folder after each operation."""

    def __init__(self, tree: Tree) -> None:
        self.root = Folder()
        self._open: dict[int, Node] = {}
        for name, content in sorted(tree.items()):
            folder, last = self._place(name)
            folder.safe[last] = Folder() if content is None else File(content)

    def do(self, step: DiskStep) -> None:
        """Apply an operation of the process."""
        fd, number, _ = step.numbers
        match step.kind:
            case "o":
                self._open[fd] = self._opened(step.data.decode(), number)
            case "c":
                del self._open[fd]
            case "w":
                self._file(fd).pending.append((number, step.data))
            case "t":
                self._file(fd).pending.append((number, None))
            case "s":
                self._open[fd].sync()
            case "m":
                self._name(step.data.decode(), Folder())
            case "u":
                self._name(step.data.decode(), None)
            case "l" | "r":
                old, new = step.data[:fd].decode(), step.data[fd:].decode()
                folder, name = self._place(new)
                namings: list[Naming] = [(name, self._found(old))]
                if step.kind == "r":
                    assert self._place(old)[0] is folder, "no move from folder to folder"
                    namings.append((self._place(old)[1], None))
                folder.pending.append(namings)

    def _file(self, fd: int) -> File:
        file = self._open[fd]
        assert isinstance(file, File)
        return file

    def _opened(self, name: str, flags: int) -> Node:
        node = self._found(name)
        if node is None:
            assert flags & os.O_CREAT, name
            node = File()
            self._name(name, node)
        if flags & os.O_TRUNC:
            assert isinstance(node, File)
            node.pending.append((0, None))
        return node

    def _place(self, name: str) -> tuple[Folder, str]:
        *folders, last = name.split("/")
        folder = self.root
        for one in folders:
            inner = folder.seen(folder.pending)[one]
            assert isinstance(inner, Folder)
            folder = inner
        return folder, last

    def _found(self, name: str) -> Node | None:
        if name == ".":
            return self.root
        folder, last = self._place(name)
        return folder.seen(folder.pending).get(last)

    def _name(self, name: str, node: Node | None) -> None:
        folder, last = self._place(name)
        folder.pending.append([(last, node)])

    # ---- the power fails ----

    def left(self, chance: random.Random, torn: int) -> Iterator[Tree]:
        """Yield what may be left if the power fails now, with `torn` examples of torn writes."""
        pending = [node for node in self._all() if node.pending]
        for some in itertools.product((False, True), repeat=len(pending)):
            whole: Chosen = {node: node.pending for node, has_come in zip(pending, some, strict=True) if has_come}
            yield self._tree(whole)
            if all(some) or not any(some):
                for node in pending:
                    for part in _parts(node, chance, torn):
                        yield self._tree({**whole, node: part})
        for _ in range(torn):
            yield self._tree({node: chance.choice(_parts(node, chance, 1)) for node in pending})

    def _all(self) -> list[Node]:
        """Return everything that has or may have a name, and open files without a name."""
        found: dict[Node, None] = {}
        to_do: list[Node] = [self.root]
        while to_do:
            node = to_do.pop()
            if node not in found:
                found[node] = None
                if isinstance(node, Folder):
                    to_do += node.safe.values()
                    to_do += [inner for _, inner in itertools.chain(*node.pending) if inner is not None]
        return list(found)

    def _tree(self, chosen: Chosen) -> Tree:
        tree: Tree = {}

        def walk(folder: Folder, before: str) -> None:
            for name, node in folder.seen(chosen.get(folder, ())).items():
                if isinstance(node, File):
                    tree[before + name] = _with(node.safe, chosen.get(node, ()))
                else:
                    tree[before + name] = None
                    walk(node, f"{before}{name}/")

        walk(self.root, "")
        return tree


def _parts(node: Node, chance: random.Random, torn: int) -> list[Sequence[Any]]:
    """Return some subsets of the pending writes: each beginning, all but one, one alone, and torn ones."""
    whole: Sequence[Any] = node.pending
    some = [whole[:n] for n in range(1, len(whole))]
    some += [[*whole[:n], *whole[n + 1 :]] for n in range(len(whole) - 1)]
    some += [[one] for one in whole[1:]]
    if isinstance(node, File):
        some += [_torn(node.pending, chance) for _ in range(torn)]
    return some or [[]]


def _torn(writes: Sequence[Write], chance: random.Random) -> list[Write]:
    """Return writes of which some sectors arrived, some did not, and some are rubbish."""
    some: list[Write] = []
    for place, data in writes:
        if data is None:
            some += [(place, None)] * chance.randrange(2)
            continue
        end = place + len(data)
        edges = [place, *range(place + SECTOR - place % SECTOR, end, SECTOR), end]
        for start, stop in itertools.pairwise(edges):
            fate = chance.random()
            if fate < 0.5:
                some.append((start, data[start - place : stop - place]))
            elif fate < 0.6:
                some.append((start, chance.randbytes(stop - start)))
    return some
