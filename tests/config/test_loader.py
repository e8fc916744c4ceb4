"""A configuration is read strictly: every mistake is named with its place and with what would be right."""

import dataclasses
import gc
import random
import shutil
import tomllib
import weakref
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.commissioning import config_command
from firmware_host.config import allowed_values, loader, shipped_files
from firmware_host.config.loader import ConfigError, load, parse, simulator, summary
from firmware_host.rules.errors import BadSetup
from firmware_host.rules.network import Link
from firmware_host.rules.setup import Wish
from firmware_host.table.playable_games import deal, offers

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = (shipped_files.folder() / "simulator.toml").read_text(encoding="utf-8")


def refused(path):
    with pytest.raises(ConfigError) as caught:
        load(path)
    return list(caught.value.mistakes)


def mistakes(text, folder=None):
    with pytest.raises(ConfigError) as caught:
        parse(text, "yard.toml", folder=folder)
    return list(caught.value.mistakes)


def test_the_mark_that_some_editors_put_at_the_beginning_is_passed_over(tmp_path):
    marked = tmp_path / "yard.toml"
    marked.write_bytes(b"\xef\xbb\xbf[game]\nplayers = 4\n")
    assert load(marked).game.players == 4


def test_an_empty_file_is_the_simulator_with_every_default():
    empty = parse("", "simulator.toml")
    assert empty == dataclasses.replace(simulator(), source="simulator.toml", folder=Path())
    assert (empty.game.players, empty.timing.slide_ms, empty.lamps.brightness) == (0, 600, 0.6)
    assert (len(empty.network.links), empty.layout.lamps) == (467, 223)


def test_maps_of_ones_own_read_again_and_again_leave_nothing_behind(tmp_path):
    shutil.copy(shipped_files.folder() / "maps" / "junior.toml", tmp_path / "mine.toml")
    (tmp_path / "table.toml").write_text('[game]\nrules = "junior"\n[map]\nname = "mine.toml"\n')
    first = weakref.ref(load(tmp_path / "table.toml").network)
    for _ in range(40):
        load(tmp_path / "table.toml")
    gc.collect()
    assert first() is None


def test_the_shipped_example_shows_every_key_that_a_simulated_board_reads():
    shown = {(section, key) for section, keys in tomllib.loads(EXAMPLE).items() for key in keys}
    known = {
        (name, key)
        for name, section in loader.SECTIONS.items()
        for key, what in allowed_values.keys(section).items()
        if not what.only or "sim" in what.only
    }
    assert shown == known


def test_the_reference_explains_every_key_with_its_default():
    for text in (config_command.as_text(), config_command.as_markdown()):
        places = [text.index(f"[{name}]", text.index("[game]")) for name in loader.SECTIONS]
        assert places == sorted(places)
        for section in loader.SECTIONS.values():
            assert all(key.doc in text and key.kind in text for key in allowed_values.keys(section).values())
    assert "  settle_ms: a whole number from 100 to 2000 ms; default 300 ms\n" in config_command.as_text()


