"""Create artwork, icons and the pages in all languages whenever the package is built or installed from a checkout."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ArtworkHook(BuildHookInterface[Any]):
    """The build hook that creates these files before hatch gathers all. Artwork of unchanged sources stays as it is."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - the interface's
        """Create languages, icons and artwork. Without shapely, warn that pages will show the board as it is wired."""
        sys.path.insert(0, self.root)
        try:
            self._make()
        finally:
            sys.path.remove(self.root)

    def _make(self) -> None:
        from artwork import app_icons  # noqa: PLC0415 - it is found only now
        from languages import compile_catalogues  # noqa: PLC0415 - likewise

        compile_catalogues.make()
        app_icons.make()
        if find_spec("shapely") is None:
            self.app.display_warning(
                "shapely is not installed, so the maps' artwork is not made; the pages show the wiring look instead. "
                "For the artwork: pip install shapely, then install yardboard again with --no-build-isolation."
            )
            return
        from artwork import build  # noqa: PLC0415 - only here is shapely needed

        made = build.make()
        self.app.display_info(f"artwork: {len(made)} maps in {made[0].parent.relative_to(Path(self.root))}")
