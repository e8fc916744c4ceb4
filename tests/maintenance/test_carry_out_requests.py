"""Root carries out what the table asked for, once, and nothing that gives the table's user new rights."""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from firmware_host.config.toml_file import digest
from firmware_host.maintenance import carry_out_requests, request_folder
from firmware_host.maintenance.carry_out_requests import RefusedRequest, RequestHandler
from firmware_host.maintenance.request_folder import KEPT_OUTCOMES, RequestFolder, UntrustedFile
from firmware_host.system import owner_requests
from firmware_host.system.boot_clock import boot_seconds
from firmware_host.system.owner_requests import (
    MOST_BYTES,
    OUTCOME,
    PACKAGES,
    REQUEST,
    VALID_SECONDS,
    AnyRequest,
    ApplyConfiguration,
    PowerOff,
    RequestOutcome,
    RequestState,
    Restart,
    Update,
    is_powering_off,
    post_request,
    read_outcome,
)

OLD = '[switches]\ndriver = "sim"\n[web]\nport = 8199 # our port\n'
NEW = OLD.replace("8199", "8200")
PACKAGE = b"a package"
SUM = hashlib.sha256(PACKAGE).hexdigest()


@dataclass
class FakeMachine:
    """A machine that notes what was done to it."""

    starts: list[bool] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    drop_ins: set[str] = field(default_factory=set)
    look: Callable[[], object] = lambda: None

    def restart_table(self) -> bool:
        self.done.append("restart")
        self.look()
        return self.starts.pop(0) if self.starts else True

    def installed_drop_ins(self) -> set[str]:
        return self.drop_ins

    def power_off(self) -> None:
        self.done.append("power off")
        self.look()

    def update(self, package: str, sha256: str) -> str:
        self.done.append(f"update {Path(package).name} {sha256}")
        if not package.startswith("https://"):
            self.done.append(Path(package).read_text())
        return "Installed."


class House:
    """A folder of requests, a configuration, and root's program."""

    def __init__(self, path: Path) -> None:
        self.home, self.state, self.folder = path, path / "state", path / "state" / "requests"
        self.table, self.scratch = path / "etc" / "table.toml", path / "scratch"
        for folder in (self.state, self.table.parent, self.scratch, self.folder):
            folder.mkdir()
        if os.geteuid() == 0:  # the table's user is another one then
            for folder in (self.state, self.folder):
                os.chown(folder, 65534, 65534)
        self.owner = self.state.stat().st_uid
        self.table.write_text(OLD)
        self.machine = FakeMachine()

    def post(self, request: AnyRequest) -> str:
        return self.own(f"{post_request(self.folder, request)}{REQUEST}").removesuffix(REQUEST)

    def own(self, name: str) -> str:
        """Give a file to the table's user."""
        os.chown(self.folder / name, self.owner, self.folder.stat().st_gid, follow_symlinks=False)
        return name

    def run(self, *, may_update: bool = False) -> None:
        RequestHandler(self.table, self.machine, self.scratch, may_update).handle_all(self.folder)
        assert not [*self.folder.glob(f"*{REQUEST}")]
        assert not [*self.scratch.iterdir()]

    def asked(self, request: AnyRequest, *, may_update: bool = False) -> RequestOutcome:
        name = self.post(request)
        self.run(may_update=may_update)
        return self.outcome(name)

    def apply(self, text: str) -> RequestOutcome:
        """What becomes of a new configuration that was made from the file as it is."""
        return self.asked(ApplyConfiguration(text, digest(self.table.read_text())))

    def outcome(self, name: str) -> RequestOutcome:
        outcome = read_outcome(self.folder, name)
        assert outcome is not None
        return outcome

    def kept(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in self.table.parent.iterdir() if path != self.table}


@pytest.fixture
def house(caplog: pytest.LogCaptureFixture) -> Iterator[House]:
    caplog.set_level(logging.INFO)
    with TemporaryDirectory() as folder:  # pytest's own are for its user alone
        path = Path(folder)
        path.chmod(0o755)
        yield House(path)


NAME = "000000000001-0123456789abcdef"


def link(path: Path) -> None:
    path.symlink_to(path.parent.parent / "goal")


def hard_link(path: Path) -> None:
    path.touch()
    (path.parent.parent / "goal").hardlink_to(path)


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(1 << 40)


def full_folder(path: Path) -> None:
    (path / "a" / "b").mkdir(parents=True)


