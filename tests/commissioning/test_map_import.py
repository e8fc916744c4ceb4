"""Maps that others have shared become map files, whatever their columns are called, and what was changed is said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_host.config.shipped_files import load_ground
from firmware_host.rules.network import Network
from tests.commands import yardboard

LINKS = [(1, 2, "taxi"), (1, 3, "bus"), (2, 3, "underground"), (1, 4, "taxi"), (3, 4, "boat")]
PLACES = {1: (100, 50), 2: (900, 50), 3: (100, 450), 4: (500, 250)}
STATIONS_CSV = "station,x,y\n" + "".join(f"{n},{x},{y}\n" for n, (x, y) in PLACES.items())
BOTH = [link for a, b, by in LINKS for link in ((a, b, by), (b, a, by))]


def _lists(transport: str, station: int) -> list[int]:
    return [b for a, b, by in BOTH if a == station and by == transport]


OBJECTS = {
    str(n): {"x": x, "y": y, **{by: _lists(by, n) for by in ("taxi", "bus", "underground", "boat") if _lists(by, n)}}
    for n, (x, y) in PLACES.items()
}

LETTERS = {"taxi": "T", "bus": "B", "underground": "M", "boat": "S"}

SHAPES: dict[str, tuple[str, ...]] = {
    "csv": ("from,to,transport\n" + "".join(f"{a},{b},{by}\n" for a, b, by in LINKS), STATIONS_CSV),
    "other names": (
        "Source;Target;Type\n" + "".join(f"{a};{b};{by.upper()}\n" for a, b, by in LINKS),
        "id;x;y;name\n" + "".join(f"{n};{x},0;{y},0;{n}\n" for n, (x, y) in PLACES.items()),
    ),
    "no head, blanks": (
        "".join(f"{a} {b} {by[0].upper() if by != 'boat' else 'ferry'}\n" for a, b, by in LINKS),
        "# places\n" + "".join(f"{n} {x} {y}\n" for n, (x, y) in PLACES.items()),
    ),
    "blanks, and what stops at each station": (
        "".join(f"{a} {b} {by}\n" for a, b, by in LINKS),
        "".join(f"{n} {x} {y} taxi,bus\n" for n, (x, y) in PLACES.items()),
    ),
    "counts, and a list of the stations": (
        f"4 {len(LINKS)}\n1\n2\n3\n4\n" + "".join(f"{a} {b} {by.title()}\n" for a, b, by in LINKS),
        "4\n" + "".join(f"{n} {x} {y}\n" for n, (x, y) in PLACES.items()),
    ),
    "the transport between its stations": (
        "".join(f"{a}\t{LETTERS[by]}\t{b}\n" for a, b, by in LINKS),
        STATIONS_CSV,
    ),
    "lists at each station": (
        "station,x,y,taxi,bus,underground,boat\n"
        + "".join(
            f"{n},{x},{y},"
            + ",".join(" ".join(map(str, _lists(by, n))) for by in ("taxi", "bus", "underground", "boat"))
            + "\n"
            for n, (x, y) in PLACES.items()
        ),
    ),
    "json, two lists": (
        json.dumps(
            {
                "nodes": [{"id": n, "position": {"x": x, "y": y}} for n, (x, y) in PLACES.items()],
                "edges": [{"source": a, "target": b, "type": by} for a, b, by in LINKS],
            }
        ),
    ),
    "json, arrays": (json.dumps(LINKS), json.dumps([[n, x, y] for n, (x, y) in PLACES.items()])),
    "json, stations as keys": (json.dumps(OBJECTS),),
    "json, by transport": (
        json.dumps(
            {by: [[a, b] for a, b, kind in LINKS if kind == by] for by in ("taxi", "bus", "underground", "boat")}
        ),
        json.dumps({str(n): [x, y] for n, (x, y) in PLACES.items()}),
    ),
    "json, neighbours": (
        json.dumps({str(n): [[b, by] for a, b, by in BOTH if a == n] for n in PLACES}),
        STATIONS_CSV,
    ),
    "json, keys of several words": (
        json.dumps(
            [
                {
                    "number": n,
                    "stationType": "Taxi",
                    "blackStation": False,
                    "neighbourTaxis": _lists("taxi", n),
                    "busNeighbours": _lists("bus", n),
                    "underground_links": _lists("underground", n),
                    "boatConnections": _lists("boat", n),
                    "guiCoordinates": {"x": x, "y": y},
                    "tuiCoordinates": {"x": x // 10, "y": y // 10},
                }
                for n, (x, y) in PLACES.items()
            ]
        ),
    ),
    "json, links within": (
        json.dumps(
            [
                {"number": n, "at": [x, y], "connections": [{"to": b, "by": by} for a, b, by in BOTH if a == n]}
                for n, (x, y) in PLACES.items()
            ]
        ),
    ),
}


def imported(folder: Path, *texts: str, more: tuple[str, ...] = (), status: int = 0) -> tuple[str, str]:
    """What the command says, on standard output and as errors, of some files."""
    words = []
    for number, text in enumerate(texts):
        (folder / f"part{number}.txt").write_text(text, encoding="utf-8")
        words += ["--from", f"part{number}.txt"]
    done = yardboard("config", "map", *words, *more, "mine.toml", folder=folder, status=status)
    return done.stdout, done.stderr


def read(folder: Path) -> Network:
    ground = load_ground("mine.toml", folder)
    assert isinstance(ground, Network)
    return ground


@pytest.mark.parametrize("shape", SHAPES)
def test_every_common_shape_gives_the_same_map(shape: str, tmp_path: Path) -> None:
    said, _ = imported(tmp_path, *SHAPES[shape])
    network = read(tmp_path)
    assert {(link.a, link.b, link.transport) for link in network.links} == set(LINKS)
    assert {n: (s.x, s.y) for n, s in network.stations.items()} == {
        1: (0.1, 0.1), 2: (0.9, 0.1), 3: (0.1, 0.9), 4: (0.5, 0.5)
    }  # fmt: skip
    assert network.aspect == 2.0
    assert "places are in pixels: scaled from a picture of 1000 by 500, aspect 2\n" in said
    assert said.endswith('Written: mine.toml. Use it: [map] name = "mine.toml"\n')
    assert "one-sided" not in said


def test_a_file_for_each_transport_names_it(tmp_path: Path) -> None:
    words = ["--from", "stations.csv"]
    (tmp_path / "stations.csv").write_text(STATIONS_CSV, encoding="utf-8")
    for by, name in {"taxi": "taxi_map", "bus": "bus", "underground": "metro-links", "boat": "map.ferry"}.items():
        rows = "".join(f"{a} {b}\n" for a, b, kind in LINKS if kind == by)
        (tmp_path / f"{name}.txt").write_text(rows, encoding="utf-8")
        words += ["--from", f"{name}.txt"]
    yardboard("config", "map", *words, "mine.toml", folder=tmp_path)
    assert {(link.a, link.b, link.transport) for link in read(tmp_path).links} == set(LINKS)


def test_links_that_one_station_alone_lists_are_named_and_added(tmp_path: Path) -> None:
    lists = {str(n): [[b, by] for a, b, by in BOTH if a == n and (a, b) != (4, 1)] for n in PLACES}
    said, _ = imported(tmp_path, json.dumps(lists), STATIONS_CSV)
    assert "one-sided: taxi 1-4: only 1 lists it; added to 4\n" in said
    assert len(read(tmp_path).links) == len(LINKS)


def test_a_map_is_compared_with_the_shipped_one_and_takes_from_it_what_it_lacks(tmp_path: Path) -> None:
    london = load_ground("london")
    assert isinstance(london, Network)
    rows = [(link.a, link.b, link.transport) for link in london.links if str(link) != "taxi 1-8"]
    text = "from,to,by\n" + "".join(f"{a},{b},{by}\n" for a, b, by in [*rows, (13, 14, "taxi"), rows[0]])
    said, _ = imported(tmp_path, text)
    assert said.splitlines() == [
        "1 links were listed twice; each is taken once",
        "no file has places: those of london are taken",
        "start_cards: 18 of london are taken; change them if yours differ",
        "missing against london: taxi 1-8",
        "beyond against london: taxi 13-14",
        'Written: mine.toml. Use it: [map] name = "mine.toml"',
    ]
    assert read(tmp_path).aspect == london.aspect
    (tmp_path / "table.toml").write_text('[map]\nname = "mine.toml"\n')
    assert "good: classic" in yardboard("check-config", "table.toml", folder=tmp_path).stdout


def test_places_that_are_shares_stay_and_a_first_line_of_counts_is_left_out(tmp_path: Path) -> None:
    shares = {"aspect_ratio": 1.5, "stations": {str(n): {"x": x / 1000, "y": y / 500} for n, (x, y) in PLACES.items()}}
    rows = "4 5\n" + "".join(f"{a} {b} {by}\n" for a, b, by in LINKS)
    said, _ = imported(tmp_path, rows, json.dumps(shares))
    assert "part0.txt: line 1: 4 5 are taken for counts and left out\n" in said
    network = read(tmp_path)
    assert network.aspect == 1.5
    assert (network.stations[1].x, network.stations[1].y) == (0.1, 0.1)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("von,nach\n1,2\n",), "part0.txt: line 1: unknown columns von, nach; write columns from, to, transport for"),
        (
            ("from,to,by\n1,2,tram\n",),
            "part0.txt: line 2: unknown transport 'tram'; known are taxi, bus, underground, boat",
        ),
        (("from,to,by\n1,two,bus\n",), "part0.txt: line 2: 'two' is not a station; stations are whole numbers"),
        (("from,to,by\n1,1,bus\n",), "part0.txt: line 2: 1 leads to itself; a link joins two different stations"),
        (("from,to,by\n1,2\n",), "part0.txt: line 2: 1, 2 is not a link; write from, to and transport"),
        (
            ("from,to,by\n1,2,bus\n",),
            "the map mine: no file has a place for station 1, 2; add a file",
        ),
        (
            ("from,to,by\n1,2,bus\n", "station,x,y\n1,5,left\n"),
            "part1.txt: line 2: x and y are '5' and 'left'; write two",
        ),
        (("[1,\n2",), "part0.txt: line 2, column 2: is not valid JSON: a comma or a closing bracket is missing"),
        (("[" * 100_000,), "part0.txt: has a number that is too long, or lists that are nested too deep"),
        (("[[1, 2]]",), "part0.txt: entry 1: 1, 2 has 2 values; write columns from, to, transport for links"),
        (('{"a": 1}',), "part0.txt: has neither stations nor links; write columns"),
        (("",), "part0.txt: is empty; write columns"),
    ],
)
def test_what_cannot_be_read_is_named_by_file_and_line_and_nothing_is_written(
    texts: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    said, errors = imported(tmp_path, *texts, status=1)
    assert said == ""
    assert errors.startswith(f"yardboard: {told}".replace("[1, 2, None]", "['1', '2', None]"))
    assert errors.count("\n") == 1
    assert not (tmp_path / "mine.toml").exists()


def test_a_file_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("kept")
    _, errors = imported(tmp_path, *SHAPES["csv"], status=1)
    assert errors == "yardboard: mine.toml: exists already; name another file\n"
    assert (tmp_path / "mine.toml").read_text() == "kept"
