"""From how a machine is and how it should be follow the steps that are missing, and no others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import pytest

from firmware_host.config import shipped_files
from firmware_host.config.loader import Config, load
from firmware_host.config.schema import PlayerSection
from firmware_host.maintenance.install_plan import (
    DROP_INS,
    GAMES,
    PLAYER_SOCKET,
    PLAYER_UNIT,
    RULES,
    SYSUSERS,
    TABLE,
    UNIT,
    WANTED,
    ForeignFile,
    MachineState,
    Remove,
    Run,
    Service,
    SetAside,
    Step,
    Write,
    drop_ins,
    files_left,
    is_ours,
    possible_files,
    service_files,
    sign,
    to_install,
    to_uninstall,
)

PROGRAM = "/srv/yard/bin/yardboard"
TEXT = "# my table\n"


@cache
def build(name: str = "london-spi") -> Config:
    return load(shipped_files.folder() / f"{name}.toml")


def installing(
    found: MachineState, config: Config | None = None, table: str | None = TEXT, *, replaced: bool = False
) -> list[Step]:
    return to_install(found, service_files(config or build(), PROGRAM), table, stamp="now", replace=replaced)


def told(steps: list[Step]) -> list[str]:
    return [" ".join(str(step).split()) for step in steps]


def done(found: MachineState, steps: list[Step]) -> MachineState:
    """The machine after some steps, as a real one would be."""
    files: dict[str, str] = dict(found.files)
    service = found.service or Service()
    for step in steps:
        match step:
            case Write(path, text, _):
                files[path] = text
                service = replace(
                    service, stale=(service.loaded and path.startswith((UNIT, DROP_INS))) or service.stale
                )
                found = replace(found, written=found.written + 1)
            case SetAside(path, _):
                del files[path]
            case Remove(path, _):
                files.pop(path, None)
                found = replace(found, folders=found.folders - {path})
            case Run(words):
                found, service, files = ran(found, service, files, words)
    return replace(found, files=files, service=service)


def ran(
    found: MachineState, service: Service, files: Mapping[str, str], words: tuple[str, ...]
) -> tuple[MachineState, Service, dict[str, str]]:
    match words:
        case ("systemd-sysusers", *_):
            # While a unit with a dynamic user runs, its name is taken.
            made = found.user or not service.active
            found = replace(found, user=made, group=made, member=made)
        case ("udevadm", "trigger"):
            found = replace(found, devices=True)
        case ("systemctl", "daemon-reload"):
            service = replace(service, loaded=UNIT in files, stale=False)
        case ("systemctl", "enable", "--now", _):
            service, files = replace(service, active=True, since=found.written + 1), {**files, WANTED: ""}
        case ("systemctl", "stop", _):
            service = replace(service, active=False)
        case ("systemctl", "restart", _):
            service = replace(service, active=True, since=found.written + 1)
        case ("systemctl", "disable", "--now", _):
            service, files = replace(service, active=False), {p: t for p, t in files.items() if p != WANTED}
        case ("userdel", _):
            found = replace(found, user=False)
        case ("groupdel", "--force", _):
            found = replace(found, group=False)
    return found, service, dict(files)


BARE = MachineState(devices=False)
ALL = [
    f"write {TABLE}",
    f"write {SYSUSERS}",
    f"write {RULES}",
    f"write {UNIT}",
    "run systemd-sysusers yardboard.conf",
    "run udevadm control --reload",
    "run udevadm trigger",
    "run udevadm settle",
    "run systemctl daemon-reload",
    "run systemctl enable --now yardboard",
]


def test_on_a_bare_machine_everything_is_done_the_user_and_the_devices_before_the_service() -> None:
    assert told(installing(BARE)) == ALL


def test_when_all_is_done_nothing_is_left_to_do() -> None:
    assert installing(done(BARE, installing(BARE))) == []


@pytest.mark.parametrize("after", range(len(ALL) + 1))
def test_whoever_is_interrupted_after_any_step_gets_there_the_second_time(after: int) -> None:
    broken_off = done(BARE, installing(BARE)[:after])
    whole = done(broken_off, installing(broken_off))
    complete = done(BARE, installing(BARE))
    assert (whole.files, whole.user, whole.devices) == (complete.files, True, True)
    assert whole.service is not None
    assert (whole.service.active, whole.service.stale, whole.service.loaded) == (True, False, True)
    assert whole.service.since > whole.written - 1
    assert installing(whole) == []


def test_a_configuration_that_changes_is_refused_unless_it_is_to_be_replaced_and_then_kept() -> None:
    complete = done(BARE, installing(BARE))
    with pytest.raises(ForeignFile, match=r"^/etc/yardboard/table\.toml: exists already, and differs"):
        installing(complete, table="# another\n")
    with pytest.raises(
        ForeignFile, match=r"differs from the file of --config: change it there, and run install without"
    ):
        installing(complete, table="# another\n")
    assert told(installing(complete, table="# another\n", replaced=True)) == [
        f"write {TABLE} (the existing file becomes table.toml.now.old)",
        "run systemctl restart yardboard",
    ]


def test_without_a_new_configuration_that_which_is_there_stays() -> None:
    complete = done(BARE, installing(BARE))
    edited = replace(complete, files={**complete.files, TABLE: "# edited\n"}, written=complete.written + 100)
    assert told(installing(edited, table=None)) == ["run systemctl restart yardboard"]


def test_a_unit_with_a_dynamic_user_is_stopped_before_its_own_user_is_made() -> None:
    older = done(BARE, installing(BARE))
    older = replace(older, files={**older.files, UNIT: "[Unit]\n"}, user=False, group=False, member=False)
    steps = installing(older, replaced=True)
    assert told(steps) == [
        f"write {UNIT} (the existing file becomes yardboard.service.now.old)",
        "run systemctl stop yardboard",
        "run systemd-sysusers yardboard.conf",
        "run systemctl daemon-reload",
        "run systemctl enable --now yardboard",
    ]
    for after in range(len(steps) + 1):
        broken_off = done(older, steps[:after])
        whole = done(broken_off, installing(broken_off, replaced=True))
        assert whole.user
        assert whole.service is not None
        assert whole.service.active
        assert installing(whole) == []


def test_a_group_that_its_user_is_not_in_is_joined_without_a_stop() -> None:
    outside = replace(done(BARE, installing(BARE)), member=False)
    assert told(installing(outside)) == ["run systemd-sysusers yardboard.conf"]


def test_what_takes_room_on_the_disk_comes_before_anything_is_taken_away() -> None:
    former = sign("[Service]\n")
    found = replace(
        BARE, files={UNIT: "[Unit]\n", f"{DROP_INS}/pwm.conf": former, f"{DROP_INS}/web.conf": "[Service]\n"}
    )
    kinds = [type(step) for step in installing(found, build("dice-matrix"), replaced=True)]
    assert kinds[:7] == [Write] * 5 + [Remove, SetAside]
    assert Write not in kinds[5:]


def test_a_newer_yardboard_replaces_its_own_files_and_restarts_the_service() -> None:
    older = done(BARE, installing(BARE))
    older = replace(older, files={**older.files, UNIT: sign("[Unit]\n# of an older version\n")})
    assert told(installing(older)) == [
        f"write {UNIT}",
        "run systemctl daemon-reload",
        "run systemctl restart yardboard",
    ]


@pytest.mark.parametrize("path", [SYSUSERS, RULES, UNIT, f"{DROP_INS}/10-web.conf", f"{DROP_INS}/web.conf"])
@pytest.mark.parametrize("text", ["[Unit]\n# by hand\n", sign("[Unit]\n") + "# and a line by hand\n"])
def test_a_file_of_somebody_else_or_changed_by_hand_is_never_written_over(path: str, text: str) -> None:
    found = replace(BARE, files={path: text})
    with pytest.raises(ForeignFile) as refused:
        installing(found)
    assert f"{path}: exists already" in str(refused.value)
    assert "--replace" in str(refused.value)
    name = path.rpartition("/")[2]
    kept = told(installing(found, replaced=True))
    if path.startswith(DROP_INS):  # this configuration needs none
        assert f"rename {path} to {name}.now.old" in kept
    else:
        assert f"write {path} (the existing file becomes {name}.now.old)" in kept
    assert files_left(found) == [path]
    assert to_uninstall(found, purge=False) == []


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
    files = service_files(config, PROGRAM)
    assert [path for path in files if path.startswith(DROP_INS + "/")] == [f"{DROP_INS}/10-{n}.conf" for n in needed]
    assert set(files) <= set(possible_files())


def test_a_table_with_programs_gets_the_units_that_shut_them_in_whoever_sits_there_now() -> None:
    config = replace(build("london-spi"), players={"deep": PlayerSection(command=("sh",))})
    assert drop_ins(config) == ("programs",)
    files = service_files(config, PROGRAM)
    assert {PLAYER_SOCKET, PLAYER_UNIT} <= set(files) <= set(possible_files())
    assert f"ExecStart=-{PROGRAM} seat-program" in files[PLAYER_UNIT]
    assert (
        f"YARDBOARD_PLAYERS={re.findall('ListenStream=(.*)', files[PLAYER_SOCKET])[0]}"
        in files[f"{DROP_INS}/10-programs.conf"]
    )
    with_programs = done(BARE, installing(BARE, config))
    assert told(installing(with_programs, config)) == []
    assert told(installing(with_programs)) == [
        f"remove {PLAYER_SOCKET} (this configuration does not need it)",
        f"remove {PLAYER_UNIT} (this configuration does not need it)",
        f"remove {DROP_INS}/10-programs.conf (this configuration does not need it)",
        "run systemctl stop yardboard-player.socket",
        "run systemctl daemon-reload",
        "run systemctl restart yardboard",
    ]


def test_drop_ins_come_before_those_of_systemctl_edit_and_what_they_were_called_before_goes() -> None:
    with_lamps = done(BARE, installing(BARE, build("dice-matrix")))
    mine = [path for path in with_lamps.files if path.startswith(DROP_INS)]
    assert sorted([*mine, f"{DROP_INS}/override.conf"]) == [*mine, f"{DROP_INS}/override.conf"]
    renamed = {path.replace("10-", ""): text for path, text in with_lamps.files.items()}
    assert told(installing(replace(with_lamps, files=renamed), build("dice-matrix"))) == [
        f"write {DROP_INS}/10-pwm.conf",
        f"remove {DROP_INS}/pwm.conf (this configuration does not need it)",
        "run systemctl daemon-reload",
        "run systemctl restart yardboard",
    ]


def test_the_unit_runs_the_program_that_installs_it_and_every_file_is_known_as_ours() -> None:
    files = service_files(build(), PROGRAM)
    assert files[UNIT].count(f"{PROGRAM} ") == 2
    assert "/opt/yardboard/bin" not in files[UNIT]
    assert all(is_ours(text) for text in files.values())
    assert not any(is_ours(text.replace("yardboard", "backyard", 1)) for text in files.values())


def test_what_was_installed_is_taken_away_again_and_what_people_made_stays() -> None:
    complete = done(BARE, installing(BARE, build("dice-matrix")))
    complete = replace(complete, folders=frozenset({DROP_INS, "/etc/yardboard", GAMES[0]}))
    steps = to_uninstall(complete, purge=False)
    assert told(steps) == [
        "run systemctl disable --now yardboard",
        f"remove {SYSUSERS}",
        f"remove {RULES}",
        f"remove {UNIT}",
        f"remove {DROP_INS}/10-pwm.conf",
        f"remove {DROP_INS}",
        "run systemctl daemon-reload",
        "run udevadm control --reload",
    ]
    bare = done(complete, steps)
    assert (dict(bare.files), bare.user) == ({TABLE: TEXT}, True)
    assert to_uninstall(replace(bare, folders=frozenset()), purge=False) == []


def test_purged_the_configuration_the_games_and_the_user_go_too_and_that_is_said() -> None:
    found = MachineState(files={TABLE: TEXT}, folders=frozenset({"/etc/yardboard", *GAMES}), user=True, group=True)
    assert told(to_uninstall(found, purge=True)) == [
        "remove /etc/yardboard (the table's configuration)",
        f"remove {GAMES[0]} (all games that were played, and the one in play)",
        f"remove {GAMES[1]} (all games that were played, and the one in play)",
        "run groupdel --force yardboard",
        "run userdel yardboard",
    ]
    assert to_uninstall(MachineState(), purge=True) == []


def test_an_image_is_set_up_without_a_service_manager() -> None:
    image = MachineState(service=None, image="/mnt")
    assert told(installing(image))[-2:] == [
        "run systemd-sysusers --root=/mnt yardboard.conf",
        "run systemctl --root=/mnt enable yardboard",
    ]
    there = replace(image, files={WANTED: "", UNIT: sign("")}, user=True, group=True)
    assert told(to_uninstall(there, purge=True)) == [
        "run systemctl --root=/mnt disable yardboard",
        f"remove {UNIT}",
        "run groupdel --prefix=/mnt --force yardboard",
        "run userdel --prefix=/mnt yardboard",
    ]


def test_modem_manager_leaves_the_pico_alone() -> None:
    rules = (shipped_files.service_folder() / "70-yardboard.rules").read_text(encoding="utf-8").splitlines()
    (rule,) = (line for line in rules if "ID_MM_DEVICE_IGNORE" in line)
    assert rule == 'SUBSYSTEM=="usb|tty", ATTRS{idVendor}=="2e8a", ENV{ID_MM_DEVICE_IGNORE}="1"'
    assert (
        rules.index('ACTION=="remove", GOTO="yardboard_end"') < rules.index(rule) < rules.index('LABEL="yardboard_end"')
    )
