"""Every figure of the build guide is what the program makes of the builds, and every choice it offers can be made."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from firmware_host.commissioning.diagrams.lamp_chain import (
    BLOWS,
    feed_wire,
    fuse,
    needs,
    rail_fuse,
    rail_wire,
    strips,
    supply,
)
from firmware_host.commissioning.diagrams.pi_header import leads
from firmware_host.commissioning.diagrams.switch_sheets import INPUTS
from firmware_host.commissioning.wiring_file import with_wirings
from firmware_host.config import section_conflicts
from firmware_host.config.board_layout import BoardLayout, lay_out_board
from firmware_host.config.drivers.buttons_driver import keys_on_pico
from firmware_host.config.loader import Config, load, parse
from firmware_host.config.shipped_files import load_ground
from firmware_host.maker.board_plan import plan_board
from firmware_host.maker.wire_list import SIGNALS, SLACK, reed_and_lamp_metres, wire_list
from hardware.current_limit import CHANNEL, IDLE
from hardware.drivers.neopixels import encode
from hardware.raspberry_pi.config_txt_checks import SPI_BUFFER
from hardware.raspberry_pi.pinout import UART
from hardware.raspberry_pi.power_budget import LAMPS_A_FEED, PULL_UP, RESISTIVITY
from hardware.sim.physics import CAREFUL, ROUGH
from tests.commissioning.fuse_ladder import fault_currents
from tests.docs.pages import ROOT, text_of
from tests.hardware.sim import reed_spacing

BUILDS = ("london-spi", "london-pico", "dice-matrix", "junior-gpio")


def path_of(name: str) -> Path:
    return ROOT / "config" / f"{name}.toml"


@pytest.fixture(scope="module")
def builds() -> dict[str, Config]:
    return {name: load(path_of(name)) for name in BUILDS}


def table(head: str) -> list[list[str]]:
    """The rows of the table whose head begins with these columns."""
    (found,) = re.findall(rf"^\| {re.escape(head)} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text_of("build.md"), re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in found.splitlines()]


def prose() -> str:
    return " ".join(text_of("build.md").split())


def section(head: str) -> str:
    """The text of a section."""
    return text_of("build.md").partition(f"\n## {head}\n")[2].partition("\n## ")[0]


def london() -> BoardLayout:
    return lay_out_board(load_ground("london").board, 24)


def quantity(cell: str) -> int:
    return 0 if cell == "–" else int(cell)


# ---- parts -----------------------------------------------------------------------------------------------------------


def test_the_quantities_of_parts_are_those_of_the_builds(builds: dict[str, Config]) -> None:
    parts = {row[0]: [quantity(cell) for cell in row[2:]] for row in table("part")[:-1]}

    def counted(part: str) -> list[int]:
        (row,) = [numbers for name, numbers in parts.items() if name.startswith(part)]
        return row

    chips = [config.switches.chips if config.switches.driver in ("shift-register", "serial") else 0
             for config in builds.values()]  # fmt: skip
    stations = [len(config.network.stations) for config in builds.values()]
    matrix = [config.switches.driver == "matrix" for config in builds.values()]
    assert counted("reed switch") == stations
    assert counted("74HC165") == chips
    assert counted("resistor network") == [max(0, number - 1) for number in chips]
    assert counted("diode") == [number * has for number, has in zip(stations, matrix, strict=True)]
    assert counted("capacitor 100 nF") == [number + 1 for number in chips]
    assert counted("WS2812B") == [config.layout.lamps for config in builds.values()]
    assert counted("resistor 390") == counted("capacitor 1000 µF") == [1] * 4
    assert counted("resistor 100 Ω") == [2 * bool(number) for number in chips]
    assert counted("resistor 2.2") == [2 * (config.display.bus == "i2c-3") for config in builds.values()]
    assert counted("resistor 4.7") == [
        len(config.switches.columns) * has for config, has in zip(builds.values(), matrix, strict=True)
    ]
    on_pico = [config.switches.driver == "serial" for config in builds.values()]
    assert counted("Raspberry Pi Pico with pins") == on_pico
    assert counted("Raspberry Pi Pico without pins") == [config.handset.driver == "pico" for config in builds.values()]
    assert counted("rotary encoder") == [bool(config.keys.encoder) for config in builds.values()]
    keys = [
        len(config.keys.table) + len(config.keys.handset) + len(keys_on_pico(config.sections))
        for config in builds.values()
    ]
    assert counted("push button") == [
        number - bool(config.keys.encoder) for number, config in zip(keys, builds.values(), strict=True)
    ]


def test_there_is_a_row_for_each_kind_of_screen_and_of_fuse(builds: dict[str, Config]) -> None:
    rows = [row for row in table("part") if row[0].startswith(("OLED", "fuse"))]
    told: list[Counter[tuple[str, ...]]] = [Counter() for _ in BUILDS]
    for row in rows:
        kind = re.findall(r"SS?[DH]\d+|I2C|SPI", row[0].partition("(")[0]) or re.findall(r"[\d.]+ A", row[0])
        for build, cell in enumerate(row[2:]):
            told[build][tuple(kind)] += quantity(cell)
    wanted = [
        Counter(
            [(panel.chip.upper(), panel.bus.partition("-")[0].upper()) for panel in (config.handset, config.display)]
            + [(f"{fuse(config):g} A",)] * needs(config).feeds
            + ([(f"{rail_fuse(config):g} A",)] if needs(config).feeds > 1 else [])
        )
        for config in builds.values()
    ]
    assert [+counts for counts in told] == wanted
    words = section("9. Screens, keys, header")
    assert "GPIO 7, 8 and 9 (CE1, CE0 and MISO of SPI0)" in " ".join(words.split())
    for chip in {name for counts in wanted for name, *bus in counts if bus}:
        assert f"- **{chip}**" in words


def test_the_prices_together_are_the_sum_of_the_parts() -> None:
    *parts, last = table("part")
    for build in range(4):
        sums = [0.0, 0.0]
        for row in parts:
            for end, price in enumerate(row[1].split("–")):
                sums[end] += float(price) * quantity(row[2 + build])
        assert last[2 + build] == f"**{round(sums[0], -1):.0f}–{round(sums[1], -1):.0f}**"


def test_the_choice_tells_each_build_s_stations_and_buses(builds: dict[str, Config]) -> None:
    for row, (name, config) in zip(table("build | game"), builds.items(), strict=True):
        on_spi = config.lamps.driver == "neopixel-spi"
        screens = [
            "USB" if panel.driver == "pico" else panel.bus.partition("-")[0].upper()
            for panel in (config.handset, config.display)
        ]
        assert row[0] == f"`{name}`"
        assert row[2] == str(len(config.network.stations))
        assert row[4:6] == ["SPI" if on_spi else "PWM pin", " and ".join(screens)]
        assert ("no root" in row[6], "as root" in row[6]) == (on_spi, not on_spi)


# ---- distances -------------------------------------------------------------------------------------------------------


def test_the_distances_follow_from_the_map() -> None:
    laid, rows = london(), table("London, board wide")
    assert [row[0] for row in rows] == [f"{width} mm" for width in (500, 600, 680, 800, 900, 1000, 1100)]
    for row in rows:
        width = int(row[0].split()[0])
        places = laid.positions_mm(width)
        ((apart, one, other),) = reed_spacing.closest(places, 1)
        assert (one, other) == (111, 112)
        assert row[1:] == [
            f"{width / laid.network.aspect:.0f} mm",
            f"{apart:.1f} mm",
            f"{apart - CAREFUL.beside[1]:.1f} mm",
            str(len(reed_spacing.nearer_than(places, reed_spacing.isolation_distance(CAREFUL)))),
            str(len(reed_spacing.nearer_than(places, 20))),
        ]


def test_what_is_said_of_reeds_and_pitches_is_what_the_arithmetic_gives(builds: dict[str, Config]) -> None:
    places, text = london().positions_mm(680), prose()
    careful, rough = reed_spacing.isolation_distance(CAREFUL), reed_spacing.isolation_distance(ROUGH)
    assert f"the {CAREFUL.beside[1]:g} mm by which a pawn may stand beside the middle" in text
    assert (
        f"closes at {CAREFUL.reach:g} mm and opens at {CAREFUL.release:g} mm needs stations at least {careful:g} mm"
        in text
    )
    assert f"a board of {reed_spacing.width_for(places, 680, careful):.0f} mm or more" in text
    assert f"opens at {ROUGH.release:g} mm, {100 * ROUGH.spread:.0f} % more or less." in text
    assert f"needs stations {rough:g} mm apart, so a board of" in text
    assert f"so a board of {reed_spacing.width_for(places, 680, rough):.0f} mm." in text
    assert f"the table may ask about {len(reed_spacing.nearer_than(places, 20))} pairs of stations" in text
    for name, words in (
        ("dice-matrix", "places at least {:.1f} mm apart"),
        ("junior-gpio", "at least {:.1f} mm apart"),
    ):
        config = builds[name]
        nearest = reed_spacing.closest(config.layout.positions_mm(config.board.width_mm), 1)[0][0]
        assert words.format(nearest) in text
        assert config.board.width_mm == 400
        assert config.switches.pick_up_mm == 20


def test_the_wires_are_as_long_as_the_board_makes_them(builds: dict[str, Config]) -> None:
    config = builds["london-spi"]
    plan = plan_board(config)
    to_reeds, chain = reed_and_lamp_metres(config, plan)
    wires = [wire for wire in wire_list(config, plan) if wire.end.startswith("reed ")]
    longest = max(math.dist(*wire.way) for wire in wires)
    by_number = with_wirings(
        path_of("london-spi").read_text(encoding="utf-8"),
        {
            "switches": {station: station for station in config.layout.stations},
            "lamps": {station: station - 1 for station in config.layout.stations},
            "log": {window: 198 + window for window in range(1, 25)},
        },
    )
    long_reeds, long_chain = reed_and_lamp_metres(parse(by_number, "", folder=ROOT / "config"), plan)
    width = config.board.width_mm
    assert f"on a board of {width} mm all wires from the chips to the reeds are {to_reeds:.1f} m long" in prose()
    assert f"and the longest is {longest:.0f} mm. If the chain followed the stations' numbers," in prose()
    assert f"the reeds' wires would be {long_reeds:.1f} m long" in prose()
    cut = sum(wire.length for wire in wire_list(config, plan) if wire.end.startswith("reed ")) / 1000
    assert f"The wire that you cut is longer, {cut:.1f} m in `wires.csv`." in prose()
    assert f"each wire is cut {SLACK:.0f} mm longer than the distance" in prose()
    assert (
        f"On a London board of {width} mm the chain of lamps, with those of the log, is {chain:.1f} m long." in prose()
    )
    assert f"In the order of the stations' numbers the chain would be {long_chain:.1f} m long" in prose()

    first, *others = zip(INPUTS, SIGNALS, strict=True)
    colours = [f"{first[0]} is {first[1]}", *(f"{pin} {colour}" for pin, colour in others)]
    assert f"At each chip, input {', '.join(colours)}." in prose()

    # Drawn evenly along the lamps of a feed, there and back, the current loses half as much as at their end.
    (strip,) = strips(config)
    fed = [place for place, lamp in enumerate(strip) if lamp.fed]
    most = max(after - before for before, after in pairwise([*fed, len(strip)]))
    amps = most * (IDLE + 3 * CHANNEL) / 1000
    assert f"Each feed point in London supplies at most {most} lamps, which take {amps:.1f} A in white" in prose()

    def behind_a_feed(metres: float) -> tuple[float, float]:
        along = metres * most / (config.layout.lamps - 1)
        return along, amps * 2 * along * RESISTIVITY / 0.25 / 2

    along, lost = behind_a_feed(chain)
    assert f"Along {along:.1f} m of wire of 0.25 mm² a current of {amps:.1f} A loses {lost:.2f} V." in prose()
    along, lost = behind_a_feed(long_chain)
    assert f"the loss along {along:.1f} m would still be only {lost:.2f} V" in prose()


# ---- power -----------------------------------------------------------------------------------------------------------


def test_the_power_is_what_the_arithmetic_gives(builds: dict[str, Config]) -> None:
    for row, (name, config) in zip(table("build | lamps"), builds.items(), strict=True):
        sums = needs(config)
        points = "1 point" if sums.feeds == 1 else f"{sums.feeds} points"
        assert row == [
            f"`{name}`",
            str(config.layout.lamps),
            f"{sums.idle:.0f} mA",
            f"{sums.typical:.0f} mA",
            f"{sums.white / 1000:.1f} A",
            f"{config.lamps.max_milliamps} mA",
            f"{supply(config):g} A",
            f"{max(sums.supply, supply(config)):g} A",
            points,
            f"{fuse(config):g} A",
            f"{feed_wire(config):g} mm²",
            f"{rail_wire(config):g} mm²",
        ]


def test_the_supplies_blow_the_fuses_and_what_the_lamps_alone_need_is_told_besides(builds: dict[str, Config]) -> None:
    assert f"at {BLOWS:g} times its rating" in prose()
    for config in builds.values():
        assert supply(config) >= BLOWS * fuse(config)
    uncut = fault_currents(builds["london-spi"], cut=False)
    assert f"would bear {min(uncut):.1f} to {max(uncut):.1f} times its rating" in prose()
    limit = supply(builds["london-spi"]) / fuse(builds["london-spi"])
    assert f"the fuse of the feed bears {limit:.1f} times its rating" in prose()
    london, dice, junior = (f"{needs(builds[name]).lamp_supply:g} A in" for name in BUILDS[1:])
    assert f"asks for {london} London, {dice} `dice-matrix` and {junior} `junior-gpio`" in prose()


def test_every_place_says_the_same_of_where_power_is_fed_in(builds: dict[str, Config]) -> None:
    assert f"at one point for every {LAMPS_A_FEED} lamps or part of {LAMPS_A_FEED}" in prose()
    for config in builds.values():
        for strip in strips(config):
            fed = [place for place, lamp in enumerate(strip) if lamp.fed]
            assert max(after - before for before, after in pairwise([*fed, len(strip)])) <= LAMPS_A_FEED
    measured = section("10. Solder, and measure")
    with_dark_lamps, _, shining = measured.partition("selftest table.toml --lamps")
    assert "last lamp" not in with_dark_lamps
    assert "measure 5 V at the **last lamp**" in shining


def test_the_current_of_the_reeds_is_that_of_their_pull_ups() -> None:
    assert f"takes {PULL_UP:g} mA; all 199 together would take {199 * PULL_UP:.0f} mA" in prose()


# ---- the program ----------------------------------------------------------------------------------------------------


def test_the_sections_come_in_the_order_in_which_they_are_done() -> None:
    heads = re.findall(r"^## (.+)$", text_of("build.md"), re.MULTILINE)
    assert heads[-6:] == [
        "7. Settings of the Pi",
        "8. The program",
        "9. Screens, keys, header",
        "10. Solder, and measure",
        "11. The Pico",
        "12. Into service",
    ]
    assert [head.partition(".")[0] for head in heads] == [str(number) for number in range(1, 13)]
    for words, number in re.findall(r"\[(section (\d+))\]", text_of("build.md")):
        assert 1 <= int(number) <= 12, words
    assert text_of("build.md").index("pip install '.[pi]'") < text_of("build.md").index("yardboard firmware install")


def test_what_is_installed_comes_from_the_checkout() -> None:
    page = text_of("build.md")
    for text in (page, (ROOT / "systemd" / "README.md").read_text(encoding="utf-8")):
        assert "yardboard[" not in text
        assert "`sudo apt install python3-dev gcc`" in text
    assert "sudo apt install python3-venv\n" in page
    assert "--system-site-packages" in page


def test_the_service_gets_the_maker_s_own_file_and_keeps_its_games_where_is_said() -> None:
    text = (ROOT / "systemd" / "README.md").read_text(encoding="utf-8")
    assert "yardboard setup --config table.toml" in text
    assert "--config config/" not in text
    unit, drop_in = ((ROOT / "systemd" / name).read_text() for name in ("yardboard.service", "pwm.conf"))
    # systemd.exec(5), StateDirectory: with a dynamic user the folder would lie in /var/lib/private.
    assert ("User=yardboard\n" in unit, "User=root\n" in drop_in) == (True, True)
    assert "DynamicUser" not in unit + drop_in
    assert "The journal is in `/var/lib/yardboard`." in text


def test_builds_whose_daemon_is_root_have_their_commands_with_sudo(builds: dict[str, Config]) -> None:
    words = section("12. Into service")
    plain, rooted, _ = (block.splitlines() for block in re.findall(r"```sh\n(.*?)```", words, re.DOTALL))
    assert [line.split("yardboard ", 1)[1] for line in rooted] == [line.split("yardboard ", 1)[1] for line in plain]
    assert all(line.startswith("sudo yardboard ") for line in rooted if "check-config" not in line)
    (named,) = re.findall(r"^Lamps on a PWM pin up to the Pi 4 \((.+)\) need root", words, re.MULTILINE)
    pwm = [name for name, config in builds.items() if config.lamps.driver == "neopixel-pwm"]
    assert named == ", ".join(f"`{name}`" for name in pwm)


def test_learning_begins_again_for_the_files_list_every_station(builds: dict[str, Config]) -> None:
    words = section("12. Into service")
    assert "yardboard wiring learn table.toml --again\n" in words
    assert "yardboard wiring learn table.toml\n" not in words
    for config in builds.values():
        assert set(config.switches.wiring) == set(config.network.stations)


def test_the_serial_console_is_named_for_the_builds_that_use_its_pins(builds: dict[str, Config]) -> None:
    using = [name for name, config in builds.items() if {lead.gpio for lead in leads(config)} & {*UART}]
    listed = " and ".join(", ".join(f"`{name}`" for name in using).rsplit(", ", 1))
    assert f"GPIO 14 and 15 belong to the serial port, and {listed} use" in prose()
    assert "`sudo raspi-config`" in prose()


@pytest.mark.parametrize("name", BUILDS)
def test_comments_on_the_wiring_stay_true_when_it_has_been_learned(name: str) -> None:
    text = path_of(name).read_text(encoding="utf-8")
    for head in ("switches.wiring", "lamps.wiring", "lamps.log"):
        comment = " ".join(re.findall(rf"((?:^#.*\n)+)\[{re.escape(head)}\]", text, re.MULTILINE)[0].split("\n# "))
        assert "s shipped" in comment
        assert "`yardboard wiring learn` may change it" in comment


# ---- settings --------------------------------------------------------------------------------------------------------


def test_the_lines_of_config_txt_are_those_in_the_head_of_each_build() -> None:
    rows = table("line")
    for column, name in enumerate(BUILDS, 1):
        head = path_of(name).read_text(encoding="utf-8").split("\n[game]")[0]
        wanted = re.findall(r"^#   ((?:dtparam|dtoverlay|core_freq)\S*)", head, re.MULTILINE)
        assert sorted(row[0].strip("`") for row in rows if row[column] == "yes") == sorted(wanted)
        assert {row[column] for row in rows} <= {"yes", "–"}


def test_the_spi_buffer_is_large_enough_up_to_the_lamps_that_are_named(builds: dict[str, Config]) -> None:
    config = builds["london-spi"]
    assert f"{max(section_conflicts.longest_transfers(config.sections, config.layout).values()):,} bytes" in prose()
    assert f"takes {SPI_BUFFER:,}" in prose()
    least = next(lamps for lamps in range(1, 1000) if len(encode(bytes(3 * lamps))) > SPI_BUFFER)
    assert f"If a strip has {least} lamps or more" in prose()


def changed(name: str, *changes: tuple[str, str]) -> Config:
    """A build with some of its lines replaced."""
    text = path_of(name).read_text(encoding="utf-8")
    for old, new in changes:
        assert len(re.findall(old, text, re.MULTILINE)) == 1, old
        text = re.sub(old, new, text, flags=re.MULTILINE)
    return parse(text, f"{name}.toml", folder=ROOT / "config")


MODEL_5 = (r'^model = "4"', 'model = "5"')
DISPLAY_5 = (r'^bus = "i2c-3"', 'bus = "i2c-2"')


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("london-spi", (MODEL_5, DISPLAY_5, (r'^spi = "6\.0"', 'spi = "1.0"'))),
        ("london-pico", (MODEL_5,)),
        ("dice-matrix", (MODEL_5, DISPLAY_5)),
        ("junior-gpio", (MODEL_5, DISPLAY_5)),
        ("london-pico", ((r'^model = "4"', 'model = "3"'),)),
        ("london-pico", ((r'^model = "4"', 'model = "zero2"'),)),
    ],
)
def test_another_pi_takes_the_changes_that_are_named_and_the_very_same_wires(
    name: str, changes: tuple[tuple[str, str], ...], builds: dict[str, Config]
) -> None:
    before = {lead.gpio: lead.end for lead in leads(builds[name]) if lead.end}
    after = {lead.gpio: lead.end for lead in leads(changed(name, *changes)) if lead.end}
    assert after == before


def test_what_the_small_pis_lack_is_what_is_said_of_them() -> None:
    for model in ("3", "zero2"):
        with pytest.raises(ValueError, match="has no SPI6"):
            changed("london-spi", (r'^model = "4"', f'model = "{model}"'))
        with pytest.raises(ValueError, match="has no I2C bus 3"):
            changed("junior-gpio", (r'^model = "4"', f'model = "{model}"'))