def test_the_written_reference_is_fresh():
    written = (DOCS / "configuration.md").read_text(encoding="utf-8")
    assert written == config_command.as_markdown(), "write it anew: make docs"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[gmae]", "[gmae]: unknown section; did you mean [game]?"),
        ("[xyzzy]", "[xyzzy]: unknown section; known are game, map, board"),
        ("players = 4", "players: is outside all sections; it belongs below [game]"),
        ("xyzzy = 4", "xyzzy: is outside all sections; every key belongs below its section"),
        ("game = 4", "[game]: 4 is not a section; write [game] on a line of its own"),
        ("[[game]]\na = true", "[game]: [{ a = true }] is not a section; write [game] on a line of its own"),
        ("game = [[[[[[]]]]]]", "[game]: [[[[...]]]] is not a section; write [game] on a line of its own"),
        ("game = [1, 2, 3, 4, 5, 6, 7]", "[game]: [1, 2, 3, 4, 5, 6, ...] is not a section; write [game] on"),
        ("[game.options.x_fares]\na = 'b'", '[game.options] x_fares: { a = "b" } is not a text'),
        ("[game]\nplayers = [07:32:00]", "[game] players: [07:32:00] is not a whole number"),
        ("[game]\nplyers = 4", "[game] plyers: unknown key; did you mean players?"),
        ("[game]\nbrightness = 0.5", "[game] brightness: unknown key; it belongs below [lamps]"),
        ("[board]\nxyzzy = 1", "[board] xyzzy: unknown key; known are width_mm, language"),
        ("[game]\nplayers = 7", "[game] players: 7 is out of range; write a whole number from 0 to 6 (default 0)"),
        ("[game]\nplayers = -1", "[game] players: -1 is out of range; write a whole number from 0 to 6 (default 0)"),
        ("[game]\nplayers = true", "[game] players: true is not a whole number; write a whole number from 0"),
        ("[game]\nplayers = 5.0", "[game] players: 5.0 is not a whole number"),
        (
            '[game]\nplayers = "5"',
            '[game] players: "5" is in quotes, but a number has none; write a whole number from 0',
        ),
        ('[handset]\naddress = "0x3D"', '[handset] address: "0x3D" is in quotes, but a number has none; write a whole'),
        ("[game]\ntake_back = 1", "[game] take_back: 1 is neither true nor false; write true or false"),
        (
            '[game]\nrules = "clasic"',
            '[game] rules: unknown rules "clasic"; did you mean "classic"?',
        ),
        ('[game]\nrules = "chess"', '[game] rules: unknown rules "chess"; write one of beginners, classic, current'),
        ("[game.options]\nx_fares = 3", "[game] options: x_fares: 3 is neither 'unlimited' nor 'counted'"),
        ("[game]\nowners = 3", "[game] owners: 3 is not a list; write a list of whole numbers from 1 to 5"),
        ("[game]\nowners = [1, true]", "[game] owners: true is not a whole number; write a list of whole"),
        ("[lamps]\nbrightness = nan", "[lamps] brightness: nan is out of range; write a number from 0.05 to 1.0"),
        ("[lamps]\nbrightness = false", "[lamps] brightness: false is not a number"),
        ("[handset]\nblank_after_s = 0", "[handset] blank_after_s: 0 is out of range; write a whole number from 5"),
        ("[handset]\nphone = 1", "[handset] phone: 1 is neither true nor false"),
        (
            "[handset]\nphone = true",
            "[handset] phone: a phone needs the table's pages; write serve = true in [web], or",
        ),
        (
            "[game.seats]\nmr_x = 'person'\n[handset]\ndriver = 'none'",
            '[game] seats: mr_x: "person" needs a handset, and [handset] driver = "none"; write a computer, such as',
        ),
        ("[timing]\nsettle_ms = 99", "[timing] settle_ms: 99 is out of range; write a whole number from 100 to 2000"),
        ("[journal]\npath = 1979-05-27", "[journal] path: 1979-05-27 is not a text; write a text"),
        ("[web]\nserve = 'yes'", '[web] serve: "yes" is neither true nor false'),
        ("[web]\nhost = 'yard.local'", '[web] host: "yard.local" is not an IP address; write an IP address in'),
        (
            '[web]\nnames = ["http://table.lan"]',
            '[web] names: "http://table.lan" is not a host\'s name; write it without http:// and without a port',
        ),
        ('[web]\nnames = ["table.lan:80"]', '[web] names: "table.lan:80" is not a host\'s name'),
        ('[web]\nnames = ["*.lan"]', '[web] names: "*.lan" is not a host\'s name'),
        ('[web]\nnames = ["10.0.0.1"]', '[web] names: "10.0.0.1" is not a host\'s name'),
        ('[web]\nnames = [""]', '[web] names: "" is not a host\'s name'),
        ("[web]\nnames = [7]", "[web] names: 7 is not a host's name"),
        ("[web]\nnames = 'table.lan'", '[web] names: "table.lan" is not a list; write a list of names such as ["'),
        ("[web]\nhost = 127", "[web] host: 127 is not an IP address; write an IP address in quotes, such"),
        (
            "[web]\nmetrics = true",
            "[web] metrics: metrics need the table's pages; write serve = true, or metrics = false",
        ),
        (
            "[mqtt]\nurl = 'homeassistant.local'",
            '[mqtt] url: "homeassistant.local" is not a broker\'s address; write an address such as "mqtt://',
        ),
        ("[mqtt]\nurl = 'http://10.0.0.2'", '[mqtt] url: "http://10.0.0.2" is not a broker\'s address'),
        ("[mqtt]\nurl = 'mqtt://10.0.0.2:70000'", '[mqtt] url: "mqtt://10.0.0.2:70000" is not a broker\'s address'),
        ("[mqtt]\nurl = 'mqtt://10.0.0.2/table'", '[mqtt] url: "mqtt://10.0.0.2/table" is not a broker\'s address'),
        (
            "[mqtt]\nurl = 'mqtt://ada:secret@10.0.0.2'",
            "[mqtt] url: contains a user or a password; write these as user and password_file",
        ),
        (
            "[mqtt]\nurl = 'http://ada:secret@10.0.0.2'",
            '[mqtt] url: "http://…@10.0.0.2" is not a broker\'s address; write an address such as "mqtt://home',
        ),
        ("[mqtt]\npassword_file = 'mqtt'", "[mqtt] password_file: a password needs a user, and user is empty; wri"),
        ("[mqtt]\ntopic = 'yard/#'", '[mqtt] topic: "yard/#" is not a topic; write up to four words'),
        ("[mqtt]\ntopic = ''", '[mqtt] topic: "" is not a topic'),
        ("[mqtt]\ntopic = '/yard'", '[mqtt] topic: "/yard" is not a topic'),
        ("[web]\nport = 65536", "[web] port: 65536 is out of range; write a whole number from 0 to 65535"),
        ("[map]\nadd = 'taxi 13-14'", '[map] add: "taxi 13-14" is not a list; write a list of links such as'),
        ("[map]\nadd = [13]", "[map] add: 13 is not a link; write a list of links such as"),
        ("[map]\nadd = ['rail 1-2']", "[map] add: link 'rail 1-2': unknown transport 'rail'; known are taxi, bus"),
        ("[switches]\nwiring = 3", "[switches] wiring: 3 is not a section; write [switches.wiring] on a line of i"),
        ("[switches.wiring]\nx = 3", '[switches.wiring] x: "x" is not a station; write a whole number from 1 up'),
        (
            "[switches.wiring]\n1 = true",
            "[switches.wiring] 1: true is not a whole number; write a whole number from 0 to",
        ),
        ("[lamps.log]\n1 = -1", "[lamps.log] 1: -1 is out of range; write a whole number from 0 to"),
    ],
)
def test_a_mistake_is_told_with_file_section_key_and_what_would_be_right(text, told):
    (line,) = mistakes(text)
    assert line.startswith(f"yard.toml: {told}")


