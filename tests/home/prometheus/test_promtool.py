"""Prometheus itself finds nothing wrong with the metrics and the alert rules, and each alert comes when it should."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from firmware_host.config import shipped_files
from tests.home.test_metrics import measured, tick
from tests.table.played_table import fault, red_to_move

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
RULES = shipped_files.folder() / "monitoring" / "yardboard.rules.yml"


def promtool(*words: str | Path, said: bytes = b"", folder: Path = HERE) -> subprocess.CompletedProcess[bytes]:
    program = shutil.which("promtool")
    if program is None:
        pytest.fail("needs promtool; on Debian: sudo apt install --no-install-recommends prometheus")
    return subprocess.run([program, *words], input=said, capture_output=True, cwd=folder, check=False)


def metrics() -> str:
    p = red_to_move()
    table = measured(p)
    fault(p, "lamps", "unplug", 1000)
    tick(p)
    return table.metrics.text().decode()


def test_promtool_finds_nothing_wrong_with_the_metrics() -> None:
    done = promtool("check", "metrics", said=metrics().encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert promtool("check", "metrics", said=metrics().replace("passes_total", "passes").encode()).returncode


def test_promtool_finds_nothing_wrong_with_the_rules_and_each_alert_comes_when_it_should(tmp_path: Path) -> None:
    for file in (RULES, HERE / "alerts.yml"):
        shutil.copy(file, tmp_path)
    for words in (("check", "rules", RULES.name), ("test", "rules", "alerts.yml")):
        done = promtool(*words, folder=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_is_about_a_metric_that_is_served_and_has_tests() -> None:
    (group,) = yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
    tests = yaml.safe_load((HERE / "alerts.yml").read_text(encoding="utf-8"))["tests"]
    tested = [check for test in tests for check in test["alert_rule_test"]]
    served = metrics()
    for rule in group["rules"]:
        assert all(f"\n# TYPE {name} " in served for name in re.findall(r"yardboard_\w+", rule["expr"])), rule["alert"]
        expected = ["exp_alerts" in check for check in tested if check["alertname"] == rule["alert"]]
        assert {*expected} == {True, False}, rule["alert"]
