"""The rides over tiles once more, slowly and plainly, straight from what stands in the file of a tile set.

It looks along the four directions one by one and reads each street's word where it comes to it. It shares nothing
with `firmware_host.rules.dice.tiles`.
"""

ARROWS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


class NaiveTiles:
    """Laid tiles. `places` has the place of each number: number -> (row, column)."""

    def __init__(self, data, layout):
        self.data = data["tiles"]
        self.rows = layout.split()
        self.at = {}
        self.places = {}
        for row in range(2 * len(self.rows)):
            for column in range(6):
                letter = self.rows[row // 2][column // 2]
                number = 4 * "abcdefghi".index(letter.lower()) + 2 * (row % 2) + column % 2 + 1
                self.at[row, column] = number
                self.places[number] = (row, column)

    def stops(self, number):
        tile = self.data["ABCDEFGHI"[(number - 1) // 4]]
        return set(tile["stops"][(number - 1) % 4].split())

    def side(self, row, column):
        letter = self.rows[row // 2][column // 2]
        return self.data[letter.upper()]["dark" if letter.isupper() else "light"]

    def words(self, row, column, arrow):
        """Return the words of the file for the way to the next place: one within a tile, two between tiles."""
        down, right = ARROWS[arrow]
        there = (row + down, column + right)
        if there not in self.at:
            return ["none"]
        here, beyond = self.side(row, column), self.side(*there)
        if (row // 2, column // 2) == (there[0] // 2, there[1] // 2):
            if arrow in ("left", "right"):
                return [here["streets"][("top", "bottom")[row % 2]]]
            return [here["streets"][("left", "right")[column % 2]]]
        if arrow == "right":
            return [here["exits"]["right"][row % 2], beyond["exits"]["left"][row % 2]]
        if arrow == "left":
            return [here["exits"]["left"][row % 2], beyond["exits"]["right"][row % 2]]
        if arrow == "down":
            return [here["exits"]["bottom"][column % 2], beyond["exits"]["top"][column % 2]]
        return [here["exits"]["top"][column % 2], beyond["exits"]["bottom"][column % 2]]

    def ride(self, number, arrow, transport):
        """Return the end of a ride by taxi or bus, the places on its way, and whether it is allowed; or None."""
        if transport not in self.stops(number):
            return None
        row, column = self.places[number]
        allowed, over = True, []
        while True:
            words = self.words(row, column, arrow)
            if "none" in words:
                return None
            allowed = allowed and all(word in ("both", arrow) for word in words)
            row, column = row + ARROWS[arrow][0], column + ARROWS[arrow][1]
            end = self.at[row, column]
            if transport in self.stops(end):
                return end, tuple(over), allowed
            if transport == "taxi":
                return None
            over.append(end)

    def rides(self, number):
        """Return every ride from a place: (end, transport) -> (the places on its way, whether it is allowed)."""
        found = {}
        for arrow in ARROWS:
            for transport in ("taxi", "bus"):
                ride = self.ride(number, arrow, transport)
                if ride is not None:
                    found[ride[0], transport] = ride[1:]
        row, column = self.places[number]
        for lane in self.side(row, column).get("lanes", []):
            ends = {"falling": [(0, 0), (1, 1)], "rising": [(0, 1), (1, 0)]}[lane]
            if (row % 2, column % 2) in ends:
                end = self.at[row + 1 - 2 * (row % 2), column + 1 - 2 * (column % 2)]
                if "taxi" in self.stops(number) and "taxi" in self.stops(end):
                    found[end, "taxi"] = ((), True)
        if "underground" in self.stops(number):
            for end in self.places:
                if end != number and "underground" in self.stops(end):
                    found[end, "underground"] = ((), True)
        return found

    def flights(self, number):
        """Return where the helicopter can land."""
        row, column = self.places[number]
        last = 2 * len(self.rows) - 1
        ends = {0: [(row, 5)], 5: [(row, 0)]}.get(column, []) + {0: [(last, column)], last: [(0, column)]}.get(row, [])
        return {self.at[end] for end in ends}
