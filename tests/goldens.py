"""Compare pictures with stored files pixel by pixel. `UPDATE_GOLDEN=1` writes the files again: look at them then."""

from __future__ import annotations

import os
from pathlib import Path

from PIL import Image, ImageChops

FOLDER = Path(__file__).parent / "golden"


def check(name: str, drawn: Image.Image) -> None:
    """Fail and name the file, unless the picture is exactly the stored one."""
    path = FOLDER / f"{name}.png"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        drawn.save(path, optimize=True)
    assert path.exists(), f"{path} is missing; UPDATE_GOLDEN=1 writes it"
    with Image.open(path) as opened:
        kept = opened.convert("1", dither=Image.Dither.NONE)
    assert drawn.mode == "1", f"{path}: drawn in mode {drawn.mode}"
    assert drawn.size == kept.size, f"{path}: drawn {drawn.size}, kept {kept.size}"
    differing = ImageChops.logical_xor(drawn, kept)
    box = differing.getbbox()
    assert box is None, f"{path}: pixels differ within {box}"