@pytest.mark.parametrize(
    "make", [link, hard_link, sparse, full_folder, os.mkfifo, Path.mkdir, Path.touch], ids=lambda make: make.__name__
)
@pytest.mark.parametrize("name", [NAME, "x", "../x".replace("/", "\N{DIVISION SLASH}"), "\udcff", f"{NAME}.{NAME}"])
def test_anything_but_a_plain_file_is_refused_logged_and_removed(
    house: House, caplog: pytest.LogCaptureFixture, make: Callable[[Path], object], name: str
) -> None:
    (house.state / "goal").write_text("secret") if make is link else None
    make(house.folder / f"{name}{REQUEST}")
    house.own(f"{name}{REQUEST}")
    house.run()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "A request was refused" in caplog.text
    assert house.machine.done == []
    assert make is not link or (house.state / "goal").read_text() == "secret"


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\0" * 100, b'{"request": {"kind": "shell"}, "boot": "", "posted": 1}', b"x" * (MOST_BYTES + 1)],
    ids=["empty", "half", "zeros", "unknown", "huge"],
)
def test_what_is_no_request_is_refused_logged_and_removed(
    house: House, caplog: pytest.LogCaptureFixture, content: bytes
) -> None:
    (house.folder / f"{NAME}{REQUEST}").write_bytes(content)
    house.own(f"{NAME}{REQUEST}")
    house.run()
    assert "A request was refused" in caplog.text
    assert len(caplog.text) < 500
    assert house.machine.done == []


def test_a_request_of_another_user_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.post(Restart())
    real = os.fstat
    with RequestFolder(house.folder) as requests:
        requests.owner = (house.owner + 1, 0)
        with pytest.raises(UntrustedFile, match="another user"):
            requests.read(requests.names()[0])
    # One who swaps it between the two looks gains nothing: what was opened is looked at.
    monkeypatch.setattr(os, "stat", lambda *_, **__: real(0))
    with RequestFolder(house.folder) as requests, pytest.raises(UntrustedFile):
        requests.read(requests.names()[0])


def test_a_folder_that_is_a_link_or_missing_is_not_looked_into(house: House) -> None:
    house.post(PowerOff())
    house.folder.rename(house.home / "moved")
    house.run()  # there is none
    house.folder.symlink_to(house.home / "moved")
    with pytest.raises(UntrustedFile, match="is a file or a link; it must be a folder"):
        house.run()
    assert house.machine.done == []


def test_a_request_is_removed_before_it_is_carried_out_so_a_power_cut_never_repeats_it(house: House) -> None:
    name = house.post(Restart())
    seen: list[object] = []
    house.machine.look = lambda: seen.append(([*house.folder.glob(f"*{REQUEST}")], house.outcome(name).state))
    house.run()
    house.run()
    assert house.machine.done == ["restart"]
    assert seen == [([], RequestState.BEGUN)]
    assert house.outcome(name).state is RequestState.DONE


def test_the_end_of_the_machine_is_written_before_it_comes(house: House) -> None:
    name = house.post(PowerOff())
    seen: list[RequestState] = []
    house.machine.look = lambda: seen.append(house.outcome(name).state)
    house.run()
    assert (house.machine.done, seen) == (["power off"], [RequestState.DONE])
    assert is_powering_off(house.folder)


def test_a_machine_that_is_not_shut_down_after_all_leaves_no_sign_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        assert is_powering_off(house.folder)
        raise OSError(1, "systemd does not answer")

    house.machine.look = fail
    assert house.asked(PowerOff()).state is RequestState.REFUSED
    assert not is_powering_off(house.folder)
    house.machine.look = lambda: None
    house.asked(PowerOff())
    monkeypatch.setattr(owner_requests, "boot_id", lambda: "the next start")
    assert not is_powering_off(house.folder)


def test_a_request_from_before_this_start_of_the_machine_is_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = house.post(PowerOff())
    monkeypatch.setattr(owner_requests, "boot_id", lambda: "the next start")
    house.run()
    assert house.machine.done == []
    assert "before this machine was started" in house.outcome(name).text
    name = house.post(PowerOff())
    later = boot_seconds() + VALID_SECONDS + 5
    monkeypatch.setattr(owner_requests, "boot_seconds", lambda: later)
    house.run()
    assert house.machine.done == []
    assert house.outcome(name).state is RequestState.REFUSED


