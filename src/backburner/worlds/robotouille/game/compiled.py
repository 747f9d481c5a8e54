"""A problem compiled under one rule set: which actions are applicable, and what an action or a step does.

Everything here is about the kitchen. Whose turn it is and when play ends is the matter of ``transition``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

from msgspec import Struct

from backburner.kernel.values import Refusal
from backburner.worlds.robotouille.game import legality
from backburner.worlds.robotouille.game.domain import Domain, EffectNode
from backburner.worlds.robotouille.game.effects import Effects
from backburner.worlds.robotouille.game.goal import Goal
from backburner.worlds.robotouille.game.legality import GroundAction, Join
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import (
    CONTAINER,
    ITEM,
    MEAL,
    PLAYER,
    STATION,
    Cell,
    DomainFile,
    Entity,
    Item,
    Player,
    ProblemFile,
    Thing,
    numbered,
)
from backburner.worlds.robotouille.game.state import REMEMBERED, Atom, Kitchen, Layout, Object

RELEASED_COUNT = 3
"""Pushes of a repetitive effect, and steps after the first one of a delayed effect."""


class Compiled:
    """A problem over a domain, ready for play.

    ``start`` is the kitchen at the beginning, ``robots`` the indices of the players. ``waiting``:
    the name of the action that is always applicable and lets a step pass, empty if the domain has none.
    ``names`` are those of the things that have ids, ``terms`` the goal's that count. ``applicable``
    takes a kitchen and returns every action that some robot could do in it, in the order of the
    domain's actions.
    """

    def __init__(self, domain: DomainFile, problem: ProblemFile, rules: Rules) -> None:
        self.rules = rules
        self._made_of = (domain, problem, rules)
        self.config = problem.config
        self.domain = Domain(domain, rules)
        initial = InitialState(self.domain, problem)
        self.start = Kitchen(initial.facts)
        self._layouts: dict[tuple[Object, ...], Layout] = {(): initial.layout}
        self.effects = Effects(self.domain, rules, self.count_of, self.layout_of)
        self.robots = tuple(
            index for index, thing in enumerate(initial.layout.objects) if thing.type == PLAYER
        )
        waiting = (
            self.ground(initial.layout, action.index, ()).name
            for action in self.domain.actions
            if not (action.params or action.preconditions or action.effects or action.starts)
        )
        self.waiting = next(waiting, "")
        self.names = initial.names
        self.terms = (rules.goals_as_released and problem.goal_released) or problem.goal
        self.goal = Goal(self.terms, self.names, initial.layout, rules)
        self.applicable = lru_cache(maxsize=REMEMBERED)(self._applicable)
        self._joins = [Join(action, initial.layout, initial.facts) for action in self.domain.actions]

    def __reduce__(self) -> tuple[Any, ...]:
        """Compiled anew in another process, as what is remembered here cannot go there."""
        return Compiled, self._made_of

    def layout_of(self, made: tuple[Object, ...]) -> Layout:
        """The layout over the things of the beginning and those made since."""
        layout = self._layouts.get(made)
        if layout is None:
            n_known = next(n for n in reversed(range(len(made))) if made[:n] in self._layouts)
            layout = self._layouts[made[:n_known]]
            for n, thing in enumerate(made[n_known:], n_known + 1):
                layout = self._layouts[made[:n]] = layout.extended(thing)
        return layout

    def layout(self, kitchen: Kitchen) -> Layout:
        """The layout of a kitchen's facts."""
        return self.layout_of(kitchen.made)

    def count_of(self, node: EffectNode, kind: str) -> int:
        """The full count of a node for a thing of this kind, in pushes or ticks.

        A time of n means: done at the end of the n-th step after the one that starts it. The tick of
        that first step counts too, so the count is n + 1.
        """
        table = self.config.get(node.table, {})
        count = table.get(kind, table.get("default", RELEASED_COUNT))
        return count + (node.type == "delayed")

    def count_words(self) -> dict[str, str]:
        """For each action that counts something its count in words, such as ``3, lettuce 2``.

        Where the problem's ``config`` is ignored it is the count that holds for all.
        """
        words = {}
        for action in self.domain.actions:
            effects = (self.domain.special_effects[start.effect] for start in action.starts)
            nodes = (node for effect in effects for node in effect.root.walk())
            counting = next((node for node in nodes if node.type in ("delayed", "repetitive")), None)
            if counting is not None:
                counts = self.config.get(counting.table, {})
                usual = counts.get("default", RELEASED_COUNT)
                others = (f"{kind} {n}" for kind, n in counts.items() if kind != "default" and n != usual)
                words[action.name] = ", ".join((str(usual), *others))
        return words

    def ground(self, layout: Layout, action: int, args: tuple[int, ...]) -> GroundAction:
        """An action, by its index, over certain things."""
        known: GroundAction | None = layout.known.get(("ground", action, args))
        if known is None:
            known = GroundAction(self.domain.actions[action], args, layout)
            layout.known["ground", action, args] = known
            if all(layout.indices[layout.objects[arg].name] == arg for arg in args):
                layout.known["named", known.name] = known  # which no other action of this layout is called
        return known

    def sentences(self, layout: Layout, robots: frozenset[int]) -> Iterator[str]:
        """What every action over these things is called, applicable or not, if ``robots`` do it."""
        of_type = layout.by_type(range(len(layout.objects)))
        for index, action in enumerate(self.domain.actions):
            for args in product(*(of_type.get(type, ()) for type in action.types)):
                ground = self.ground(layout, index, args) if len(set(args)) == len(args) else None
                if ground is not None and robots.issuperset(ground.robots):
                    yield ground.text

    def find(self, layout: Layout, name: str) -> GroundAction | None:
        """The action named ``move(p1=robot1,s1=table1,s2=stove1)``, applicable or not, if there is one."""
        known: GroundAction | None = layout.known.get(("named", name))
        if known is None:
            known = self._parsed(layout, name)
        return known

    def _parsed(self, layout: Layout, name: str) -> GroundAction | None:
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
            return self.ground(layout, index, args) if fits and len(set(args)) == len(args) else None
        return None

    def _applicable(self, kitchen: Kitchen) -> tuple[GroundAction, ...]:
        layout = self.layout(kitchen)
        actions = [
            self.ground(layout, index, args)
            for index, join in enumerate(self._joins)
            for args in join.bindings(layout, kitchen.facts, kitchen.gone)
        ]
        if self.rules.missing_guards or not kitchen.effects:
            return tuple(actions)
        return tuple(action for action in actions if not self.runs_already(layout, kitchen, action))

    def runs_already(self, layout: Layout, kitchen: Kitchen, action: GroundAction) -> bool:
        """Whether the action does nothing but start what is at work already."""
        if action.adds or action.deletes or not action.starts:
            return False
        return all(self.effects.runs(layout, kitchen, effect, args) for effect, args in action.starts)

    def is_applicable(self, kitchen: Kitchen, action: GroundAction) -> bool:
        """Whether an action can be done now."""
        facts, gone = kitchen.facts, kitchen.gone
        if not action.applicable(facts) or (gone and any(gone >> arg & 1 for arg in action.args)):
            return False
        return self.rules.missing_guards or not self.runs_already(self.layout(kitchen), kitchen, action)

    def refusal(self, kitchen: Kitchen, action: GroundAction) -> Refusal | None:
        """Why an action cannot be done now; ``None`` if it can."""
        if self.is_applicable(kitchen, action):
            return None
        if any(kitchen.gone >> arg & 1 for arg in action.args):
            return legality.unknown_action(action.text)
        if action.applicable(kitchen.facts):
            return legality.runs_already(action)
        return legality.inapplicable(action, self.domain, self.layout(kitchen), kitchen.facts)

    def apply(self, kitchen: Kitchen, action: GroundAction) -> Kitchen:
        """The kitchen after an applicable action, before the step's tick."""
        facts = kitchen.facts & ~action.deletes | action.adds
        kitchen = Kitchen(facts, kitchen.made, kitchen.gone, kitchen.effects)
        for effect, args in action.starts:
            kitchen = self.effects.push(kitchen, effect, args)
        return kitchen

    def step(self, kitchen: Kitchen, actions: Sequence[GroundAction]) -> Kitchen:
        """The kitchen after a step in which these actions are done in this order."""
        for action in actions:
            kitchen = self.apply(kitchen, action)
        return self.effects.tick(kitchen)

    def reached(self, kitchen: Kitchen) -> bool:
        """Whether the goal is reached."""
        return self.goal.reached(self.layout(kitchen), kitchen.facts)