def test_a_link_with_spaces_around_its_hyphen_is_refused_with_the_right_spelling_alone() -> None:
    (line,) = mistakes("[map]\nadd = ['taxi 13 - 14']")
    assert line == "yard.toml: [map] add: link 'taxi 13 - 14': write it as 'taxi 13-14', with one space and a hyphen"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("add = ['taxi 1-8']\nremove = ['taxi 1-9']", "[map] add: "),
        ("add = ['taxi 1-500']\nremove = ['taxi 1-9']", "[map] add: "),
        ("add = ['taxi 13-15']\nremove = ['taxi 13-14']", "[map] remove: "),
        ("add = ['taxi 13-15']\nremove = ['taxi 1-8', 'taxi 1-9', 'bus 1-58', 'bus 1-46', 'underground 1-46']",
         "[map] remove: "),
    ],
)  # fmt: skip
def test_a_faulty_change_of_the_map_is_reported_at_the_one_key_that_is_wrong(text: str, where: str) -> None:
    (line,) = mistakes(f"[map]\n{text}")
    assert line.startswith(f"yard.toml: {where}london: ")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[game\nplayers = 4", 'line 1, column 6: the heading does not end with "]"; write [section]'),
        ("[game]\nplayers 4", 'line 2, column 9: there is no "=" after the key; write key = value'),
        ("[game]\nrules = classic", 'line 2, column 9: classic has no quotes; write "classic"'),
        ("[game]\ntake_back = yes", 'line 2, column 13: yes has no quotes; write true, or "yes" for a text'),
        ('[game]\nrules = "classic\n', "line 2, column 17: the text has no quote at its end; add the quote"),
        ("[game]\nowners = [1, 2\n\nplayers = 3", 'line 2: the list that begins here (owners) has no "]" at its end'),
        ("[game]\nowners = [1, 2\n[map]", 'line 2: the list that begins here (owners) has no "]" at its end'),
        ("[map]\nadd = [ # ]\n'a]'\n", 'line 2: the list that begins here (add) has no "]" at its end'),
        ("[game]\nowners = [1 2]", "line 2, column 13: there is no comma before 2; write one between two entries"),
        ("[game]\nseats = {red = 1 blue = 2}", "line 2, column 18: there is no comma before blue; write one between"),
        ("[game]\nseats = {", 'line 2: the value in braces that begins here (seats) has no "}" at its end; add it'),
        ('[game]\nrules = """us\n\n', 'line 2: the text that begins here (rules) has no """ at its end; add it'),
        ("[game]\nrules = 'us\n", "line 2: the text that begins here (rules) has no ' at its end; add it"),
        ('[mqtt]\nurl = "home"', '[mqtt] url: "home" is not a broker\'s address; write an address such as "mqtt://'),
        (
            "[mqtt]\nurl = 1",
            '[mqtt] url: 1 is not a text in quotes; write an address such as "mqtt://homeassistant.local"',
        ),
        (
            '[mqtt]\nurl = "mqtt://home"\nca_file = "a.pem"',
            '[mqtt] ca_file: has no effect with url = "mqtt://home"; write mqtts:// there, or leave this key out',
        ),
        ("[game]\nplayers = 4,", 'line 2, column 12: a "," follows after the value; delete it'),
        ("[game]\nplayers = 4 5", "line 2, column 13: 5 follows after the value; write one key on each line"),
        (
            "[board]\nwidth_mm = 680mm",
            'line 2, column 15: 680mm is neither a text nor a number; write "680mm" for a text, or digits with',
        ),
        ("[web]\nhost = 0.0.0.0", 'line 2, column 11: 0.0.0.0 is neither a text nor a number; write "0.0.0.0" for'),
        ("[game]\n= 4", 'line 2, column 1: there is no key before "="; write key = value'),
        ("[game]\nowners = [1,, 2]", 'line 2, column 13: there is no value before ","; write one there'),
        (
            "[game]\nplayers = *",
            "line 2, column 11: * is not a value; write a number, true, false, or a text",
        ),
        ("[mqtt]\nurl = mqtt://home", 'line 2, column 7: mqtt://home has no quotes; write "mqtt://home"'),
        ("[web]\nowner_password = abc", "line 2, column 18: the value has no quotes; write quotes around it"),
        ("[mqtt]\nurl = mqtt://ada:pw@home", "line 2, column 7: the value has no quotes; write quotes around it"),
        ('[game]\nrules = "classic\\us"', "line 2, column 19: the text has a single \\; write \\\\ in its place"),
        ('[map]\nremove = [["taxi 13-14"]]', '[map] remove: ["taxi 13-14"] is a list within the list; leave out its'),
        ("[pi]\nmodel = 4", '[pi] model: 4 has no quotes; write "4"'),
        ("[players.deep]\ncommand = ['sh']\nlevel = 3", "[players.deep] level: unknown key; known are command, ms,"),
        ("[map]\nname = 'table.toml'", "[map] name: table.toml: there is no such file"),
    ],
)
def test_a_common_slip_is_reported_in_plain_words_with_the_right_spelling(text: str, told: str) -> None:
    assert mistakes(text)[0].startswith(f"yard.toml: {told}")