def test_requests_are_carried_out_in_the_order_in_which_they_were_posted(house: House) -> None:
    posted: tuple[AnyRequest, ...] = (Restart(), Update("https://a/x.deb", SUM), PowerOff())
    for number, request in enumerate(posted, start=1):
        name = house.post(request)
        (house.folder / f"{name}{REQUEST}").rename(house.folder / f"{number:012d}{name[12:]}{REQUEST}")
    house.run(may_update=True)
    assert house.machine.done == ["restart", f"update x.deb {SUM}", "power off"]


def test_an_outcome_is_the_tables_users_alone_and_old_ones_are_removed(house: House) -> None:
    for _ in range(KEPT_OUTCOMES + 3):
        outcome = house.asked(Restart())
    assert outcome.state is RequestState.DONE
    files = [*house.folder.iterdir()]
    assert len(files) == KEPT_OUTCOMES
    assert {(stat.S_IMODE(file.stat().st_mode), file.stat().st_uid) for file in files} == {(0o600, house.owner)}


@pytest.mark.parametrize("make", [link, Path.mkdir, os.mkfifo], ids=lambda make: make.__name__)
def test_an_outcome_follows_no_link_and_a_user_who_prevents_it_stops_nothing(
    house: House, make: Callable[[Path], object]
) -> None:
    (house.state / "goal").write_text("secret")
    make(house.folder / f"{house.post(Restart())}{OUTCOME}")
    house.run()
    assert house.machine.done == ["restart"]
    assert (house.state / "goal").read_text() == "secret"


# ---- a new configuration ----


def test_a_configuration_is_replaced_and_the_table_restarted(house: House) -> None:
    mode = stat.S_IMODE(house.table.stat().st_mode)
    house.machine.look = lambda: house.machine.done.append(house.table.read_text())
    assert house.apply(NEW).state is RequestState.DONE
    assert house.machine.done == ["restart", NEW]
    assert house.kept() == {"table.toml.1": OLD}
    assert {stat.S_IMODE(file.stat().st_mode) for file in house.table.parent.iterdir()} == {mode}
    assert house.apply(NEW).text == "The configuration is already so."
    assert house.machine.done == ["restart", NEW]


def test_the_last_five_configurations_are_kept(house: House) -> None:
    texts = [OLD.replace("8199", str(port)) for port in range(8201, 8209)]
    for text in texts:
        assert house.apply(text).state is RequestState.DONE
    assert house.kept() == {f"table.toml.{number}": texts[-1 - number] for number in range(1, 6)}


def test_a_configuration_with_mistakes_is_refused_and_every_mistake_is_said(house: House) -> None:
    bad = NEW.replace("8200", "82000") + '[handset]\nprivacy = "none"\n'
    outcome = house.apply(bad)
    assert outcome.state is RequestState.REFUSED
    assert "port" in outcome.text
    assert "privacy" in outcome.text
    for text in ("[web", "", "port = 1"):
        assert not text or house.apply(text).state is RequestState.REFUSED
    assert (house.table.read_text(), house.kept(), house.machine.done) == (OLD, {}, [])


def test_a_configuration_with_which_the_table_does_not_start_is_taken_back(house: House) -> None:
    house.machine.starts = [False, True]
    outcome = house.apply(NEW)
    assert outcome.state is RequestState.REFUSED
    assert "The former configuration is in place again, and the table runs with it" in outcome.text
    assert (house.table.read_text(), house.machine.done) == (OLD, ["restart"] * 2)
    house.machine.starts = [False, False]
    assert "should run with it" in house.apply(NEW).text
    assert (house.table.read_text(), house.kept()) == (OLD, {"table.toml.1": OLD})


LONDON = (Path(__file__).parents[2] / "config" / "london-spi.toml").read_text()


@pytest.mark.parametrize(
    ("added", "complaint"),
    [
        ('[players.own]\ncommand = ["/bin/sh", "-c", "id"]\n', "[players]"),
        ('[journal]\npath = "/etc/cron.d/table"\n', "[journal] path"),
        ('[journal]\npath = "games.sqlite"\n', "[journal] path"),
        ('[game]\nrules = "/etc/shadow.toml"\n', "[game] rules"),
        ('[game]\nrules = "maps/../../shadow.toml"\n', "[game] rules"),
        ('[map]\nname = "/root/map.toml"\n', "[map] name"),
        ('[mqtt]\nurl = "mqtt://a"\npassword_file = "/var/lib/yardboard/journal.sqlite"\n', "[mqtt] password_file"),
        ('[mqtt]\nurl = "mqtt://a"\nuser = "u"\npassword_file = "password"\n', "[mqtt] password_file"),
        ('[game.seats]\nmr_x = "expert"\n', "needs more rights than the service has (players)"),
        ("[pi]\nmodel = 4\n", "[pi]"),
    ],
)
def test_a_request_gives_the_tables_user_no_new_rights(house: House, added: str, complaint: str) -> None:
    outcome = house.apply(OLD + added)
    assert outcome.state is RequestState.REFUSED
    assert complaint in outcome.text
    assert (house.table.read_text(), house.kept(), house.machine.done) == (OLD, {}, [])


