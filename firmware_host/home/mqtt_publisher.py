"""Publish a table to an MQTT broker: the newest payload of each topic, on ticks of the clock.

Two threads meet here. On each tick the table's thread replaces payloads in memory, and never waits. The thread of
`BrokerLink` sends the payloads. At most one payload of each topic waits, even if the broker is slow or away. All states
are sent again after each connection, when Home Assistant starts, and on request.

Messages have quality of service 0. A message is lost only with its connection, and then all states are sent again, but
no event. So the MQTT library needs no queue of its own, which could grow.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from firmware_host.home import home_assistant
from firmware_host.home.home_assistant import ANNOUNCE, STATUS, device_id
from firmware_host.referee.scene import Scene
from firmware_host.system.event_log import describe_error, log_fields
from firmware_host.system.files import read_small_file
from firmware_host.system.language import ENGLISH, in_language
from firmware_host.system.plain_faults import reading_fault

log = logging.getLogger("yardboard")

TICK = 0.5
"""Seconds between two looks at the table."""

AGAIN = 5.0
"""Seconds until a lost or refused connection is tried again, and at least between two requested announcements."""

POLL = 0.25
"""Seconds that the link's thread waits for the network before it looks for new payloads."""

KEEP_ALIVE = 20
"""Seconds of silence after which the table pings the broker. Both sides disconnect after at most twice as long."""

BRIEF = 60.0
"""Seconds within which a connection ends if another table with the same topic takes its place."""

OFTEN_LOST = "each connection is lost at once; two tables at one broker need two topics"
"""The fault that is reported if connections end within `BRIEF` seconds, one after another."""

STALE = 10.0
"""Seconds after which an unsent event is dropped: no automation should act on it an hour later."""

LARGEST = 4096
"""The most bytes of a message that the broker may send here; only `ANNOUNCE` and Home Assistant's start are read."""

ENDING = 1.0
"""The most seconds that `stop` waits until the table has said that it is offline."""


class TopicLink(Protocol):
    """The interface of a connection that sends payloads to the topics of one table."""

    def put(self, states: Mapping[str, str], events: Mapping[str, str]) -> None:
        """Replace the payloads of states and events: topic below the table's topic -> payload. Return at once."""

    def stop(self) -> None:
        """Report that the table is offline, and close the connection. This takes a second at most."""