def test_an_unknown_map_of_a_box_is_reported_at_the_rules_and_not_at_the_map(tmp_path: Path) -> None:
    box = (shipped_files.folder() / "editions" / "classic.toml").read_text(encoding="utf-8")
    (tmp_path / "my.toml").write_text(box.replace('"london"', '"lodnon"'), encoding="utf-8")
    (line,) = mistakes('[game]\nrules = "my.toml"', folder=tmp_path)
    assert line == 'yard.toml: [game] rules: my.toml: map: unknown map "lodnon"; did you mean "london"?'


@pytest.mark.parametrize(
    "text",
    [
        "[web]\nnames = ['http://table.fritz.box']",
        "[mqtt]\nurl = 'mqtt://ada@10.0.0.2'",
        "[switches.wiring]\nx = 3",
        "[map]\nadd = ['taxi 13']",
        "[map]\nadd = ['rail 13-14']",
    ],
)
def test_a_message_says_only_once_what_would_be_right(text: str) -> None:
    (line,) = mistakes(text)
    assert line.count("; ") + line.count(": write ") == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "[timing]\nsettle_ms = 700",
            "[timing] slide_ms: 600 ms is less than settle_ms, 700 ms; write slide_ms = 700 or",
        ),
        ("[timing]\nwrong_ms = 5000", "[timing] insist_ms: 4000 ms is less than wrong_ms, 5000 ms"),
        ("[game]\nplayers = 2", "[game] players: 2 is out of range; classic is for 3 to 6"),
        ("[game]\nowners = [1, 2]", "[game] owners: [1, 2]: 2 entries for 4 pawns; write a player's number for each"),
        ("[game]\nowners = [1, 1, 3, 3]", "[game] owners: [1, 1, 3, 3]: write each of the players 1 to 4"),
        ("[map]\nname = 'lodnon'", '[map] name: unknown map "lodnon"; did you mean "london"?'),
        ("[map]\nname = 'no.toml'", "[map] name: no.toml: there is no such file"),
        (
            "[map]\nadd = ['taxi 1-8']",
            "[map] add: london: cannot add taxi 1-8: it exists already; take it out of add",
        ),
        ("[map]\nremove = ['taxi 13-14']", "[map] remove: london: cannot remove taxi 13-14: there is no such"),
        ("[map]\nadd = ['taxi 1-500']", "[map] add: london: taxi 1-500: there is no station 500"),
    ],
)
def test_what_only_shows_against_the_rest_is_told_in_the_same_way(text, told):
    (line,) = mistakes(text)
    assert line.startswith(f"yard.toml: {told}")


