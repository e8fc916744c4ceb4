"""Setting the service up again changes no file; with pages in the configuration it opens the network for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proofs.kernel.service import unit
from tests.proofs.kernel.service.conftest import YARDBOARD

DROP_IN = Path(f"/etc/systemd/system/{unit.UNIT}.d/10-web.conf")


@pytest.mark.usefixtures("board")
def test_setting_up_again_changes_nothing_and_the_game_goes_on() -> None:
    before = unit.game()
    assert unit.run(YARDBOARD, "setup") == "The table runs.\n"
    unit.wait_until("active", ": round 1")
    assert unit.game() == before


@pytest.mark.usefixtures("board")
def test_pages_open_the_network_and_without_them_it_is_closed() -> None:
    text = unit.CONFIG.read_text()
    unit.CONFIG.write_text(f"{text}\n[web]\nserve = true\n")
    assert "Its page is at http://" in unit.run(YARDBOARD, "setup")
    assert (DROP_IN.is_symlink(), unit.told("PrivateNetwork")) == (True, "no")
    unit.CONFIG.write_text(text)
    unit.run(YARDBOARD, "setup")
    assert (DROP_IN.exists(), unit.told("PrivateNetwork")) == (False, "yes")