class TablePublisher:
    """A publisher of one table's public state and events, on ticks of the clock only.

    Args:
        link: receives the payloads.
        now: returns the seconds of a clock.
        language: the language of the payloads for people.
    """

    def __init__(self, link: TopicLink, now: Callable[[], float], language: str) -> None:
        self._link, self._now, self._language = link, now, language
        self._due = now()
        self._scene: Scene | None = None

    def attend(self, read_scene: Callable[[], Scene]) -> None:
        """Publish the table's scene if it has changed and a tick is due. Call this after each pass of the table."""
        now = self._now()
        if now < self._due:
            return
        self._due = TICK * (now // TICK + 1)
        before, scene = self._scene, read_scene()
        if scene == before:
            return
        self._scene = scene
        with in_language(self._language):
            events = {} if before is None else home_assistant.events(before, scene)
            self._link.put(home_assistant.states(scene), events)

    def stop(self) -> None:
        """Report that the table is offline, and close the connection."""
        self._link.stop()


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """The settings of a table's connection to its broker. The configuration's section [mqtt] explains each value.

    Attributes:
        url: the broker's address, which contains no user and no password.
        user: the user's name; "" for none.
        password_file: the file with that user's password alone, or None.
        ca_file: the certificate of the broker's authority, or None for the system's.
        topic: the table's own topic.
        discovery: Home Assistant's topic for discovery; "" for none.
        language: the language of the entities' names in Home Assistant.
    """

    url: str
    user: str = ""
    password_file: Path | None = None
    ca_file: Path | None = None
    topic: str = "yardboard"
    discovery: str = "homeassistant"
    language: str = ENGLISH


class _PacketTooLarge(Exception):
    """The error that the broker sent a packet larger than `LARGEST`, although it knows this limit."""


class _LimitedClient(Client):
    """A client that refuses a packet above its limit before it reads the packet into memory."""

    def _sock_recv(self, bufsize: int) -> bytes:
        if bufsize > LARGEST:  # the library asks for the rest of the packet
            raise _PacketTooLarge
        return super()._sock_recv(bufsize)

    def close(self) -> None:
        """Close the sockets at once, even if the connection ended with an error."""
        self._reset_sockets()


class BrokerLink:
    """The connection of one table to its broker, from its creation to `stop`."""

    def __init__(self, settings: BrokerSettings) -> None:
        self._settings = settings
        self._birth = f"{settings.discovery}/status"
        self._lock = threading.Lock()
        self._states: dict[str, str] = {}
        self._unsent: set[str] = set()
        self._events: dict[str, tuple[str, float]] = {}  # topic -> payload, and until when it is worth sending
        self._welcome: ReasonCode | None = None  # the broker's reply to this connection
        self._asked = False  # whether everything has to be sent again
        self._brief = 0  # how many connections have ended within `BRIEF`, one after another
        self._is_muted = False  # whether `OFTEN_LOST` has been reported, so that no more is logged
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    def put(self, states: Mapping[str, str], events: Mapping[str, str]) -> None:
        """Replace the payloads of topics. Any thread may call it. It never waits for the network."""
        until = time.monotonic() + STALE
        with self._lock:
            self._unsent |= {topic for topic, payload in states.items() if self._states.get(topic) != payload}
            self._states.update(states)
            self._events |= {topic: (payload, until) for topic, payload in events.items()}

    def stop(self) -> None:
        """Report that the table is offline, and close the connection, within `ENDING` seconds."""
        self._ends.set()
        self._thread.join(ENDING)

    # ---- everything below runs on the link's own thread ----

    def _run(self) -> None:
        known = ""
        while not self._ends.is_set():
            trouble, began_at = "the connection is lost", time.monotonic()
            try:
                connected = self._serve_connection()
            except Exception as error:  # noqa: BLE001 - a broker may send the library anything, and the next may be sound
                connected, trouble = False, _reason(error)
            if self._welcome is not None and self._welcome.is_failure:
                connected, trouble = False, f"the broker refuses the table: {self._welcome}"
            self._brief = self._brief + 1 if connected and time.monotonic() < began_at + BRIEF else 0
            trouble = OFTEN_LOST if self._brief > 1 else trouble
            self._is_muted = trouble == known == OFTEN_LOST
            if not self._ends.is_set() and not self._is_muted and (connected or trouble != known):
                log.warning("%s: %s; it is tried again", self._settings.url, trouble, extra=log_fields("mqtt"))
            known = trouble
            self._ends.wait(AGAIN)

    def _serve_connection(self) -> bool:
        """Connect, and send new payloads until the connection ends. Return whether the broker replied to it.

        Raises:
            OSError: the broker cannot be reached, or a file of the section cannot be read.
            _PacketTooLarge: the broker sends too large a packet.
        """
        self._welcome, announced_at = None, float("-inf")
        address = urlsplit(self._settings.url)
        limit = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        limit.MaximumPacketSize = LARGEST
        port = address.port or (8883 if address.scheme == "mqtts" else 1883)
        with closing(self._new_client()) as client:
            client.connect(address.hostname or "", port, KEEP_ALIVE, properties=limit)
            while client.loop(POLL) is MQTTErrorCode.MQTT_ERR_SUCCESS and not self._ends.is_set():
                if not client.is_connected() or client.want_write():  # earlier payloads are still unsent
                    continue
                if self._asked and time.monotonic() >= announced_at + AGAIN:
                    self._asked, announced_at = False, time.monotonic()
                    self._announce(client)
                self._send(client)
            accepted = self._welcome is not None
            self._publish(client, STATUS, "offline")  # does nothing without a connection
            client.disconnect()
        return accepted

    def _new_client(self) -> _LimitedClient:
        settings = self._settings
        client = _LimitedClient(CallbackAPIVersion.VERSION2, device_id(settings.topic), protocol=MQTTv5)
        client.on_connect, client.on_message = self._on_connect, self._on_message
        client.connect_timeout = AGAIN
        client.will_set(f"{settings.topic}/{STATUS}", "offline", retain=True)
        if settings.user:
            file = settings.password_file
            password = None if file is None else read_small_file(file).decode(errors="replace").strip()
            client.username_pw_set(settings.user, password)
        if urlsplit(settings.url).scheme == "mqtts":  # in lower case, even if the configuration has capitals
            if settings.ca_file is not None:
                read_small_file(settings.ca_file)  # its error names the file
            client.tls_set(None if settings.ca_file is None else str(settings.ca_file))
        return client

    def _on_connect(
        self, client: Client, _: object, __: ConnectFlags, reason: ReasonCode, ___: Properties | None
    ) -> None:
        self._welcome = reason
        if not reason.is_failure:
            if not self._is_muted:
                log.info("Connected to %s", self._settings.url, extra=log_fields("mqtt"))
            client.subscribe(f"{self._settings.topic}/{ANNOUNCE}")
            if self._settings.discovery:
                client.subscribe(self._birth)
            self._asked = True

    def _on_message(self, _: Client, __: object, message: MQTTMessage) -> None:
        if message.topic != self._birth or message.payload == b"online":
            self._asked = True

    def _announce(self, client: Client) -> None:
        """Describe the table to Home Assistant, and mark all states as unsent."""
        topic, discovery = self._settings.topic, self._settings.discovery
        if discovery:
            with in_language(self._settings.language):
                described = home_assistant.discovery(topic)
            client.publish(f"{discovery}/device/{device_id(topic)}/config", described, retain=True)
        self._publish(client, STATUS, "online")
        with self._lock:
            self._unsent = set(self._states)

    def _send(self, client: Client) -> None:
        with self._lock:
            states = {topic: self._states[topic] for topic in self._unsent}
            events, self._events = self._events, {}
            self._unsent = set()
        for topic, payload in states.items():
            self._publish(client, topic, payload)
        for topic, (payload, until) in events.items():
            if time.monotonic() < until:
                self._publish(client, topic, payload, retain=False)

    def _publish(self, client: Client, topic: str, payload: str, *, retain: bool = True) -> None:
        client.publish(f"{self._settings.topic}/{topic}", payload, retain=retain)


def _reason(error: Exception) -> str:
    """Return in words why there is no connection, without libraries' texts, which may quote secrets."""
    if isinstance(error, _PacketTooLarge):
        return f"the broker sends a packet of more than {LARGEST} bytes, though the table has forbidden it"
    if isinstance(error, OSError) and error.strerror:
        return reading_fault(error.filename, error) if error.filename else error.strerror
    return describe_error(error)
