"""A real broker, Debian's Mosquitto, on a free port of this machine, and a subscriber to its topics."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from firmware_host.home.mqtt_publisher import BrokerSettings
from tests.waiting import until


def mosquitto(name: str = "mosquitto") -> str:
    """Return the path of a program of Mosquitto. Debian has the broker in root's search path only."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/usr/bin")
    assert found is not None, f"needs {name}: tests/tools/install_debian_packages.sh"
    return found


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """A broker that forgets everything when it ends. Use it in a `with` statement.

    Args:
        folder: for its configuration.
        lines: of its configuration, beside those of the port; without any everyone may do everything.
    """

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        self._file = folder / "mosquitto.conf"
        lines = lines or ("allow_anonymous true",)
        said = [f"listener {self.port} 127.0.0.1", "persistence false", "user root", *lines]
        self._file.write_text("".join(f"{line}\n" for line in said), encoding="utf-8")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.end(signal.SIGKILL)

    def start(self) -> None:
        self._process = subprocess.Popen([mosquitto(), "-c", self._file], stderr=subprocess.DEVNULL)
        until(self._listens, "the broker")

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Stop or kill the broker. Retained messages are lost."""
        if self._process is not None:
            until(lambda: self._has_ended(how), "the broker's end")
            self._process = None

    def _has_ended(self, how: signal.Signals) -> bool:
        """Signal again each time: Mosquitto loses a SIGTERM between its first listening and its main loop."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.send_signal(signal.SIGCONT)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0.5)
        return self._process.returncode is not None

    def signal(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def settings(self, **others: Any) -> BrokerSettings:
        """Return the settings of a table that publishes here."""
        return BrokerSettings(**{"url": f"mqtt://127.0.0.1:{self.port}", **others})


class Subscriber:
    """A program in the house that reads every topic. Use it in a `with` statement.

    Attributes:
        newest: topic -> its newest payload.
        messages: everything, in order: topic, payload, and whether the broker had retained it.
    """

    def __init__(self, broker: Broker, **login: str) -> None:
        self.newest: dict[str, str] = {}
        self.messages: list[tuple[str, str, bool]] = []
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        if login:
            self._client.username_pw_set(**login)
        self._client.on_message = self._on_message
        self._client.on_connect = lambda client, *_: client.subscribe("#", qos=1)
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.connect("127.0.0.1", broker.port)

    def __enter__(self) -> Self:
        self._client.loop_start()
        assert self._ready.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()
        del self._client  # which closes its sockets now, not when garbage is collected

    def publish(self, topic: str, payload: str | bytes) -> None:
        self._client.publish(topic, payload, qos=1).wait_for_publish(60)

    def expect(self, topic: str, payload: str) -> None:
        """Wait until the newest payload of a topic is this one."""
        until(lambda: self.newest.get(topic) == payload, f"{payload!r} in {topic}, not {self.newest.get(topic)!r}")

    def _on_message(self, _: Client, __: object, message: MQTTMessage) -> None:
        payload = message.payload.decode()
        self.messages.append((message.topic, payload, message.retain))
        self.newest[message.topic] = payload