SCREENS = '[handset]\ndriver = "oled"\nbus = "spi-0.0"\n[display]\ndriver = "oled"\nbus = "spi-1.0"\n'
OTHER_WIRES = [
    SCREENS.replace("0.0", "x").replace("1.0", "0.0").replace("x", "1.0"), SCREENS.replace('"oled"', '"none"', 1),
    SCREENS + "dc_pin = 5\n", SCREENS + "[keys.handset]\nup = 5\n", SCREENS + "[pi.i2c]\n1 = 3\n", "",
]  # fmt: skip


@pytest.mark.parametrize("wires", OTHER_WIRES)
def test_a_request_exchanges_no_devices_because_the_display_could_show_mister_xs_screen(
    house: House, wires: str
) -> None:
    house.table.write_text(OLD + SCREENS)
    outcome = house.apply(OLD + wires)
    assert outcome.state is RequestState.REFUSED
    assert "it says how devices are wired" in outcome.text
    assert house.machine.done == []


def test_lamps_for_which_the_daemon_would_be_root_are_refused(house: House) -> None:
    spi = LONDON
    assert 'driver = "neopixel-spi"' in spi
    house.table.write_text(spi)
    pwm = spi.replace('driver = "neopixel-spi"', 'driver = "neopixel-pwm"')
    outcome = house.apply(pwm)
    assert outcome.state is RequestState.REFUSED
    assert house.table.read_text() == spi


def test_a_section_that_was_removed_comes_back_while_the_service_still_has_its_drop_in(house: House) -> None:
    web = OLD.replace("[web]\n", "[web]\nserve = true\n")
    house.table.write_text(web)
    assert house.apply(OLD).state is RequestState.DONE
    assert "the service has (web)" in house.apply(web).text, "`yardboard setup` has removed it"
    house.machine.drop_ins = {"mqtt", "web"}
    assert house.apply(web).state is RequestState.DONE


def test_rights_that_root_has_given_already_stay(house: House) -> None:
    own = OLD + '[journal]\npath = "/srv/games.sqlite"\n[players.own]\ncommand = ["/bin/true"]\n'
    house.table.write_text(own)
    assert house.apply(own.replace("8199", "8200")).state is RequestState.DONE


def test_the_password_of_a_broker_goes_to_no_other_broker(house: House) -> None:
    own = OLD + '[mqtt]\nurl = "mqtt://home"\nuser = "u"\npassword_file = "password"\n'
    house.table.write_text(own)
    outcome = house.apply(own.replace("//home", "//mine"))
    assert outcome.text == ("[mqtt] url: is changed on the machine alone while a password is sent there.")
    without = own.replace('password_file = "password"\n', "")
    assert house.apply(without).state is RequestState.DONE
    assert house.apply(without.replace("//home", "//mine")).state is RequestState.DONE
    assert house.apply(own.replace("//home", "//mine")).state is RequestState.REFUSED


@pytest.mark.parametrize("other", ["", 'ca_file = "theirs.pem"\n'])
def test_the_certificate_of_a_broker_that_gets_a_password_is_not_changed(house: House, other: str) -> None:
    own = OLD + '[mqtt]\nurl = "mqtts://home"\nuser = "u"\npassword_file = "password"\nca_file = "ours.pem"\n'
    house.table.write_text(own)
    outcome = house.apply(own.replace('ca_file = "ours.pem"\n', other))
    assert outcome.text == "[mqtt] ca_file: is changed on the machine alone while a password is sent there."


def test_a_configuration_made_from_another_file_is_refused_so_that_nothing_changed_meanwhile_is_lost(
    house: House,
) -> None:
    first, second = (ApplyConfiguration(OLD.replace("8199", port), digest(OLD)) for port in ("8200", "8201"))
    assert house.asked(first).state is RequestState.DONE
    outcome = house.asked(second)
    assert (outcome.state, outcome.text[:31]) == (RequestState.REFUSED, "The file was changed meanwhile.")
    assert house.table.read_text() == first.text


