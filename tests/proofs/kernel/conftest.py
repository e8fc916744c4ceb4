"""The tests in `guest` and `service` run in kernels of their own only, which `make kernel-test` boots."""

from __future__ import annotations

import os

collect_ignore = [] if "YARDBOARD_GUEST" in os.environ else ["guest", "service"]
