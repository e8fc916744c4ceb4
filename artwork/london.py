"""Describe London: its river, parks and landmarks, at fractions of the board's width and height."""

from __future__ import annotations

from artwork import landmarks
from artwork.city_quarters import BRICK, OFFICES, STUCCO

RIVER_ENTERS = ((0.10, 1.06), (0.155, 1.005), (0.225, 0.972))
"""The river's course before the first of the boats' stations."""

RIVER_THROUGH = (194, 157, 115, 108)
"""The boats' stations, numbered as on the European board, downstream."""

RIVER_LEAVES = ((0.935, 0.547), (1.0, 0.57), (1.06, 0.585))
"""The river's course after the last of them."""

NARROW, WIDE = 24.0, 38.0
"""Half the width of the river at its beginning and its end, in units."""

PARKS = (
    (0.405, 0.05), (0.337, 0.166), (0.13, 0.20), (0.06, 0.545), (0.23, 0.53), (0.245, 0.755), (0.595, 0.14),
    (0.61, 0.835), (0.878, 0.775), (0.45, 0.60), (0.155, 0.985), (0.40, 0.975),
)  # fmt: skip
"""A point in each quarter that is a park."""

PONDS = (
    (((0.075, 0.565), (0.10, 0.54), (0.135, 0.525)), 8.0),
    (((0.19, 0.52), (0.225, 0.525), (0.255, 0.545)), 8.0),
    (((0.365, 0.03), (0.39, 0.045), (0.41, 0.075)), 6.0),
    (((0.43, 0.60), (0.45, 0.605)), 5.0),
)
"""Ponds in parks: their middle lines, and half their width in units."""

LANDMARKS = (
    (landmarks.clock_tower, (0.545, 0.665), 75),
    (landmarks.wheel, (0.605, 0.575), 60),
    (landmarks.cathedral, (0.735, 0.36), 85),
    (landmarks.column, (0.53, 0.49), 70),
    (landmarks.palace, (0.36, 0.575), 95),
    (landmarks.station_halls, (0.50, 0.045), 90),
    (landmarks.zoo, (0.40, 0.03), 80),
    (landmarks.keep, (0.90, 0.44), 90),
    (landmarks.gallery, (0.74, 0.57), 90),
    (landmarks.pagoda, (0.405, 0.955), 60),
    (landmarks.observatory, (0.955, 0.90), 110),
    (landmarks.concert_hall, (0.09, 0.679), 40),
    (landmarks.museum, (0.343, 0.27), 60),
    (landmarks.shard, (0.80, 0.62), 90),
    (landmarks.gherkin, (0.83, 0.33), 90),
)
"""The drawing of each landmark, its wanted place, and its largest distance from it, in units."""

BY_THE_WATER = (landmarks.wheel, landmarks.clock_tower)
"""Landmarks that may stand over the water's edge."""

BRIDGE_TOWERS = (88, 117)
"""The street over the bridge with two towers."""

NAMES = (
    ("MARYLEBONE", (0.25, 0.17)), ("BLOOMSBURY", (0.42, 0.30)), ("ISLINGTON", (0.72, 0.06)),
    ("SHOREDITCH", (0.87, 0.12)), ("CLERKENWELL", (0.62, 0.22)), ("SOHO", (0.40, 0.43)), ("MAYFAIR", (0.27, 0.37)),
    ("PADDINGTON", (0.09, 0.27)), ("BAYSWATER", (0.13, 0.41)), ("HOLBORN", (0.521, 0.30)), ("THE CITY", (0.77, 0.29)),
    ("WHITECHAPEL", (0.91, 0.25)), ("KNIGHTSBRIDGE", (0.165, 0.644)),
    ("KENSINGTON", (0.147, 0.693)), ("CHELSEA", (0.20, 0.84)), ("BELGRAVIA", (0.283, 0.65)),
    ("WESTMINSTER", (0.47, 0.70)), ("PIMLICO", (0.40, 0.79)), ("LAMBETH", (0.63, 0.76)), ("SOUTHWARK", (0.72, 0.66)),
    ("BERMONDSEY", (0.875, 0.645)), ("VAUXHALL", (0.55, 0.91)), ("WALWORTH", (0.73, 0.83)), ("CAMDEN", (0.27, 0.07)),
    ("ST PANCRAS", (0.57, 0.06)), ("WAPPING", (0.945, 0.48)), ("BATTERSEA", (0.33, 0.965)),
    ("ROTHERHITHE", (0.93, 0.715)), ("NEW CROSS", (0.89, 0.88)),
)  # fmt: skip
"""Districts and the wanted places of their names; a name with a break has two rows."""

BUILT = {
    **dict.fromkeys(("THE CITY", "HOLBORN", "WESTMINSTER", "SOUTHWARK", "VAUXHALL", "WAPPING", "ST PANCRAS"), OFFICES),
    **dict.fromkeys(("MAYFAIR", "BELGRAVIA", "KENSINGTON", "PIMLICO", "BAYSWATER", "KNIGHTSBRIDGE"), STUCCO),
    **dict.fromkeys(
        (
            "CAMDEN",
            "SHOREDITCH",
            "WHITECHAPEL",
            "WALWORTH",
            "BATTERSEA",
            "BERMONDSEY",
            "NEW CROSS",
            "ISLINGTON",
            "CHELSEA",
        ),
        BRICK,
    ),
}
"""Districts whose houses are not of stone."""

PARK_NAMES = (
    ("ST JAMES'S", (0.487, 0.60)),
    ("HYDE PARK", (0.22, 0.485)), ("KENSINGTON\nGARDENS", (0.075, 0.59)), ("REGENT'S\nPARK", (0.337, 0.166)),
)  # fmt: skip

RIVER_NAME = ("THAMES", 0.735)
"""The river's name, and its place as a fraction of the course."""

TITLE, COMPASS = (0.60, 0.955), (0.03, 0.92)
"""The wanted places of the title and the compass."""
