"""Define the rules of the pursuit games: classic, current, US and beginners."""