@pytest.mark.parametrize(
    ("players", "owners"), [(3, [2, 1, 1, 2]), (4, [1, 3, 2]), (5, [4, 1, 2, 3]), (6, [5, 1, 2, 3, 4])]
)
def test_cl_01_as_many_owners_are_wanted_as_there_are_detective_pawns(players, owners):
    pawns = len(owners)
    read = parse(f"[game]\nplayers = {players}\nowners = {owners}", "yard.toml")
    assert read.game.owners == tuple(owners)
    assert f"{pawns + 1} entries for {pawns}" in mistakes(f"[game]\nplayers={players}\nowners={[*owners, 1]}")[0]


def every(row):
    return f"list every {row}, or none for the usual order"


def test_a_wiring_that_does_not_fit_the_map_is_told_line_by_line():
    assert mistakes("[switches.wiring]\n1 = 7\n2 = 7\n500 = 8\n[lamps.log]\n25 = 3") == [
        "yard.toml: [switches.wiring] 500: there is no such station; the stations are 1 to 199",
        "yard.toml: [switches.wiring] 1 and 2: share input 7; give each station one of its own",
        "yard.toml: [switches.wiring]: no input for station 3, 4, 5, 6, 7, 8 and 191 more; " + every("station"),
        "yard.toml: [lamps.log] 25: there is no such window; the windows are 1 to 24",
        "yard.toml: [lamps.log]: no lamp for window 1, 2, 3, 4, 5, 6 and 18 more; " + every("window"),
    ]


def test_all_mistakes_of_a_file_are_told_together_each_on_a_line_of_its_own():
    text = "[hand]\n[game]\nplayers = 9\n[map]\nadd = ['taxi 1-8']\n[timing]\nsettle_ms = 700\n[lamps.log]\n30 = 1"
    with pytest.raises(ConfigError) as caught:
        parse(text, "yard.toml")
    lines = str(caught.value).splitlines()
    assert lines == list(caught.value.mistakes)
    places = ("[hand]", "[game] players", "[timing] slide_ms", "[map] add", "[lamps.log] 30", "[lamps.log]:")
    assert [place in line for place, line in zip(places, lines, strict=True)] == [True] * 6


def test_a_mistake_is_not_told_a_second_time_by_the_checks_that_follow():
    assert len(mistakes("[timing]\nsettle_ms = 5000\n[game]\nplayers = 9\nowners = [1]")) == 2
    assert len(mistakes("[game.options]\nlog_windows = 99\n[lamps.log]\n30 = 500")) == 3
    assert len(mistakes("[lamps]\nwiring = 3\n[lamps.log]\n1 = 0")) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[game]\nplayers = = 3", 'yard.toml: line 2, column 11: "=" is there twice; write key = value'),
        (
            "[game]\n\nowners = [3,\n",
            'yard.toml: line 3: the list that begins here (owners) has no "]" at its end; add it',
        ),
        (
            "[game]\nplayers = 3\nplayers = 4\n",
            'yard.toml: line 3, column 12: "players" is set twice; keep one of them',
        ),
        ("[map]\nadd = [\n1]\nadd = [\n2,\n]\n", 'yard.toml: line 6, column 2: "add" is set twice; keep one of them'),
        ('[game]\nrules = "us"\nrules.x = 1\n', 'yard.toml: line 3, column 12: "rules" is set twice; keep one of them'),
        ("[game]\nseats = {red = 1, red = 2}\n", 'yard.toml: line 2, column 26: "red" is set twice; keep one of them'),
        ("[game]\n[lamps]\n[game]\n", "yard.toml: line 3, column 6: [game] is there twice; write all its keys below"),
        ("x = " + "[" * 5000, "yard.toml: lists or tables are nested too deeply"),
        ("x = " + "1" * 5000, "yard.toml: is not valid TOML: "),
    ],
)
def test_what_is_no_toml_is_told_with_file_and_line(text, told):
    (line,) = mistakes(text)
    assert line.startswith(told)


def test_a_file_that_cannot_be_read_is_told_by_name(tmp_path):
    (tmp_path / "latin.toml").write_bytes(b"[map]\nname = '\xe9'\n")
    assert refused(tmp_path / "none.toml") == [
        f"{tmp_path / 'none.toml'}: there is no such file; check its name and its folder"
    ]
    assert refused(tmp_path) == [f"{tmp_path}: is a folder; name a file"]
    (line,) = refused(tmp_path / "latin.toml")
    assert line == f"{tmp_path / 'latin.toml'}: line 2: is not UTF-8 text; save it as UTF-8"


