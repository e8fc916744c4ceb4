"""One target under atheris, which keeps the inputs that reach code no input has reached before.

python -m tests.proofs.fuzz.guided TARGET INPUTS SEED

It needs the dependency group `fuzz`: `pip install --group fuzz` (pip 25.1 or newer).
"""

from __future__ import annotations

import itertools
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["firmware_host", "hardware"]):
    from tests.proofs.fuzz.target import Target, Try
    from tests.proofs.fuzz.targets import TARGETS


SLOW = 20
"""Seconds that no input may take, traced as it is."""


def main(name: str, inputs: str, seed: str) -> None:
    """Never returns: libFuzzer ends the process, with a status other than 0 if a promise was broken."""
    target = TARGETS[name]
    folder = Path(tempfile.mkdtemp(prefix="yardboard-fuzz-"))
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, data in enumerate(target.seeds):
        (corpus / str(number)).write_bytes(data)
    words = folder / "words"
    words.write_text("".join(f'"{_escaped(word)}"\n' for word in target.words if word))
    longest = 2 * max(map(len, target.seeds))
    options = [
        f"-runs={inputs}",
        f"-seed={seed}",
        f"-dict={words}",
        f"-max_len={longest}",
        "-timeout=20",
        "-verbosity=0",
    ]
    atheris.Setup(
        [sys.argv[0], *options, "-print_final_stats=1", f"-artifact_prefix={folder}/", str(corpus)], _reopening(target)
    )
    atheris.Fuzz()


def _reopening(target: Target) -> Callable[[bytes], None]:
    tries = _tries(target)

    def one(data: bytes) -> None:
        next(tries)(data)

    return one


def _tries(target: Target) -> Iterator[Try]:
    while True:
        with target.open() as one:
            yield from itertools.repeat(one, target.fresh)


def _escaped(word: bytes) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main(*sys.argv[1:])
