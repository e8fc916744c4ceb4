"""Setting the service up again changes no file, and the game goes on."""

from __future__ import annotations

import pytest

from tests.proofs.kernel.service import unit
from tests.proofs.kernel.service.conftest import YARDBOARD


@pytest.mark.usefixtures("board")
def test_setting_up_again_changes_nothing_and_the_game_goes_on() -> None:
    before = unit.game()
    assert unit.run(YARDBOARD, "setup") == "The table runs.\n"
    unit.wait_until("active", ": round 1")
    assert unit.game() == before