def test_a_map_of_ones_own_is_found_beside_the_file(tmp_path):
    (tmp_path / "maps").mkdir()
    original = shipped_files.folder() / "maps" / "london-us.toml"
    (tmp_path / "maps" / "mine.toml").write_bytes(original.read_bytes())
    (tmp_path / "yard.toml").write_text("[map]\nname = 'maps/mine.toml'\n", encoding="utf-8")
    read = load(tmp_path / "yard.toml")
    assert (read.network.name, 200 in read.layout.stations) == ("mine", True)


def test_what_is_wrong_with_a_map_is_told_with_both_files_names(tmp_path):
    (tmp_path / "mine.toml").write_text('title = "Mine"\n', encoding="utf-8")
    told = mistakes("[map]\nname = 'mine.toml'", folder=tmp_path)
    right = "write a section [stations] with a line for each station"
    assert f"yard.toml: [map] name: {tmp_path / 'mine.toml'}: stations: is missing; {right}" in told


def test_ed_02_links_of_the_file_are_in_the_network():
    read = parse("[map]\nadd = ['taxi 14-13']\nremove = ['boat 115-157']", "yard.toml")
    assert Link(13, 14, "taxi") in read.network.links
    assert 115 not in read.network.around(157)
    assert read.map.add == (Link(13, 14, "taxi"),)


def test_the_journal_lies_in_the_state_folder_unless_the_file_says_where(tmp_path):
    plain = parse("", "yard.toml")
    assert plain.journal_file({"STATE_DIRECTORY": "/var/lib/a:/var/lib/b"}) == Path("/var/lib/a/journal.sqlite")
    assert plain.journal_file({}) == Path.home() / ".local/state/yardboard/journal.sqlite"
    assert plain.journal_file({"XDG_STATE_HOME": "/state"}) == Path("/state/yardboard/journal.sqlite")
    assert plain.journal_file({"XDG_STATE_HOME": "no/rule"}) == plain.journal_file({})
    told = parse("[journal]\npath = 'mine.sqlite'", "yard.toml", folder=tmp_path)
    assert told.journal_file({"STATE_DIRECTORY": "/var/lib/a"}) == tmp_path / "mine.sqlite"


VALUES = st.sampled_from(
    [
        "true", "0", "-1", "3", "300", "700", "1e400", "nan", "-0.0", "0.5", '""', '"sim"', '"a\\u0000.toml"',
        "'london-us'", "'.toml'", "'../x.toml'", "[]", "[1, 2, 3, 3]", "[[1]]", "['taxi 13-14', 'taxi 13-14']",
        "['boat 1-99999']", "['taxi 1-8', 'taxi 1-9']", "{}", "{1 = 3}", "{1 = 3, 2 = 3}", "{a = {b = 1}}",
        "0x" + "f" * 9000, "9" * 5000, "2020-01-01", "10:00:00",
    ]
)  # fmt: skip
LINES = [
    (f"[{name}]", key) for name, section in loader.SECTIONS.items() for key in [*allowed_values.keys(section), "x"]
]


@hypothesis.settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(LINES), VALUES), max_size=6))
def test_any_keys_with_any_values_make_a_configuration_or_a_config_error(lines):
    sections = {}
    for (section, key), value in lines:
        sections.setdefault(section, {})[key] = value
    text = "\n".join(
        "\n".join([section, *(f"{key} = {value}" for key, value in keys.items())]) for section, keys in sections.items()
    )
    read_or_refused(text)


def read_or_refused(text):
    try:
        read = parse(text, "yard.toml")
    except ConfigError as error:
        told = error.mistakes
    else:
        assert read.timing.slide_ms >= read.timing.settle_ms
        assert read.layout.lamps >= len(read.network.stations) + read.edition.windows
        return
    assert told
    assert all(line.startswith("yard.toml: ") for line in told)


def test_what_would_only_fail_at_the_table_is_refused_by_the_check_already():
    wires = "\n".join(f"{station} = {station}" for station in range(1, 200))
    assert (
        "a simulated board has no input 199; write 0 to 198, one for each station"
        in mistakes(f"[switches.wiring]\n{wires}")[0]
    )
    lamps = "\n".join(f"{window} = {4000 + window}" for window in range(1, 25))
    assert "draws 4025 mA when dark" in mistakes(f"[lamps.log]\n{lamps}")[0]
    assert mistakes('[journal]\npath = "a\\u0000b"')[0].startswith("yard.toml: [journal] path:")


def test_a_map_with_too_few_start_cards_for_the_players_is_refused(tmp_path):
    (tmp_path / "three.toml").write_text(
        'title = "three"\naspect = 1.0\nstart_cards = [1, 2, 3]\n[stations]\n'
        "1 = { at = [0.1, 0.1], taxi = [2] }\n2 = { at = [0.5, 0.5], taxi = [1, 3] }\n"
        "3 = { at = [0.9, 0.9], taxi = [2] }\n"
    )
    told = mistakes('[map]\nname = "three.toml"', folder=tmp_path)
    (line,) = told
    what = "3 start cards do not suffice for 5 pawns of classic; write 5 or more, or play with fewer players"
    assert line == f"yard.toml: [map] name: three: {what}"


