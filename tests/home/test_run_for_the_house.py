"""A table in a process of its own publishes to a real broker and serves its metrics, only if it is asked to."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from firmware_host.config.loader import load
from firmware_host.daemon.run import _new_publisher
from tests.home.broker import Broker, Subscriber
from tests.uninstalled import uninstall
from tests.waiting import until
from tests.web.programs import Page, Program

__all__ = ["uninstall"]  # a fixture

TIGER = "tiger lily"
BOARD = '[switches]\ndriver = "sim"\n'
MQTT = """
[mqtt]
url = "mqtt://127.0.0.1:{port}"
user = "ada"
password_file = "mqtt-password"
"""
PAGES = """
[web]
serve = true
port = 0
metrics = {metrics}
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "mqtt-password").write_text(TIGER, encoding="utf-8")
    return tmp_path / "table.toml"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_table_is_online_until_it_is_stopped_or_killed(table: Path, tmp_path: Path, how: signal.Signals) -> None:
    with Broker(tmp_path) as broker, Subscriber(broker) as watching:
        table.write_text(BOARD + MQTT.format(port=broker.port), encoding="utf-8")
        with Program("run", "--config", str(table), home=tmp_path) as running:
            watching.expect("yardboard/status", "online")
            until(lambda: "yardboard/game" in watching.newest, "the game")
            assert json.loads(watching.newest["yardboard/game"])["phase"] in ("set_up", "no_game")
            assert TIGER.encode() not in Path(f"/proc/{running.process.pid}/cmdline").read_bytes()
            running.end(how)
            assert TIGER not in "\n".join(running.told)
        watching.expect("yardboard/status", "offline")


def read(url: str) -> tuple[int, str, bytes]:
    """The status, the content type and the content at an address."""
    try:
        with urlopen(url, timeout=60) as answer:  # noqa: S310 - our own table
            return answer.status, answer.headers["content-type"], answer.read()
    except HTTPError as error:
        with error:
            return error.code, "", b""


@pytest.mark.parametrize(("metrics", "status"), [("true", 200), ("false", 404)])
def test_metrics_are_served_where_they_are_asked_for_alone(
    table: Path, tmp_path: Path, metrics: str, status: int
) -> None:
    table.write_text(BOARD + PAGES.format(metrics=metrics), encoding="utf-8")
    with Program("run", "--config", str(table), home=tmp_path) as running:
        address = running.url(r"The table is shown at (\S+)") + "metrics"
        assert read(address)[0] == status
        if status == 200:
            until(lambda: b"yardboard_passes_total" in read(address)[2], "the first tick", every=0.05)
            assert read(address)[1] == "text/plain; version=0.0.4; charset=utf-8"
        assert running.end() == 0


def test_a_table_with_pages_a_broker_and_metrics_takes_no_more_than_64_mb(table: Path, tmp_path: Path) -> None:
    with Broker(tmp_path) as broker, Subscriber(broker) as watching:
        sections = MQTT.format(port=broker.port) + PAGES.format(metrics="true")
        table.write_text(BOARD + sections, encoding="utf-8")
        with Program("run", "--config", str(table), home=tmp_path) as running:
            address = running.url(r"The table is shown at (\S+)")
            with Page(address, "spectator") as page:
                page.message("board")
                assert read(f"{address}games")[0] == 200
                watching.expect("yardboard/status", "online")
                until(lambda: b"yardboard_passes_total" in read(f"{address}metrics")[2], "the first tick", every=0.05)
                status = Path(f"/proc/{running.process.pid}/status").read_text(encoding="utf-8")
            resident = re.search(r"VmHWM:\s+(\d+) kB", status)
            assert resident is not None
            assert int(resident[1]) / 1024 <= 64


def test_without_its_package_the_table_says_so_and_plays_on(
    table: Path,
    uninstall: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table.write_text(BOARD + MQTT.format(port=1), encoding="utf-8")
    uninstall("paho")
    monkeypatch.delitem(sys.modules, "firmware_host.home.mqtt_publisher", raising=False)
    assert _new_publisher(load(table)) is None
    assert "Nothing is published: mqtt: needs paho" in caplog.text


def test_a_table_that_is_not_asked_to_loads_none_of_it() -> None:
    program = "import sys, firmware_host.daemon.run, firmware_host.web.server; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "firmware_host.daemon.page_server" in loaded
    assert not [name for name in loaded if name.startswith(("paho", "prometheus_client", "firmware_host.home"))]
