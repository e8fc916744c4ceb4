"""The pursuit games: classic, current, US and beginners."""
