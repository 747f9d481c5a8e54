"""A problem compiled under one rule set: what is possible, what an action does, what a step does.

Everything here is about kitchens; whose turn it is and when play ends is the matter of ``rules``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from backburner.worlds.robotouille.game.domain import Domain, Node
from backburner.worlds.robotouille.game.effects import Effects
from backburner.worlds.robotouille.game.goal import Goal
from backburner.worlds.robotouille.game.ground import Deed
from backburner.worlds.robotouille.game.layout import Layout, Object
from backburner.worlds.robotouille.game.loading import Beginning
from backburner.worlds.robotouille.game.matching import Matcher
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import PLAYER, DomainFile, ProblemFile
from backburner.worlds.robotouille.game.state import Kitchen

RELEASED_COUNT = 3
"""Pushes of a repetitive effect, and steps after the first one of a delayed effect."""

REMEMBERED = 256
"""Kitchens whose possible deeds are kept: a menu, an observation and an answer ask for the same."""


class Engine:
    """The kitchens of a problem."""

    def __init__(self, domain: DomainFile, problem: ProblemFile, rules: Rules) -> None:
        self.rules = rules
        self.config = problem.config
        self.domain = Domain(domain, rules)
        beginning = Beginning(self.domain, problem)
        self.start = Kitchen(beginning.facts)
        self._layouts: dict[tuple[Object, ...], Layout] = {(): beginning.layout}
        self.effects = Effects(self.domain, rules, self.count_of, self.layout_of)
        self.robots = tuple(
            index for index, thing in enumerate(beginning.layout.objects) if thing.type == PLAYER
        )
        self.has_wait = any(
            not (action.params or action.needs or action.fx or action.uses) for action in self.domain.actions
        )
        """Whether the domain has an action that is always possible and lets a step pass."""
        terms = (rules.goals_as_released and problem.goal_released) or problem.goal
        self.goal = Goal(terms, beginning.names, beginning.layout, rules)
        self.possible = lru_cache(maxsize=REMEMBERED)(self._possible)
        """What can be done in a kitchen by any robot, in the order of the domain's actions."""
        self._matchers = [
            Matcher(action, beginning.layout, beginning.facts) for action in self.domain.actions
        ]

    def layout_of(self, made: tuple[Object, ...]) -> Layout:
        """The layout over the things of the beginning and those made since."""
        known = self._layouts.get(made)
        if known is None:
            n = next(n for n in reversed(range(len(made))) if made[:n] in self._layouts)
            known = self._layouts[made[:n]]
            for place, thing in enumerate(made[n:], n + 1):
                known = self._layouts[made[:place]] = known.extended(thing)
        return known

    def layout(self, kitchen: Kitchen) -> Layout:
        """The layout of a kitchen's facts."""
        return self.layout_of(kitchen.made)

    def count_of(self, node: Node, kind: str) -> int:
        """The full count of a node for a thing of this kind, in pushes or ticks.

        A time of n means: done at the end of the n-th step after the one that starts it, whose own
        tick counts too.
        """
        table = self.config.get(node.table, {})
        count = table.get(kind, table.get("default", RELEASED_COUNT))
        return count + (node.type == "delayed")

    def counts_told(self) -> dict[str, str]:
        """For each action that counts something the count as it is told, such as ``3, lettuce 2``."""
        told = {}
        for action in self.domain.actions:
            nodes = (node for use in action.uses for node in self.domain.effects[use.effect].root.walk())
            table = next((node.table for node in nodes if node.table), "")
            if table:
                counts = self.config.get(table, {})
                usual = counts.get("default", RELEASED_COUNT)
                others = (f"{kind} {n}" for kind, n in counts.items() if kind != "default" and n != usual)
                told[action.name] = ", ".join((str(usual), *others))
        return told

    def deed(self, layout: Layout, action: int, args: tuple[int, ...]) -> Deed:
        """An action over certain things."""
        known: Deed | None = layout.known.get(("deed", action, args))
        if known is None:
            known = Deed(self.domain.actions[action], args, layout)
            layout.known["deed", action, args] = known
        return known

    def _possible(self, kitchen: Kitchen) -> tuple[Deed, ...]:
        layout = self.layout(kitchen)
        found = [
            self.deed(layout, index, args)
            for index, matcher in enumerate(self._matchers)
            for args in matcher.matches(layout, kitchen.facts, kitchen.gone)
        ]
        if self.rules.missing_guards or not kitchen.effects:
            return tuple(found)
        return tuple(deed for deed in found if not self.runs_already(layout, kitchen, deed))

    def runs_already(self, layout: Layout, kitchen: Kitchen, deed: Deed) -> bool:
        """Whether all that the deed would start is at work."""
        if deed.adds or deed.clears or not deed.effects:
            return False
        return all(self.effects.runs(layout, kitchen, effect, args) for effect, args in deed.effects)

    def find(self, layout: Layout, name: str) -> Deed | None:
        """The deed of a name such as ``move(p1=robot1,s1=table1,s2=stove1)``, possible or not."""
        known: Deed | None = layout.known.get(("named", name))
        if known is None:
            known = self._parsed(layout, name)
            if known is not None:
                layout.known["named", name] = known
        return known

    def _parsed(self, layout: Layout, name: str) -> Deed | None:
        match = re.fullmatch(r"([^()]+)\(([^()]*)\)", name)
        if match is None:
            return None
        for index, action in enumerate(self.domain.actions):
            if action.name != match[1]:
                continue
            pairs = [pair.partition("=") for pair in match[2].split(",")] if match[2] else []
            if [param for param, _, _ in pairs] != list(action.params):
                return None
            args = tuple(layout.indices.get(value, -1) for _, _, value in pairs)
            fits = all(
                arg >= 0 and layout.objects[arg].type == type
                for arg, type in zip(args, action.types, strict=True)
            )
            return self.deed(layout, index, args) if fits and len(set(args)) == len(args) else None
        return None

    def can(self, kitchen: Kitchen, deed: Deed) -> bool:
        """Whether a deed is possible now."""
        if not deed.possible(kitchen.facts) or any(kitchen.gone >> arg & 1 for arg in deed.args):
            return False
        return self.rules.missing_guards or not self.runs_already(self.layout(kitchen), kitchen, deed)

    def do(self, kitchen: Kitchen, deed: Deed) -> Kitchen:
        """The kitchen after a possible deed, before the step's tick."""
        facts = kitchen.facts & ~deed.clears | deed.adds
        kitchen = Kitchen(facts, kitchen.made, kitchen.gone, kitchen.effects)
        for effect, args in deed.effects:
            kitchen = self.effects.push(kitchen, effect, args)
        return kitchen

    def step(self, kitchen: Kitchen, deeds: Sequence[Deed]) -> Kitchen:
        """The kitchen after a step in which these deeds are done in this order."""
        for deed in deeds:
            kitchen = self.do(kitchen, deed)
        return self.effects.tick(kitchen)

    def reached(self, kitchen: Kitchen) -> bool:
        """Whether the goal is reached."""
        return self.goal.reached(self.layout(kitchen), kitchen.facts)
