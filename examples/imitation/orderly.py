"""Who is imitated: ``backburner export SCENARIOS --format messages@agents=orderly:Orderly,orderly:Slipping``.

A scenario has many plans that are equally short, and an oracle takes any of them. Learnt from that, every
answer is a guess among ten. ``Orderly`` always does, of what can be begun, what stands first in one fixed
order: what the longest unattended work waits for, then what the longest chain begins with. So its answer
depends on how things stand and on nothing else. ``prepare.py`` keeps the scenarios in which that is as quick
as the oracle's proven plan: these are nine of ten.

Who has only ever seen flawless play does not know what to do after a mistake. So ``Slipping`` plays alike,
and makes some: an action whose turn it is not, any verb with anything, a needless wait. ``slips`` tells which
of its decisions are, from the scenario's name and the seed alone, so that they are not learnt.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from functools import cache
from pathlib import PurePath
from typing import Any

from backburner.kernel.policy import Reply, Turn, once_per_world

SHARES = (0.05, 0.1, 0.2, 0.4)
"""How often it slips; an episode has one of them."""

MOST_IN_A_ROW = 3
"""Five refusals in a row end a game."""


class Orderly:
    """Of what can be begun, what stands first in the order; else it waits."""

    name = "orderly"
    informed = True
    settings: Mapping[str, Any] = {}

    def __init__(self, world: Any) -> None:
        self._world = world
        self._rank = {act: rank for rank, act in enumerate(order_of(world))}

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The action, in words."""
        known = [option.decision for option in turn.menu.options if option.decision in self._rank]
        if not known:
            return Reply("wait")
        return Reply(str(self._world.words(min(known, key=self._rank.__getitem__))))


class Slipping(Orderly):
    """Plays alike, and slips now and then."""

    name = "slipping"

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The action that ``Orderly`` would take, or something else."""
        if slips(self._world.id, turn.seed, turn.index):
            draw = random.Random(f"{self._world.id}/{turn.seed}/{turn.index}")
            return Reply(slip(self._world, turn, draw))
        return await super().decide(turn, memory)


@once_per_world
def order_of(world: Any) -> tuple[Any, ...]:
    """All actions that are demanded, in the order in which they are thought of."""
    required = {each.name: each for each in world.compiled.required}
    followers = {name: [each.name for each in required.values() if name in each.after] for name in required}

    @cache
    def minutes_left(name: str, unattended: bool) -> int:
        """Of the longest chain that begins with this action; or only those that need nobody."""
        own = 0 if unattended and required[name].occupies_agent else required[name].minutes
        return int(own) + max((minutes_left(each, unattended) for each in followers[name]), default=0)

    ranked = sorted(required, key=lambda name: (-minutes_left(name, True), -minutes_left(name, False)))
    return tuple(act for name in ranked for act in required[name].acts)


@cache
def slips(scenario: str, seed: int, index: int) -> bool:
    """Whether the decision at this point of an episode is a slip; ``scenario``: an id or a file's path."""
    name = PurePath(scenario).name.removesuffix(".json")
    share = random.Random(f"{name}/{seed}").choice(SHARES)
    if index < 0 or random.Random(f"{name}/{seed}/{index}/slip").random() >= share:
        return False
    return not all(slips(scenario, seed, index - back) for back in range(1, MOST_IN_A_ROW + 1))


def slip(world: Any, turn: Turn, draw: random.Random) -> str:
    """Something that may be wrong."""
    kind = draw.random()
    if kind < 0.2:
        return "wait"
    if kind < 0.45:
        return str(world.words(draw.choice(turn.menu.options).decision))
    if kind < 0.8:
        return str(world.words(draw.choice(draw.choice(world.compiled.required).acts)))
    verb = draw.choice(list(world.compiled.verbs.values()))
    names = [item.name for item in world.compiled.items]
    return str(verb.words(*(draw.choice(names) for _ in range(1 + verb.takes_two))))
