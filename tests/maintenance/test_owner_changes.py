"""What the owner's page asks for, and root's program carries out: from the form to the file, and back to the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from firmware_host.config.loader import load
from firmware_host.config.settings_form import SettingChange, SettingChanges
from firmware_host.daemon.owner_desk import TableDesk
from firmware_host.daemon.owner_seat import OwnerSeat
from tests.maintenance.test_carry_out_requests import FakeMachine, House

FILE = '# ours\n[switches]\ndriver = "sim"\n[lamps]\nbrightness = 0.4 # dim\n[web]\nserve = true\nowner = true\n'


class Asking(House):
    """A house whose owner changes settings on the page."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.table.write_text(FILE)
        self.desk = TableDesk(load(self.table), OwnerSeat(load(self.table), []))

    def change(self, section: str, key: str, value: Any) -> dict[str, Any]:
        """Change a setting, let root carry it out, and return what the page shows then."""
        form = self.desk.settings()
        saved = self.desk.save_settings(SettingChanges(form["digest"], [SettingChange(section, key, value)]))
        self.own(f"{saved['request']}.request")
        self.run()
        return self.desk.outcome(saved["request"])


@pytest.fixture
def asking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asking]:
    with TemporaryDirectory() as folder:  # pytest's own are for its user alone
        path = Path(folder)
        path.chmod(0o755)
        monkeypatch.setenv("STATE_DIRECTORY", str(path / "state"))
        asking = Asking(path)
        yield asking
        asking.desk.close()


def test_a_changed_setting_comes_into_the_file_with_its_comments_and_the_former_file_is_kept(asking: Asking) -> None:
    outcome = asking.change("lamps", "brightness", 0.8)
    assert outcome["state"] == "done", outcome
    assert asking.table.read_text() == FILE.replace("0.4", "0.8")
    assert asking.kept() == {"table.toml.1": FILE}
    assert asking.machine.done == ["restart"]
    assert asking.desk.settings()["applied"] is False, "this program runs with the former one until it restarts"


def test_the_page_repairs_a_file_that_the_table_cannot_use(asking: Asking) -> None:
    asking.table.write_text(FILE.replace("0.4", "7"))
    asking.machine.drop_ins = {"web"}
    assert asking.desk.settings()["complaints"]
    assert asking.change("lamps", "brightness", 0.5)["state"] == "done"
    assert asking.table.read_text() == FILE.replace("0.4", "0.5")


def test_a_file_with_which_the_table_does_not_start_is_taken_back_and_the_page_says_so(asking: Asking) -> None:
    asking.machine = FakeMachine(starts=[False, True])
    outcome = asking.change("lamps", "brightness", 0.8)
    assert outcome["state"] == "refused"
    assert outcome["text"]
    assert asking.table.read_text() == FILE