def test_every_line_of_what_keeps_a_game_from_beginning_names_the_map_once(tmp_path):
    (tmp_path / "line.toml").write_text(
        'title = "line"\naspect = 1.0\nstart_cards = []\n[stations]\n'
        "1 = { at = [0.1, 0.1], taxi = [2] }\n2 = { at = [0.5, 0.5], taxi = [1, 3] }\n"
        "3 = { at = [0.9, 0.9], taxi = [2] }\n"
    )
    told = mistakes('[game]\nrules = "junior"\n[map]\nname = "line.toml"', folder=tmp_path)
    where = "yard.toml: [map] name: line: "
    assert told[0] == f"{where}station 2: taxi leads to 1, 3; on a junior map it may lead to one station"
    assert [line.startswith(f"{where}starts: the start of ") for line in told] == [False, True, True, True, True]


def test_an_added_link_that_the_rules_cannot_use_is_told_at_the_key_that_adds_it():
    told = mistakes('[game]\nrules = "junior"\n[map]\nadd = ["taxi 1-2"]')
    station = "taxi leads to {}; on a junior map it may lead to one station"
    assert told == [
        f"yard.toml: [map] add: junior: station 1: {station.format('2, 5')}",
        f"yard.toml: [map] add: junior: station 2: {station.format('1, 6')}",
    ]
    (line,) = mistakes('[map]\nname = "junior"\nadd = ["taxi 1-3"]')
    assert line.startswith("yard.toml: [map] name: ")


@pytest.mark.parametrize(
    ("rules", "name", "right"),
    [("junior", "london", "junior"), ("classic", "junior", "london or london-us"), ("dice", "london", "yardboard")],
)
def test_a_shipped_map_for_other_rules_is_told_once_with_those_that_suit(rules, name, right):
    (line,) = mistakes(f'[game]\nrules = "{rules}"\n[map]\nname = "{name}"')
    assert line == f"yard.toml: [map] name: {name} is not a map for {rules}; write {right}, or delete name"


def test_start_cards_that_may_run_out_are_refused_whatever_a_single_deal_would_draw(tmp_path):
    shipped = (shipped_files.folder() / "editions" / "current.toml").read_text()
    his = "[35, 45, 51, 71, 78, 104, 106, 127, 132, 146, 166, 170, 172]"
    for cards, told in {
        "[13, 26]": "mine: 4 detectives may draw all 2 start cards of mr_x; write more of them",
        "[35, 45, 200]": "mine: start card 200: there is no such station on london; correct it",
    }.items():
        assert his in shipped
        (tmp_path / "mine.toml").write_text(shipped.replace(his, cards))
        (line,) = mistakes('[game]\nrules = "mine.toml"', folder=tmp_path)
        assert line == f"yard.toml: [map] name: london: {told}"


def test_di_06_light_sides_that_the_options_contradict_are_told_as_an_option():
    (line,) = mistakes('[game]\nrules = "dice"\n[game.options]\nlayout = "aBC DEF GHI"')
    assert line.startswith("yard.toml: [game] options: layout: 1 tiles of 'aBC DEF GHI' lie with their light side up")
    assert parse('[game]\nrules = "dice"\n[game.options]\nlayout = "aBC dEF gHI"\nexperts = true', "yard.toml")


@pytest.mark.parametrize("section", ["switches", "lamps", "handset"])
def test_a_mistyped_driver_is_one_mistake_whatever_its_keys_and_wires_are(section):
    text = (shipped_files.folder() / "london-spi.toml").read_text(encoding="utf-8")
    before, after = text.split(f"[{section}]\n", 1)
    told = mistakes(f"{before}[{section}]\n" + after.replace('driver = "', 'driver = "x', 1))
    assert [line.partition(":")[2].split(":")[0].strip() for line in told] == [f"[{section}] driver"]


@pytest.mark.parametrize("seats", ["", "mr_x = 'person'"])
def test_where_mister_x_has_a_phone_no_screen_is_needed_for_a_person(seats: str) -> None:
    config = parse(f"[game.seats]\n{seats}\n[handset]\ndriver = 'none'\nphone = true\n[web]\nserve = true", "x.toml")
    assert summary(config).endswith("shown on 127.0.0.1, port 8199, a phone for Mister X")
    assert config.devices["handset"].driver.absent


