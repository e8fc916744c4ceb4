"""Describe the junior game's Small London, at fractions of the board's width and height."""

from __future__ import annotations

from artwork import picture_sights as sights

PICTURES = {
    1: (sights.giraffe, 96, 30),
    2: (sights.balloon, 96, 0),
    3: (sights.clock_tower, 92, 40),
    4: (sights.tent, -120, 60),
    5: (sights.ice_cream, 100, -20),
    6: (sights.duck, -60, 80),
    7: (sights.dinosaur, -90, 85),
    8: (sights.frog, 95, 75),
    9: (sights.wheel, 0, -120),
    10: (sights.castle, -110, 90),
    11: (sights.ship, -80, 100),
    12: (sights.windmill, 100, -40),
    13: (sights.locomotive, 100, -60),
    14: (sights.lighthouse, 130, 30),
}
"""Station -> its picture, and the picture's wanted place, in units from the station."""

REACH = 150.0
"""The largest distance of a picture from its wanted place, in units."""

SIZES = (1.15, 1.05, 0.95, 0.85, 0.75)
"""The scales of a picture, the best first."""

HALF_RIVER = 46.0
"""Half the width of the river, in units."""

TITLE, SUN, COMPASS = (0.62, 0.95), (0.2, 0.2), (0.95, 0.93)
"""The wanted places of the title, of the sun or moon, and of the compass."""

NAME = "LONDON"
