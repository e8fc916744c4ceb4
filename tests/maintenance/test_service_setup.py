"""A configuration gets the drop-ins that it needs; files of the administrator's stay; what cannot run is refused."""

from __future__ import annotations

import os
import socket
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, load
from firmware_host.config.schema import PlayerSection
from firmware_host.config.toml_file import ConfigError
from firmware_host.maintenance import service_setup
from firmware_host.maintenance.service_setup import (
    MaintenanceError,
    carry_out,
    drop_ins,
    installed_drop_ins,
    load_for_service,
    page_address,
    plan,
    plan_announcement,
)
from tests.commands import yardboard

LONDON = shipped_files.folder() / "london-spi.toml"


@cache
def build(name: str = "london-spi") -> Config:
    return load(shipped_files.folder() / f"{name}.toml")


@pytest.mark.parametrize(
    ("name", "changes", "needed"),
    [
        ("london-spi", {}, ()),
        ("london-pico", {}, ()),
        ("dice-matrix", {}, ("pwm",)),
        ("junior-gpio", {}, ()),
        ("dice-matrix", {"pi": {"model": "5"}}, ("pio",)),
        ("dice-matrix", {"pi": {"pin_factory": "rpigpio"}}, ("gpiomem", "pwm")),
        ("london-spi", {"pi": {"pin_factory": "rpigpio", "model": "5"}}, ()),
        ("london-spi", {"web": {"serve": True}}, ("web",)),
        ("london-spi", {"mqtt": {"url": "mqtt://homeassistant.local"}}, ("mqtt",)),
        ("london-spi", {"game": {"seats": {"mr_x": "medium", "1": "easy"}}}, ()),
        ("london-spi", {"game": {"seats": {"mr_x": "hard"}}, "web": {"serve": True}}, ("players", "web")),
        ("london-spi", {"game": {"seats": {"detectives": "expert"}}}, ("players",)),
    ],
)
def test_a_configuration_gets_the_drop_ins_that_it_needs_and_no_others(
    name: str, changes: Mapping[str, Mapping[str, object]], needed: tuple[str, ...]
) -> None:
    config: Config = build(name)
    for section, values in changes.items():
        config = replace(config, **{section: replace(config.sections[section], **values)})
    assert drop_ins(config) == needed
    assert all((shipped_files.service_folder() / f"{each}.conf").is_file() for each in needed)


def test_a_table_with_programs_reaches_them_at_the_socket_of_their_unit() -> None:
    config = replace(build(), players={"deep": PlayerSection(command=("sh",))})
    assert drop_ins(config) == ("programs",)
    socket, drop_in = (
        (shipped_files.service_folder() / name).read_text() for name in ("yardboard-player.socket", "programs.conf")
    )
    assert f"YARDBOARD_PLAYERS={socket.partition('ListenStream=')[2].splitlines()[0]}" in drop_in


def done(etc: Path, *names: str) -> list[str]:
    """The names in the drop-ins' folder after a set-up, with what links lead to."""
    for step in plan(names, etc):
        carry_out(step)
    folder = etc / "systemd/system/yardboard.service.d"
    return sorted(
        f"{file.name} -> {file.readlink().name}" if file.is_symlink() else file.name for file in folder.iterdir()
    )


def test_drop_ins_are_linked_once_and_removed_when_they_are_not_needed(tmp_path: Path) -> None:
    assert done(tmp_path, "pwm", "web") == ["10-pwm.conf -> pwm.conf", "10-web.conf -> web.conf"]
    assert plan(["pwm", "web"], tmp_path) == []
    assert installed_drop_ins(tmp_path) == {"pwm", "web"}
    assert done(tmp_path, "web") == ["10-web.conf -> web.conf"]


def test_links_to_another_version_of_the_package_are_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "systemd/system/yardboard.service.d"
    folder.mkdir(parents=True)
    for name in ("pwm", "web"):
        (folder / f"10-{name}.conf").symlink_to(f"/usr/lib/yardboard/lib/python3.11/{name}.conf")
    assert done(tmp_path, "web") == ["10-web.conf -> web.conf"]


