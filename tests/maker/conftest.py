"""Require KiCad 9 for the tests in `kicad` in CI; elsewhere skip them without it."""

from __future__ import annotations

import os
import shutil

collect_ignore = [] if "CI" in os.environ or shutil.which("kicad-cli") else ["kicad"]
