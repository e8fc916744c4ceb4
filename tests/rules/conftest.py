"""No deadline for Hypothesis: these tests share a core with others, and time is not what they prove."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("rules", deadline=None)
settings.load_profile("rules")