def test_drop_ins_of_the_administrator_stay(tmp_path: Path) -> None:
    folder = tmp_path / "systemd/system/yardboard.service.d"
    folder.mkdir(parents=True)
    (folder / "override.conf").write_text("[Service]\nNice=5\n")
    (folder / "10-mine.conf").symlink_to("/etc/mine.conf")
    assert done(tmp_path, "web") == ["10-mine.conf -> mine.conf", "10-web.conf -> web.conf", "override.conf"]
    assert installed_drop_ins(tmp_path) == {"web"}
    (folder / "10-pwm.conf").write_text("[Service]\nNice=5\n")
    with pytest.raises(MaintenanceError, match=r"10-pwm\.conf: exists already and is not the package's; rename it"):
        plan(["pwm"], tmp_path)
    assert done(tmp_path)[1] == "10-pwm.conf"


def announced(etc: Path, **web: object) -> str | None:
    """Avahi's file after a set-up with these keys in `[web]`; None if there is none."""
    config = build()
    for step in plan_announcement(replace(config, web=replace(config.web, **web)), etc):
        carry_out(step)
    file = etc / "avahi/services/yardboard.service"
    return file.read_text() if file.exists() else None


def test_avahi_announces_the_port_of_pages_that_other_machines_can_open(tmp_path: Path) -> None:
    assert announced(tmp_path) is None
    text = announced(tmp_path, serve=True, host="0.0.0.0", port=8200)  # noqa: S104 - nothing listens
    assert text is not None
    services = ET.fromstring(text).iter("service")  # noqa: S314 - our own file
    found = [(service.findtext("type"), service.findtext("port")) for service in services]
    assert found == [("_http._tcp", "8200"), ("_yardboard._tcp", "8200")]
    assert (tmp_path / "avahi/services/yardboard.service").stat().st_mode & 0o777 == 0o644
    config = build()
    web = replace(config.web, serve=True, host="0.0.0.0", port=8200)  # noqa: S104 - nothing listens
    assert plan_announcement(replace(config, web=web), tmp_path) == []
    assert announced(tmp_path, serve=True, host="127.0.0.1") is None


def test_an_announcement_of_the_administrator_stays(tmp_path: Path) -> None:
    own = tmp_path / "avahi/services/yardboard.service"
    own.parent.mkdir(parents=True)
    own.write_text("<service-group/>\n")
    assert announced(tmp_path, serve=True, host="0.0.0.0") == "<service-group/>\n"  # noqa: S104 - nothing listens
    assert announced(tmp_path) == "<service-group/>\n"


@pytest.mark.parametrize("kind", ["empty", "link", "dangling", "folder"])
def test_an_empty_file_a_link_or_a_folder_in_the_announcement_s_place_stays(tmp_path: Path, kind: str) -> None:
    own = tmp_path / "avahi/services/yardboard.service"
    own.parent.mkdir(parents=True)
    if kind == "empty":
        own.touch()
    elif kind == "folder":
        own.mkdir()
    else:
        own.symlink_to("/dev/null" if kind == "link" else "/nonexistent/file")
    before = own.lstat()
    web = replace(build().web, serve=True, host="0.0.0.0")  # noqa: S104 - nothing listens
    assert plan_announcement(replace(build(), web=web), tmp_path) == []
    assert plan_announcement(build(), tmp_path) == []
    assert own.lstat() == before


def test_setup_names_an_address_that_can_be_opened() -> None:
    config = build()
    served = [
        page_address(replace(config, web=replace(config.web, serve=True, host=host)))
        for host in ("0.0.0.0", "127.0.0.1", "::1")  # noqa: S104 - nothing listens
    ]
    assert page_address(config) == ""
    assert served == [f"http://{socket.gethostname()}.local:8199/", "http://127.0.0.1:8199/", "http://[::1]:8199/"]


