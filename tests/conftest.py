"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# How long an example takes depends on what else the machine does: no test is about that.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