FIVE_PLACES = """
title = "Five places"
aspect = 1.0
start_cards = [1, 2, 3, 4, 5]

[stations]
1 = { at = [0.1, 0.1], taxi = [2, 4], bus = [3], name = "Harbour" }
2 = { at = [0.9, 0.1], taxi = [1, 5], underground = [3] }
3 = { at = [0.1, 0.9], taxi = [4], bus = [1], underground = [2] }
4 = { at = [0.5, 0.5], taxi = [1, 3, 5] }
5 = { at = [0.9, 0.9], taxi = [2, 4] }
"""


def test_a_map_is_measured_by_those_who_play_and_the_others_are_refused_at_a_new_game(tmp_path):
    (tmp_path / "five.toml").write_text(FIVE_PLACES)
    config = parse('[game]\nplayers = 4\n[map]\nname = "five.toml"', "yard.toml", folder=tmp_path)
    assert config.network.stations[1].name == "Harbour"
    own = next(offer for offer in offers(config) if offer.rules == "classic")
    assert own.players == (5, 3, 4)
    with pytest.raises(
        BadSetup, match=r"5 start cards do not suffice for 6 pawns of classic; write 6 or more, or play with fewer"
    ):
        deal(config, "", Wish(players=6), random.Random(1))
    told = mistakes('[game]\nplayers = 6\n[map]\nname = "five.toml"', folder=tmp_path)
    (line,) = told
    what = "5 start cards do not suffice for 6 pawns of classic; write 6 or more, or play with fewer players"
    assert line == f"yard.toml: [map] name: five: {what}"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("driver = “sim”", '“ is a curly quote: write " in its place'),
        ('driver = "sim”', '” is a curly quote: write " in its place'),
        ("driver = ‘sim’", "‘ is a curly quote: write ' in its place"),
        ("gamma = 2,2", "2,2 has a decimal comma: write 2.2"),
        ("gamma = 2,2  # „as told“", "2,2 has a decimal comma: write 2.2"),
        ("gamma = 1.002,2", "1.002,2 has commas between its digits: write 1002.2"),
        ("max_milliamps = 3,000", "3,000 has a decimal comma: write 3.000 or 3000"),
        ("max_milliamps = 1,000,000", "1,000,000 has commas between its digits: write 1000000"),
        ("\0\0\0\0", "holds zero bytes, as a power cut can leave them; put your copy of the file in its place"),
        ("gamma\u00a0= 2.2", "U+00A0 is a space of another kind: write a plain space in its place"),
        ("gamma = –2.2", "– is a dash: write - in its place"),
        (
            'driver = "it’s" x',
            "x follows after the value; write one key on each line",
        ),
    ],
)
def test_what_phones_and_word_processors_type_is_named_by_its_line(line, told):
    (told_of,) = mistakes(f"[lamps]\n{line}\n")
    assert told_of.startswith("yard.toml: line 2, column ")
    assert told_of.endswith(f": {told}")


def test_curly_quotes_within_a_text_are_no_mistake():
    assert parse('[game.names]\nmr_x = "“Ada”"', "yard.toml").game.names == {"mr_x": "“Ada”"}


def test_decimal_commas_of_a_station_are_named(tmp_path):
    (tmp_path / "five.toml").write_text(FIVE_PLACES.replace("[0.5, 0.5]", "[0,5, 0,5]"))
    told = mistakes('[map]\nname = "five.toml"', folder=tmp_path)
    assert any("station 4: at: [0, 5, 0, 5] has decimal commas: write [0.5, 0.5]" in line for line in told)


@pytest.mark.parametrize("order", ["GRBW", "RGBW", "wrgb"])
def test_lamps_of_four_colours_are_refused_by_name(order):
    (told,) = mistakes(f'[lamps]\ndriver = "neopixel-spi"\norder = "{order}"')
    assert "has four letters: lamps with a white channel (SK6812 RGBW) do not work here" in told


def test_only_an_sh1106_has_columns_beyond_its_glass():
    text = (shipped_files.folder() / "london-spi.toml").read_text(encoding="utf-8")
    (told,) = mistakes(text.replace('chip = "ssd1309"', 'chip = "ssd1309"\nfirst_column = 0'))
    assert told.startswith("yard.toml: [display] first_column: no column of an SSD1309 is beyond its glass")
    text = (shipped_files.folder() / "london-pico.toml").read_text(encoding="utf-8")
    assert parse(text.replace('chip = "sh1106"', 'chip = "sh1106"\nfirst_column = 0'), "x").display.first_column == 0


def test_names_of_the_pages_are_kept_as_browsers_send_them() -> None:
    config = parse('[web]\nnames = ["Table.Fritz.Box", "gr\u00fcn.example.", "scotland-yard"]', "table.toml")
    assert config.web.names == ("table.fritz.box", "xn--grn-ioa.example", "scotland-yard")
