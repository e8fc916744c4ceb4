"""Lay the paths of the picture map: wide enough for a finger, each with its line and a vehicle."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import shapely
from shapely import LineString
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from artwork.flat_shapes import box, disc, path
from artwork.vector_path import Point
from firmware_host.rules.network import Link, Network
from firmware_host.ui.drawing.line_routing import bow

HALF = 17.0
"""Half the width of a path, in units."""

_BENDS = (0.055, -0.055, 0.1, -0.1, 0.015)
_LAYERS = (("boat", ("boat-case", "boat-dots")), ("underground", ("rail-case", "rail")), ("bus", ("lane", "between")),
           ("taxi", ("road-case", "road")))  # fmt: skip


@dataclass(frozen=True)
class Way:
    """A path, or a stretch of water for boats.

    Attributes:
        link: the stations it joins, and the transport.
        course: its middle line.
    """

    link: Link
    course: LineString


def lay_paths(network: Network, places: Mapping[int, Point], river: Sequence[Point]) -> list[Way]:
    """Return the way of every link: boats follow the river, other paths bend to cross few others."""
    stream = LineString(river)
    boats = [link for link in network.links if link.transport == "boat"]
    found = [Way(link, _on_water(stream, places[link.a], places[link.b])) for link in boats]
    for link in sorted(network.links, key=lambda one: math.dist(places[one.a], places[one.b])):
        if link.transport != "boat":
            found.append(Way(link, _bent(link, places, [way.course for way in found])))
    return found


def _on_water(stream: LineString, start: Point, end: Point) -> LineString:
    near, far = sorted(stream.project(shapely.Point(at)) for at in (start, end))
    course = substring(stream, near + 1, far - 1)
    first, last = (start, end) if stream.project(shapely.Point(start)) <= near + 0.01 else (end, start)
    inner = list(course.coords)
    return LineString([first, *inner[2:-2], last])


def _bent(link: Link, places: Mapping[int, Point], others: Sequence[LineString]) -> LineString:
    """Return the bend that crosses the fewest other ways and stays farthest from other stations."""
    a, b = places[link.a], places[link.b]
    strangers = shapely.MultiPoint([at for number, at in places.items() if number not in (link.a, link.b)])
    ends = shapely.MultiPoint([a, b]).buffer(60)

    def merit(course: LineString) -> tuple[float, float]:
        crossed = sum(course.difference(ends).intersects(other.difference(ends)) for other in others)
        near = min((course.difference(ends).distance(other.difference(ends)) for other in others), default=100.0)
        return -crossed, min(60.0, course.distance(strangers) - 40) + min(60.0, near)

    return max((LineString(bow(a, b, bend, 0)) for bend in _BENDS), key=merit)


def draw_paths(ways: Sequence[Way], water: BaseGeometry) -> str:
    """Draw the paths, their bridges over water, and their lines."""
    land = [way for way in ways if way.link.transport != "boat"]
    sand = "".join(_line(way.course) for way in land)
    drawn = [f'<path class="path-edge" d="{sand}"/>', f'<path class="path" d="{sand}"/>']
    for way in land:
        crossed = shapely.get_parts(way.course.intersection(water.buffer(14)))
        drawn += [_bridge(part) for part in crossed if part.geom_type == "LineString" and part.length > 50]
    for transport, layers in _LAYERS:
        lines = "".join(_line(way.course) for way in ways if way.link.transport == transport)
        drawn += [f'<path class="{layer}" d="{lines}"/>' for layer in layers if lines]
    return "".join(drawn)


def _bridge(part: LineString) -> str:
    course = _line(part)
    rails = "".join(
        _line(rail)
        for side in (1, -1)
        for rail in shapely.get_parts(part.offset_curve(side * (HALF + 2)))
        if isinstance(rail, LineString)
    )
    return (
        f'<path class="arch" d="{course}"/><path class="planks" d="{course}"/><path class="plank-lines" d="{course}"/>'
        f'<path class="rails" d="{rails}"/>'
    )


def courses(network: Network, places: Mapping[int, Point], ways: Sequence[Way]) -> str:
    """Return the points of each way between its stations, in the order of the links, for animations."""
    found = {way.link: list(way.course.coords) for way in ways}
    points = []
    for link in network.links:
        course = found[link]
        onward = course[0] == places[link.a]  # boats have the river's direction
        points.append([round(value) for point in course[:: 1 if onward else -1][1:-1] for value in point])
    return f"<metadata>{json.dumps(points, separators=(',', ':'))}</metadata>"


def draw_vehicles(ways: Sequence[Way], clear: BaseGeometry) -> str:
    """Draw a vehicle on each way, near its middle, where it covers no station."""
    drawn = []
    for way in ways:
        for share in (0.5, 0.44, 0.56, 0.38, 0.62):
            at = way.course.interpolate(share, normalized=True)
            if not clear.intersects(shapely.box(at.x - 30, at.y - 32, at.x + 30, at.y + 14)):
                break
        drawn.append((at.y, f'<use href="#v-{way.link.transport}" x="{at.x:.1f}" y="{at.y:.1f}"/>'))
    return "".join(text for _, text in sorted(drawn))


def vehicles() -> str:
    """Return the vehicles as SVG definitions: the middle of their foot a little below (0, 0)."""
    return "".join(f'<g id="v-{name}">{drawn}</g>' for name, drawn in (
        ("taxi", _taxi()), ("bus", _bus()), ("underground", _train()), ("boat", _boat())))  # fmt: skip


def _wheels(*xs: float) -> str:
    return "".join(disc("black", x, 9, 5.5) + disc("grey bare", x, 9, 2.4) for x in xs)


def _taxi() -> str:
    body = path("taxi-body", "M-26 8V-3Q-26-8-20-8H-16L-10-20H8L16-8H21Q27-7 27-1V8Z")
    glass = path("glass", "M-11-8-7-16H-2V-8ZM2-8V-16H6L11-8Z")
    return body + glass + box("black", -4, -25, 9, 5) + disc("white", 24, 0, 2.5) + _wheels(-15, 15)


def _bus() -> str:
    body = path("bus-body", "M-26 8V-25Q-26-29-22-29H22Q26-29 26-25V8Z")
    glass = path(
        "glass", "M-22-25h9v8h-9ZM-10-25H-1v8h-9ZM2-25h9v8H2ZM14-25h8v8h-8ZM-22-9h9v8h-9ZM-10-9H-1v8h-9ZM2-9h9v8H2Z"
    )
    return body + glass + box("white", 14, -9, 8, 16) + _wheels(-15, 12)


def _train() -> str:
    body = path("train-body", "M-30 8V-10Q-30-20-20-20H14Q30-20 30 0V8Z")
    glass = path("glass", "M-25-14h9v9h-9ZM-12-14h9v9h-9ZM1-14h9v9H1ZM14-14Q23-12 24-5H14Z")
    return body + glass + path("white bare", "M-30 0H29V4H-30Z") + _wheels(-18, 0, 18)


def _boat() -> str:
    hull = path("boat-body", "M-30-4H30Q27 10 18 10H-18Q-28 10-30-4Z")
    house = box("white", -16, -16, 26, 12) + path("glass", "M-12-13h6v6h-6ZM-3-13h6v6h-6Z") + box("red", 0, -26, 8, 10)
    return house + hull + path("wave", "M-34 11q6-5 12 0t12 0 12 0 12 0 12 0 8-1")


def _line(course: LineString) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in course.coords)
