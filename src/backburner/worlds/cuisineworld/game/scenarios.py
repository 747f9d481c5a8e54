"""CuisineWorld's scenarios as values: a level, who plays it, and at what pace orders come."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.worlds.cuisineworld.game.cookbook import Cookbook, shipped_cookbook

STEPS = 60
"""An episode of the article."""

MOST_OPEN = 6
"""Orders that may be open before no more arrive."""

Feedback = Literal["errors", "full", "none"]
Groups = tuple[tuple[int, ...], ...]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One episode's kitchen, bodies and orders.

    ``interval``: steps from order to order; ``lifetimes``: steps that an order of each of ``dishes``
    waits. ``groups``: the bodies of each seat (none: one dispatcher for all). ``seed``: of the stream of
    orders (``None``: that of play), in which each ``episode`` goes on where the one before stopped.

    Variants: ``table_room`` spare dishes may lie on serving tables; a dish spoils ``spoil_steps`` after it
    was put there; ``hidden_orders`` are seen by bodies at a serving table only. ``feedback``: ``errors``
    as released, ``full`` with what was done (article, section 4.1), ``none``. ``hints``: the article's
    inference knowledge. ``cookbook``: recipes other than the released ones.
    """

    level: str
    dishes: tuple[str, ...]
    kitchen: tuple[str, ...]
    interval: int
    lifetimes: tuple[int, ...]
    bodies: int = 2
    groups: Groups = ()
    level_class: str = ""
    tau: float | None = None
    seed: int | None = 0
    episode: int = 0
    steps: int = STEPS
    most_open: int = MOST_OPEN
    table_room: int | None = None
    spoil_steps: int | None = None
    hidden_orders: bool = False
    feedback: Feedback = "errors"
    hints: bool = True
    cookbook: Cookbook | None = None

    @property
    def book(self) -> Cookbook:
        """The recipes in force."""
        return shipped_cookbook() if self.cookbook is None else self.cookbook

    @property
    def orders_per_episode(self) -> int:
        """Orders that arrive in an episode in which the list never fills up."""
        return 1 + self.steps // self.interval
