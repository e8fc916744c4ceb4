"""The rules of the pursuit games: classic, current, US and beginners."""