# --- the initial state ----------------------------------------------------------------------------------


class Placed(Struct, frozen=True):
    """An entity of the file, and the index of the thing that it describes."""

    index: int
    entity: Entity

    @property
    def cell(self) -> Cell | None:
        """Its cell, if it is on the grid."""
        return None if isinstance(self.entity, Thing) else (self.entity.x, self.entity.y)


class InitialState:
    """The initial state of a problem over a domain.

    ``layout`` numbers the facts, ``facts`` has the bits of those that hold, ``names`` the names of
    the things that have ids, by id.
    """

    def __init__(self, domain: Domain, problem: ProblemFile) -> None:
        self.domain = domain
        self.things: dict[str, list[Placed]] = {}
        objects: list[Object] = []
        self.names: dict[str, str] = {}
        for index, (entity, thing) in enumerate(numbered(problem, domain.types)):
            self.things.setdefault(thing.type, []).append(Placed(index, entity))
            objects.append(thing)
            if entity.id != "":
                self.names[str(entity.id)] = thing.name
        self.layout = Layout(domain.predicates, objects)
        self.facts = 0
        for atom in (*self._atoms(), *self._further(problem)):
            self.facts |= self.layout.bits[atom]

    def _atoms(self) -> Iterator[Atom]:
        """What is true of each thing because of its kind, what its file adds, then what its cell implies."""
        for placed in (placed for group in self.things.values() for placed in group):
            kind = self.domain.by_name.get(f"is{placed.entity.name}")
            if kind is not None:
                yield kind.index, (placed.index,)
            for name in placed.entity.predicates:
                yield self.domain.by_name[name].index, (placed.index,)
        for role, args in self._placing():
            predicate = self.domain.by_name.get(getattr(self.domain.file.placement, role))
            if predicate is not None:
                yield predicate.index, args

    def _placing(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Where things are: fields of ``Placement``, each with the things that its predicate is about."""
        for station in self._of(STATION):
            yield from self._at_station(station)
        for player in self._of(PLAYER):
            yield from self._in_hand(player)
        for container in self._of(CONTAINER):
            meals = self._on(MEAL, container.cell)
            yield from (("meal_in", (meal.index, container.index)) for meal in meals)
            if not meals:
                yield "container_empty", (container.index,)

    def _at_station(self, station: Placed) -> Iterator[tuple[str, tuple[int, ...]]]:
        players = [player for player in self._of(PLAYER) if station.cell and _faced(player) == station.cell]
        yield from (("player_at", (player.index, station.index)) for player in players)
        if not players:
            yield "station_free", (station.index,)
        items = sorted(self._on(ITEM, station.cell), key=_level)
        containers = self._on(CONTAINER, station.cell)
        yield from (("item_at", (item.index, station.index)) for item in items)
        yield from (("container_at", (container.index, station.index)) for container in containers)
        if not items and not containers:
            yield "station_empty", (station.index,)
        if items:
            yield "item_on", (items[0].index, station.index)
            yield "item_clear", (items[-1].index,)
        yield from (("item_atop", (upper.index, lower.index)) for lower, upper in pairwise(items))

    def _in_hand(self, player: Placed) -> Iterator[tuple[str, tuple[int, ...]]]:
        items, containers = self._on(ITEM, player.cell), self._on(CONTAINER, player.cell)
        if items:
            yield "holds_item", (player.index, items[0].index)
        elif containers:
            yield "holds_container", (player.index, containers[0].index)
        else:
            yield "holds_nothing", (player.index,)

    def _further(self, problem: ProblemFile) -> Iterator[Atom]:
        for fact in problem.facts:
            args = tuple(self.layout.indices[self.names.get(arg, arg)] for arg in fact.args)
            yield self.domain.by_name[fact.predicate].index, args

    def _of(self, type: str) -> Sequence[Placed]:
        return self.things.get(type, ())

    def _on(self, type: str, cell: Cell | None) -> list[Placed]:
        return [placed for placed in self._of(type) if placed.cell == cell and cell is not None]


def _faced(player: Placed) -> Cell | None:
    """The cell that a player faces."""
    entity = player.entity
    if not isinstance(entity, Player):
        return None
    return entity.x + entity.direction[0], entity.y + entity.direction[1]


def _level(item: Placed) -> int:
    return item.entity.stack_level if isinstance(item.entity, Item) else 0
