"""`yardboard doctor` asks for what the configuration needs, and its status says whether the board can work."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from firmware_host.cli import main
from firmware_host.commissioning.board_commands import describe_findings, plan_of
from firmware_host.config import shipped_files
from firmware_host.config.loader import load, parse, simulator
from hardware.raspberry_pi.host_facts import HostFacts
from hardware.raspberry_pi.pin_conflicts import SpiUse
from hardware.raspberry_pi.requirements import Finding, Requirements


def test_a_simulated_board_needs_a_place_for_its_journal_and_nothing_else() -> None:
    assert plan_of(simulator(), {"STATE_DIRECTORY": "/state"}) == Requirements(PurePosixPath("/state"))


def test_a_plan_has_what_the_configuration_says() -> None:
    plan = plan_of(load(shipped_files.folder() / "london-spi.toml"), {"STATE_DIRECTORY": "/state"})
    assert (plan.model, plan.pin_factory, plan.lamps, plan.dead, plan.max_milliamps, plan.panels) == (
        "4", "lgpio", 223, 0, 3000, ("ssd1306", "ssd1309"),
    )  # fmt: skip
    assert SpiUse("6.0", "[switches] spi", ("sclk", "miso"), 1, alone=True) in plan.claims
    assert plan.transfers == {"6.0": 28, "0.0": 2916}
    assert plan.serial == {}
    pico = load(shipped_files.folder() / "london-pico.toml")
    assert plan_of(pico, {"STATE_DIRECTORY": "/state"}).serial == {
        pico.switches.port: "switches",
        pico.handset.port: "handset",
    }


@pytest.mark.parametrize("driver", ["sim", "gpio"])
def test_a_plan_has_the_outlets_that_the_configuration_wants(driver: str) -> None:
    text = (shipped_files.folder() / ("simulator.toml" if driver == "sim" else "junior-gpio.toml")).read_text(
        encoding="utf-8"
    )
    text = text.partition("[web]")[0]
    place = {"STATE_DIRECTORY": "/state"}
    assert plan_of(parse(text, "yard.toml"), place).outlets == ()
    text = f"{text}\n[web]\nserve = true\n"
    assert plan_of(parse(text, "yard.toml"), place).outlets == ("pages",)
    text = f'{text}\n[mqtt]\nurl = "mqtt://10.0.0.2"\n'
    assert plan_of(parse(text, "yard.toml"), place).outlets == ("pages", "mqtt")


def test_findings_are_told_with_what_to_do_below() -> None:
    findings = [Finding("ok", "one"), Finding("warning", "two", "mend two"), Finding("error", "three", "mend three")]
    assert list(describe_findings(findings)) == [
        "ok       one", "WARNING  two", "         mend two", "ERROR    three", "         mend three",
    ]  # fmt: skip


def status(*words: str) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        main(["doctor", *words])
    return ended.value.code


def test_a_laptop_is_fit_for_a_simulated_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(HostFacts, "mount_of", lambda *_: None)  # Debian 13 has /tmp in memory, which is no fit place
    assert status(str(shipped_files.folder() / "simulator.toml")) == 0
    assert "journal" in capsys.readouterr().out


def test_a_laptop_is_not_fit_for_a_real_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert status(str(shipped_files.folder() / "london-spi.toml")) == 1
    out, err = capsys.readouterr()
    assert "ERROR    this machine is not a Raspberry Pi" in out
    assert "to repair before this board can work" in err
