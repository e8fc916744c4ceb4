"""Define the numbers that tune the search for moves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The numbers that tune the search. `python -m tools.tune` looks for better ones.

    Attributes:
        explore: how strongly rarely tried actions are preferred.
        random_share: the share of random actions in playouts, from 0 to 1.
        coalition: how much less a capture by another detective is worth, from 0 to 1 (Nijssen & Winands).
        trust: how far the belief follows the learned model of Mister X's choices: 1 fully, 0 not at all (then all his
            moves are equally likely). Mister X's own search expects his moves by the same model (`his_pull`).
        announcing_share: the share of his time after which Mister X announces a double move or a surfacing, from 0 to
            1. After a first announcement, it is a share of the time for his next move.
        rest_share: the share of his time for each move after an announcement, from 0 to 1. It is less if the longest
            turn would not fit into his time.
        urgency: the value of a detective's action that was never tried in the tree, without `pull`. Above about 3 each
            action is tried before any is tried again; below, good ones are repeated before bad ones are tried.
        pull: the bonus of a seldom tried detective's action for each move by which it gets nearer to Mister X, on
            average over the belief (progressive bias).
        history: how much an action's results elsewhere in the tree count while it was seldom tried (progressive
            history).
        value_share: the weight of the learned network's value against a playout's result, from 0 to 1.
        noise: how random Mister X's playout moves are, in moves of distance from the nearest detective.
        his_explore: how strongly Mister X's own search prefers rarely tried actions.
        his_urgency: the value of an action of his that was never tried in the tree, without `his_pull`.
        his_pull: the bonus of a seldom tried action of his that is as likely as the average one by the learned model of
            his choices. It grows in proportion to the likelihood, at most to four times as much.
        plain_share: the share of iterations of his search in which the simulated detectives think that all stations
            which the public record allows are equally likely. In the others they have the learned belief.
        reply_noise: how much chance adds at most to the worth of a simulated detective's move, in moves.
    """

    explore: float = 0.4
    random_share: float = 0.15
    coalition: float = 0.25
    trust: float = 1.0
    announcing_share: float = 0.5
    rest_share: float = 0.2
    urgency: float = 0.6
    pull: float = 0.2
    history: float = 0.5
    value_share: float = 0.5
    noise: float = 1.5
    his_explore: float = 0.2
    his_urgency: float = 0.5
    his_pull: float = 0.4
    plain_share: float = 0.5
    reply_noise: float = 0.1


DEFAULT = SearchSettings()
"""The settings of all levels but `hard`, and of the coach."""