def test_a_unit_of_yardboard_install_does_not_hide_the_package_s(tmp_path: Path) -> None:
    units = tmp_path / "systemd/system"
    (units / "yardboard.service.d").mkdir(parents=True)
    for file in (units / "yardboard.service", units / "yardboard.service.d/10-web.conf"):
        file.write_text("# yardboard install wrote this file; write changes into a drop-in. 0123\n[Service]\n")
    assert done(tmp_path, "web") == ["10-web.conf -> web.conf", "10-web.conf.old"]
    assert sorted(file.name for file in units.iterdir()) == ["yardboard.service.d", "yardboard.service.old"]


@pytest.fixture
def shut_off() -> Iterator[Path]:
    """A folder that the service does not see (PrivateTmp=yes), wherever tests write otherwise."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


def test_what_the_service_could_not_run_is_refused(tmp_path: Path, shut_off: Path) -> None:
    table = tmp_path / "table.toml"
    text = LONDON.read_text()
    table.write_text("")
    with pytest.raises(ConfigError, match="names no device"):
        load_for_service(table)
    table.write_text(text.replace("[game]", '[journal]\npath = "/srv/games.sqlite"\n\n[game]', 1))
    with pytest.raises(MaintenanceError, match=r"can only write below /var/lib/yardboard, not to /srv/games\.sqlite"):
        load_for_service(table)
    own = shut_off / "own.toml"
    own.write_text((shipped_files.folder() / "maps/london.toml").read_text())
    table.write_text(f'[map]\nname = "{own}"\n\n[switches]\ndriver = "sim"\n')
    with pytest.raises(MaintenanceError, match=r"the service cannot see .*own\.toml; put it beside /etc/yardboard"):
        load_for_service(table)


def test_the_package_s_own_configuration_can_be_run() -> None:
    shipped = Path(__file__).parents[2] / "packaging/table.toml"
    config = load_for_service(shipped)
    assert (config.simulated, config.web.serve, drop_ins(config)) == (True, True, ("web",))


def test_a_configuration_replaces_one_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "table.toml"
    table.write_bytes(b"# M\xfcller's table\n")
    monkeypatch.setattr(service_setup, "TABLE", str(table))
    *_, (what, source, target) = service_setup._plan_table(LONDON)
    assert (what, source, target) == ("copy", LONDON, table)


def test_the_former_configuration_stays_in_place_until_the_new_one_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "table.toml"
    table.write_text("# ours\n")
    monkeypatch.setattr(service_setup, "TABLE", str(table))
    keep, copy = service_setup._plan_table(LONDON)
    carry_out(keep)  # the disk is full before the next step
    assert table.read_text() == "# ours\n"
    carry_out(copy)
    assert table.read_text() == LONDON.read_text()
    (former,) = tmp_path.glob("table.toml.*.old")
    assert former.read_text() == "# ours\n"


def test_a_machine_without_the_service_is_refused_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_setup, "UNIT_FOLDERS", (tmp_path,))
    told = yardboard("setup", "--config", LONDON, "--dry-run", status=1)
    assert told.stdout == ""
    assert "there is no service to set up on this machine" in told.stderr
    assert "sudo apt install ./yardboard_VERSION.deb" in told.stderr


def test_the_command_shows_what_it_would_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "yardboard.service").write_text("[Service]\n")
    monkeypatch.setattr(service_setup, "UNIT_FOLDERS", (tmp_path,))
    said = yardboard("setup", "--config", LONDON, "--dry-run").stdout
    assert f"copy    {LONDON} to /etc/yardboard/table.toml" in said
    if os.geteuid() != 0:
        assert "only root" in yardboard("setup", "--config", LONDON, status=1).stderr


def test_modem_manager_leaves_the_pico_alone() -> None:
    rules = (shipped_files.service_folder() / "70-yardboard.rules").read_text(encoding="utf-8").splitlines()
    (rule,) = (line for line in rules if "ID_MM_DEVICE_IGNORE" in line)
    assert rule == 'SUBSYSTEM=="usb|tty", ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"'
    assert (
        rules.index('ACTION=="remove", GOTO="yardboard_end"') < rules.index(rule) < rules.index('LABEL="yardboard_end"')
    )
