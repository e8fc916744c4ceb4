"""The numbers that the search goes by, and that can be tuned."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """What a search goes by. The defaults are those of all levels; `python -m tests.tune` looks for better ones.

    Attributes:
        explore: how far rarely tried actions are preferred.
        random_share: the share of random actions in playouts, from 0 to 1.
        known: the share of iterations in which Mister X's own search takes him to be where he is; in the others he is
            where he may be by what everyone knows, so that detectives do not chase what they cannot know.
        coalition: what a capture by another detective is worth less, from 0 to 1 (Nijssen & Winands).
        trust: how far the belief goes by what was learned of how Mister X chooses: 1 as learned, 0 not at all; then he
            does anything that he may as likely.
        announcing_share: the share of his time after which Mister X announces what he has in mind, from 0 to 1.
        rest_share: the share of his time for each move after that, from 0 to 1.
        urgency: what a detective's action that was never tried in the tree counts as, besides its pull. Above about 3
            each is tried before any is tried again; below, good ones are walked on before bad ones are tried.
        pull: what a detective's action counts more, the less often it was tried, for each move by which it leads nearer
            to where Mister X may be: on average, by the belief (progressive bias).
        history: how far what came of an action elsewhere in the tree counts, while it was seldom tried (progressive
            history).
        value_share: how far what a learned network makes of a position counts against what came of a playout from it,
            from 0 to 1.
        noise: how far chance counts in what Mister X does in playouts, in moves of distance from the nearest detective.
    """

    explore: float = 0.4
    random_share: float = 0.15
    known: float = 0.6
    coalition: float = 0.25
    trust: float = 1.0
    announcing_share: float = 0.5
    rest_share: float = 0.2
    urgency: float = 0.6
    pull: float = 0.2
    history: float = 0.5
    value_share: float = 0.5
    noise: float = 1.5


DEFAULT = SearchSettings()
"""The settings of all levels."""
