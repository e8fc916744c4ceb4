"""Whatever becomes of the broker, the table never waits, nothing grows, and the newest state arrives in the end."""

from __future__ import annotations

import json
import logging
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from paho.mqtt.client import Client

from firmware_host.home import mqtt_publisher
from firmware_host.home.home_assistant import STATES
from firmware_host.home.mqtt_publisher import BrokerLink, BrokerSettings
from tests.home.broker import Broker, Subscriber, free_port, mosquitto
from tests.waiting import until

CONFIG = "homeassistant/device/yardboard_yardboard/config"
OFTEN = 20_000
"""How often the table changes while the broker is away: an hour of changes on every tick, and more."""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The link tries again at once, and notices soon that the broker is silent."""
    monkeypatch.setattr(mqtt_publisher, "AGAIN", 0.05)
    monkeypatch.setattr(mqtt_publisher, "POLL", 0.01)
    monkeypatch.setattr(mqtt_publisher, "KEEP_ALIVE", 1)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path) as running:
        yield running


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def linked(stack: ExitStack, settings: BrokerSettings) -> BrokerLink:
    """A link that is stopped at the end of the test."""
    link = BrokerLink(settings)
    stack.callback(link.stop)
    return link


def change_often(link: BrokerLink, times: int = OFTEN) -> None:
    """Publish so often that everything that grows would show, and check that nothing has."""
    for number in range(1, times + 1):
        link.put({topic: f"{topic} {number}" for topic in STATES}, {"surfacing": f"event {number}"})
    assert len(link._states) <= len(STATES)
    assert len(link._unsent) <= len(STATES)
    assert len(link._events) <= 1


def test_the_newest_state_is_retained_and_an_event_is_not(broker: Broker, stack: ExitStack) -> None:
    watching = stack.enter_context(Subscriber(broker))
    link = linked(stack, broker.settings())
    link.put({"round": "3"}, {})
    watching.expect("yardboard/round", "3")
    link.put({"round": "4"}, {"surfacing": "now"})
    watching.expect("yardboard/surfacing", "now")
    watching.expect("yardboard/round", "4")
    late = stack.enter_context(Subscriber(broker))
    late.expect("yardboard/round", "4")
    late.expect("yardboard/status", "online")
    assert "components" in json.loads(late.newest[CONFIG])
    assert "yardboard/surfacing" not in late.newest
    assert all(retained for *_, retained in late.messages)


def test_a_payload_that_has_not_changed_is_not_sent_again(broker: Broker, stack: ExitStack) -> None:
    watching = stack.enter_context(Subscriber(broker))
    link = linked(stack, broker.settings())
    link.put({"round": "3", "turn": "Red"}, {})
    watching.expect("yardboard/turn", "Red")
    for turn in ("Green", "Blue"):
        link.put({"round": "3", "turn": turn}, {})
        watching.expect("yardboard/turn", turn)
    assert [payload for topic, payload, _ in watching.messages if topic == "yardboard/round"] == ["3"]


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_broker_that_ends_and_has_forgotten_everything_is_sent_everything_again(
    broker: Broker, stack: ExitStack, how: signal.Signals, caplog: pytest.LogCaptureFixture
) -> None:
    link = linked(stack, broker.settings())
    link.put({"round": "1"}, {})
    with Subscriber(broker) as before:
        before.expect("yardboard/round", "1")
    broker.end(how)
    until(lambda: "it is tried again" in caplog.text, "the link to notice")
    change_often(link)
    broker.start()
    after = stack.enter_context(Subscriber(broker))
    for topic in STATES:
        after.expect(f"yardboard/{topic}", f"{topic} {OFTEN}")
    after.expect("yardboard/status", "online")
    until(lambda: CONFIG in after.newest, "the discovery message")


def test_a_broker_that_is_away_for_hours_is_named_once_in_the_log(
    broker: Broker, stack: ExitStack, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []
    serve = BrokerLink._serve_connection
    monkeypatch.setattr(BrokerLink, "_serve_connection", lambda link: tries.append(1) or serve(link))  # type: ignore[func-returns-value]
    broker.end()
    link = linked(stack, broker.settings())
    until(lambda: len(tries) > 20, "many tries")
    change_often(link)
    assert len([record for record in caplog.records if record.levelno == logging.WARNING]) == 1
    assert "Connection refused; it is tried again" in caplog.text
    broker.start()
    watching = stack.enter_context(Subscriber(broker))
    watching.expect("yardboard/round", f"round {OFTEN}")


def test_two_tables_with_one_topic_are_named_in_the_log_once(
    broker: Broker, stack: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "yardboard")
    watching = stack.enter_context(Subscriber(broker))
    for _ in range(2):
        linked(stack, broker.settings())

    def announced() -> int:
        return [topic for topic, *_ in watching.messages].count(CONFIG)

    until(lambda: announced() > 20, "the two tables to have taken each other's place again and again")
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert len(warnings) <= 4
    assert "two tables at one broker need two topics" in warnings[-1]
    assert caplog.text.count("Connected to") <= 6


def test_an_event_that_could_not_be_sent_for_long_is_dropped(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.end()
    link = linked(stack, broker.settings())
    monkeypatch.setattr(mqtt_publisher, "STALE", -1.0)
    link.put({"round": "1"}, {"capture": "an hour ago"})
    broker.start()
    watching = stack.enter_context(Subscriber(broker))
    watching.expect("yardboard/round", "1")
    monkeypatch.setattr(mqtt_publisher, "STALE", 60.0)
    link.put({"round": "2"}, {"capture": "now"})
    watching.expect("yardboard/capture", "now")
    assert [payload for topic, payload, _ in watching.messages if topic == "yardboard/capture"] == ["now"]


def test_a_broker_that_hangs_is_left_and_connected_again(broker: Broker, stack: ExitStack) -> None:
    link = linked(stack, broker.settings())
    link.put({"round": "1"}, {})
    with Subscriber(broker) as before:
        before.expect("yardboard/round", "1")
    broker.signal(signal.SIGSTOP)
    change_often(link)
    broker.signal(signal.SIGCONT)
    watching = stack.enter_context(Subscriber(broker))
    watching.expect("yardboard/round", f"round {OFTEN}")


WELCOME = bytes([0x20, 3, 0, 0, 0])
"""CONNACK: success, without properties."""


class Deaf:
    """A broker that says something to each client, by default a welcome, and then reads nothing more."""

    def __init__(self, said: bytes = WELCOME) -> None:
        self._said = said
        self.met = 0
        self._listening = socket.socket()
        self._listening.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        self._listening.bind(("127.0.0.1", 0))
        self._listening.listen()
        self.port = self._listening.getsockname()[1]
        self._taken: list[socket.socket] = []
        threading.Thread(target=self._welcome, daemon=True).start()

    def _welcome(self) -> None:
        try:
            while True:
                client, _ = self._listening.accept()
                client.recv(4096)
                client.sendall(self._said)
                self._taken.append(client)
                self.met += 1
        except OSError:
            return

    def close(self) -> None:
        for one in (self._listening, *self._taken):
            one.close()


def test_a_broker_that_reads_nothing_is_not_buried_in_messages(
    stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt_publisher, "KEEP_ALIVE", 60)
    clients, create = list[Client](), BrokerLink._new_client

    def created(link: BrokerLink) -> Client:
        clients.append(create(link))
        return clients[-1]

    monkeypatch.setattr(BrokerLink, "_new_client", created)
    deaf = stack.enter_context(closing(Deaf()))
    link = linked(stack, BrokerSettings(f"mqtt://127.0.0.1:{deaf.port}"))
    until(lambda: clients and clients[0].is_connected(), "the welcome")
    (client,) = clients
    for number in range(40):  # 48 MB, far more than any line holds
        link.put({topic: str(number % 10) * 200_000 for topic in STATES}, {})
        until(lambda: not link._unsent or client.want_write(), "the link")
        assert len(client._out_packet) <= len(STATES) + 4  # and what it said first
    assert client.want_write()
    change_often(link)
    assert len(client._out_packet) <= len(STATES) + 4


@pytest.mark.parametrize("said", [b"\xff" * 300, b"\x20\x03\x00\x00\x05", WELCOME + b"\x30\x05\x00\x01\xff\x00x", b""])
def test_a_broker_that_says_what_no_broker_says_is_left_and_tried_again(
    stack: ExitStack, said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    deaf = stack.enter_context(closing(Deaf(said)))
    link = linked(stack, BrokerSettings(f"mqtt://127.0.0.1:{deaf.port}"))
    link.put({"round": "1"}, {"capture": "now"})
    until(lambda: deaf.met > 1, "another try")
    assert link._thread.is_alive()
    assert "it is tried again" in caplog.text


def test_a_packet_of_a_broker_that_ignores_the_limit_is_not_read(
    stack: ExitStack, caplog: pytest.LogCaptureFixture
) -> None:
    huge = b"\x30\x80\x80\x80\x30"  # 100 MB, of which some have come
    deaf = stack.enter_context(closing(Deaf(WELCOME + huge + bytes(10_000))))
    linked(stack, BrokerSettings(f"mqtt://127.0.0.1:{deaf.port}"))
    until(lambda: deaf.met > 1, "another try")
    assert "the broker sends a packet of more than 4096 bytes" in caplog.text


def test_a_mistake_of_the_program_ends_one_connection_and_not_the_link(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    announce, mistakes = BrokerLink._announce, [KeyError("tiger")]

    def mistaken(link: BrokerLink, client: Client) -> None:
        if mistakes:
            raise mistakes.pop()
        announce(link, client)

    monkeypatch.setattr(BrokerLink, "_announce", mistaken)
    watching = stack.enter_context(Subscriber(broker))
    linked(stack, broker.settings()).put({"round": "1"}, {})
    watching.expect("yardboard/status", "online")
    watching.expect("yardboard/round", "1")
    assert "KeyError (test_mqtt_publisher.py:" in caplog.text
    assert "tiger" not in caplog.text


@pytest.mark.parametrize("topic", ["homeassistant/status", "yardboard/announce"])
def test_when_home_assistant_starts_or_asks_everything_is_published_again(
    broker: Broker, stack: ExitStack, topic: str
) -> None:
    watching = stack.enter_context(Subscriber(broker))
    link = linked(stack, broker.settings())
    link.put({"round": "3"}, {})
    watching.expect("yardboard/round", "3")

    def announced() -> int:
        return sum(1 for topic, payload, _ in watching.messages if (topic, payload) == ("yardboard/round", "3"))

    until(lambda: CONFIG in watching.newest, "the discovery message")
    seen = announced()
    watching.publish("homeassistant/status", "offline")
    watching.publish(topic, "online")
    until(lambda: announced() > seen, "the state")
    assert announced() == seen + 1


def test_a_flood_of_requests_is_answered_once_in_a_while(
    broker: Broker, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching = stack.enter_context(Subscriber(broker))
    link = linked(stack, broker.settings())
    link.put({"round": "3"}, {})
    watching.expect("yardboard/round", "3")
    until(lambda: CONFIG in watching.newest, "the discovery message")
    monkeypatch.setattr(mqtt_publisher, "AGAIN", 3600.0)
    for _ in range(200):
        watching.publish("yardboard/announce", "again")
    link.put({"round": "4"}, {})
    watching.expect("yardboard/round", "4")
    assert len([1 for topic, *_ in watching.messages if topic == CONFIG]) <= 2


def test_a_huge_message_never_reaches_the_table(broker: Broker, stack: ExitStack) -> None:
    watching = stack.enter_context(Subscriber(broker))
    link = linked(stack, broker.settings())
    link.put({"round": "3"}, {})
    watching.expect("yardboard/round", "3")
    watching.publish("yardboard/announce", b"x" * 5_000_000)
    link.put({"round": "4"}, {})
    watching.expect("yardboard/round", "4")
    assert "offline" not in [payload for topic, payload, _ in watching.messages if topic == "yardboard/status"]


def test_a_table_that_stops_says_so(broker: Broker, stack: ExitStack) -> None:
    watching = stack.enter_context(Subscriber(broker))
    link = BrokerLink(broker.settings())
    watching.expect("yardboard/status", "online")
    link.stop()
    watching.expect("yardboard/status", "offline")


LOGIN = {"username": "table", "password": "tiger lily"}


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Broker]:
    """A broker that lets in the user `table` with the password `tiger lily`, and nobody else."""
    users = tmp_path / "users"
    users.write_text("table:tiger lily\n", encoding="utf-8")
    subprocess.run([mosquitto("mosquitto_passwd"), "-U", users], check=True)
    with Broker(tmp_path, "allow_anonymous false", f"password_file {users}") as running:
        yield running


def test_the_password_is_read_from_its_file(guarded: Broker, stack: ExitStack, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("tiger lily\n", encoding="utf-8")
    link = linked(stack, guarded.settings(user="table", password_file=tmp_path / "password"))
    link.put({"round": "3"}, {})
    watching = stack.enter_context(Subscriber(guarded, **LOGIN))
    watching.expect("yardboard/round", "3")


@pytest.mark.parametrize(
    ("content", "trouble"),
    [
        (b"lion", "the broker refuses the table: "),
        (None, "password: there is no such file; check its name and its folder"),
        (b"\xff", "refuses"),
    ],
)
def test_a_refused_or_missing_password_is_logged_without_it_and_tried_again(
    guarded: Broker, stack: ExitStack, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    content: bytes | None, trouble: str,
) -> None:  # fmt: skip
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    link = linked(stack, guarded.settings(user="table", password_file=tmp_path / "password"))
    link.put({"round": "3"}, {})
    until(lambda: trouble in caplog.text, "the complaint")
    assert "lion" not in caplog.text
    file.write_text("tiger lily", encoding="utf-8")
    watching = stack.enter_context(Subscriber(guarded, **LOGIN))
    watching.expect("yardboard/round", "3")
    assert "tiger" not in caplog.text


def certified(folder: Path, name: str, *signed_by: str | Path) -> None:
    """Write a key and its certificate for this machine, its own authority or signed by one."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "3650"]
    files = ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"]
    address = ["-addext", "subjectAltName=IP:127.0.0.1"] if signed_by else []
    command = ["openssl", "req", "-x509", *key, *files, "-subj", f"/CN={name}", *address, *signed_by]
    subprocess.run(command, check=True, capture_output=True)


# The library leaves the socket of a failed handshake to the garbage collector.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket:pytest.PytestUnraisableExceptionWarning")
def test_an_encrypted_connection_is_made_with_a_broker_whose_certificate_is_known_and_no_other(
    stack: ExitStack, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    certified(tmp_path, "house")
    certified(tmp_path, "broker", "-CA", tmp_path / "house.pem", "-CAkey", tmp_path / "house.key")
    plain = free_port()
    lines = ("allow_anonymous true", f"certfile {tmp_path / 'broker.pem'}", f"keyfile {tmp_path / 'broker.key'}")
    broker = stack.enter_context(Broker(tmp_path, *lines, f"listener {plain} 127.0.0.1"))
    address = f"MQTTS://127.0.0.1:{broker.port}"
    linked(stack, broker.settings(url=address, topic="stranger")).put({"round": "1"}, {})
    until(lambda: "certificate verify failed" in caplog.text, "the refusal")
    linked(stack, broker.settings(url=address, ca_file=tmp_path / "house.pem")).put({"round": "2"}, {})
    broker.port = plain
    watching = stack.enter_context(Subscriber(broker))
    watching.expect("yardboard/round", "2")
    assert not [topic for topic in watching.newest if topic.startswith("stranger")]
