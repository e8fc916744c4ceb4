"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# How long an example takes depends on what else the machine does: no test is about that. And what is right today is
# right tomorrow: to look for new examples, run pytest with --hypothesis-profile=hunt.
settings.register_profile("same", deadline=None, derandomize=True, max_examples=100 if os.environ.get("LONG") else 30)
settings.register_profile("hunt", deadline=None)
settings.load_profile("same")