def test_no_file_is_read_for_a_request_that_the_tables_user_may_not_read(house: House) -> None:
    secret = house.table.with_name("secret.toml")
    secret.write_text("password = secret-word\n")
    secret.chmod(0)
    outcome = house.apply(OLD + '[game]\nrules = "secret.toml"\n')
    assert outcome.state is RequestState.REFUSED
    assert "this user may not read it" in outcome.text
    assert "secret-word" not in outcome.text
    assert os.geteuid() == os.getuid()


def test_a_configuration_that_is_a_link_is_left_alone(house: House) -> None:
    house.table.rename(house.home / "own.toml")
    house.table.symlink_to(house.home / "own.toml")
    assert "is not a regular file" in house.apply(NEW).text
    assert (house.home / "own.toml").read_text() == OLD


def test_the_log_quotes_no_text_of_a_request(house: House, caplog: pytest.LogCaptureFixture) -> None:
    house.apply(NEW + 'url = "mqtt://me:secret-word@house"\n')
    house.asked(Update("https://me:secret-word@house/x.deb", SUM))
    (house.folder / f"{NAME}{REQUEST}").write_bytes(b'{"secret-word": 1}')
    house.own(f"{NAME}{REQUEST}")
    house.run()
    assert len(caplog.records) == 3
    assert "secret-word" not in caplog.text


# ---- an update ----


def put_package(house: House, name: str = "new.deb") -> None:
    (house.folder / PACKAGES).mkdir()
    (house.folder / PACKAGES / name).write_bytes(PACKAGE)
    for each in (PACKAGES, f"{PACKAGES}/{name}"):
        house.own(each)


def test_an_update_is_refused_unless_root_allows_it(house: House) -> None:
    put_package(house)
    outcome = house.asked(Update("new.deb", SUM))
    assert outcome.state is RequestState.REFUSED
    assert "sudo touch /etc/yardboard/allow-update-requests" in outcome.text
    assert house.machine.done == []


def test_an_update_installs_roots_own_copy_of_the_package(house: House) -> None:
    put_package(house)
    assert house.asked(Update("new.deb", SUM), may_update=True).text == "Installed."
    assert house.machine.done == [f"update new.deb {SUM}", PACKAGE.decode()]


def test_a_package_that_is_not_what_was_asked_for_is_not_installed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_package(house)
    assert "its SHA-256 must be" in house.asked(Update("new.deb", "0" * 64), may_update=True).text
    assert house.asked(Update("other.deb", SUM), may_update=True).state is RequestState.REFUSED
    (house.folder / PACKAGES / "link.deb").symlink_to(house.folder / PACKAGES / "new.deb")
    assert "is not a regular file" in house.asked(Update("link.deb", SUM), may_update=True).text
    monkeypatch.setattr(request_folder, "LARGEST_PACKAGE", 5)
    assert "at most 5 are allowed" in house.asked(Update("new.deb", SUM), may_update=True).text
    assert house.machine.done == []


def test_an_update_that_fails_says_why(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: str) -> str:
        raise RefusedRequest("The former version runs again.")

    monkeypatch.setattr(house.machine, "update", fail)
    assert house.asked(Update("https://a/x.deb", SUM), may_update=True) == RequestOutcome(
        RequestState.REFUSED, "The former version runs again."
    )


def test_the_command_looks_into_the_services_folder(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = house.post(Restart())
    monkeypatch.setattr(carry_out_requests, "GAMES", str(house.state))
    monkeypatch.setattr(carry_out_requests, "_SystemdMachine", lambda: house.machine)
    carry_out_requests.carry_out_requests.main([], standalone_mode=False)
    assert house.outcome(name).state is RequestState.DONE
    assert "The request restart: done" in capsys.readouterr().err


def test_a_request_that_takes_too_much_memory_is_refused_and_the_next_one_is_carried_out(house: House) -> None:
    def want_too_much() -> None:
        if house.machine.done == ["restart"]:
            raise MemoryError

    house.machine.look = want_too_much
    outcome = house.asked(Restart())
    assert outcome == RequestOutcome(RequestState.REFUSED, "It needs more memory than a request may use.")
    assert house.asked(Restart()).state is RequestState.DONE
