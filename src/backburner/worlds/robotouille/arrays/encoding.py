"""Robotouille in numbers: what a robot does without what follows from where it is, and the facts that change.

Everybody sees the whole kitchen, so features are the same for all robots but for which of them one is.
As observations do, they tell facts and that the last decision was refused; they tell no timers, no counts of
cuts and not the steps that are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from backburner.arrays.encoding import Encoding
from backburner.kernel.errors import Refused, UnknownLimits
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.arrays.codes import Codes
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.catalogue import limits_of
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import Action
from backburner.worlds.robotouille.game.scenarios import SHIPPED_DOMAIN
from backburner.worlds.robotouille.game.state import Acts, Kitchen, Layout, Object, State

HORIZON_STEPS = 100
"""Steps that scores count with where no limit of play is known."""

Numbers = Sequence[Sequence[float]]


class RobotouilleEncoding(Encoding[State, Acts]):
    """The numbers of one world.

    Code 0 lets the robot wait. A mask is the menu: each action on it that a robot could do is one code,
    and each code that is open is one action on it.
    """

    def __init__(self, world: Robotouille) -> None:
        self.world = world
        compiled = self.compiled = world.compiled
        self.full = compiled.layout_of(things_to_come(world))
        self.codes = Codes(compiled, self.full)
        self.robots = compiled.robots
        seating = world.seating
        self.robots_of = {seat: seating.robots_of(seat) for seat in world.seats}
        self.outlook = Outlook(compiled, self.full, 1 if seating.play == "turns" else len(self.robots))
        self.horizon = world.limits.steps or _article_steps(world) or HORIZON_STEPS
        """The limit of steps, or the article's where there is none."""
        changing = compiled.domain.changing
        self.bits = tuple(bit for bit, atom in enumerate(self.full.atoms) if atom[0] in changing)
        """The facts that may change, each a feature."""

    @property
    def bodies(self) -> Mapping[Seat, tuple[str, ...]]:
        """The robots that each seat commands."""
        objects = self.full.objects
        return {
            seat: tuple(objects[robot].name for robot in robots) for seat, robots in self.robots_of.items()
        }

    @property
    def actions(self) -> tuple[str, ...]:
        """``wait``, and what a robot may do, such as ``move stove1`` or ``place-item``."""
        return self.codes.names

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Whether the last decision was refused, which robot one is, and each fact that may change."""
        return (
            "refused",
            *(f"is {self.full.objects[robot].name}" for robot in self.robots),
            *(self.full.words(self.full.atoms[bit]) for bit in self.bits),
        )

    def mask(self, state: State, seat: Seat) -> Sequence[Sequence[bool]]:
        """The actions on the menu that each robot of the seat would do itself."""
        asked = seat in self.world.deciders(state)
        rows = []
        for robot in self.robots_of[seat]:
            row = [False] * len(self.codes.names)
            row[0] = True
            if asked:
                for code in self.codes.possible(state.kitchen, robot):
                    row[code] = True
            rows.append(row)
        return rows

    def decision(self, state: State, seat: Seat, codes: Sequence[int]) -> Acts | Refusal:
        """The ground actions that the codes stand for now; where all wait, waiting."""
        names = []
        for robot, code in zip(self.robots_of[seat], codes, strict=True):
            if code:
                name = self.codes.possible(state.kitchen, robot).get(code)
                names.append(name or self.codes.name_of(state.kitchen, robot, code))
        if not names and not self.world.rulebook.may_idle(seat):
            return Acts((self.compiled.waiting,))
        return Acts(tuple(names))

    def features(self, state: State, seat: Seat) -> Numbers:
        """See ``feature_names``; each 0 or 1."""
        refused = float(any(refusal.seat == seat for refusal in state.feedback.refusals))
        facts = state.kitchen.facts
        told = [float(facts >> bit & 1) for bit in self.bits]
        return [
            [refused, *(float(other == robot) for other in self.robots), *told]
            for robot in self.robots_of[seat]
        ]

    def score(self, state: State) -> float:
        """Once the goal is reached 1, and the share of the step limit that is left besides; 0 before.

        The article counts both apart, success and steps. Where there is no limit, its own counts.
        """
        return self._worth(state.steps) if state.ended == "completed" else 0.0

    def potential(self, state: State) -> float:
        """The score if the goal is reached as soon as counting facts allows; 0 if that is too late."""
        if state.ended:
            return 0.0
        earliest = state.steps + self.outlook.steps(state.kitchen)
        limit = self.world.limits.steps
        return 0.0 if limit is not None and earliest > limit else self._worth(earliest)

    def _worth(self, steps: int) -> float:
        return 1.0 + max(1.0 - steps / self.horizon, 0.0)


def things_to_come(world: Robotouille) -> tuple[Object, ...]:
    """All things that may be made in play, in the order in which they are, so that the layout over them
    holds every fact that may ever be.

    In the shipped domain water is made in a pot that is empty, and goes into a bowl that is empty: there is
    never more than one for each container. Raises ``Refused`` where nothing says how many there may be.
    """
    compiled, rules = world.compiled, world.rules
    nodes = [node for effect in compiled.domain.special_effects for node in effect.root.walk()]
    if any(node.type == "deletion" for node in nodes):
        raise Refused(f"{world.id}: things go away in this domain, which no fixed numbers cover")
    if rules.any_robot and len(compiled.robots) > 1:
        raise Refused(f"{world.id}: under these rules a seat commands any robot, and a code is for its own")
    layout = compiled.layout(compiled.start)
    containers = sum(thing.type == "container" for thing in layout.objects)
    made = [node for node in nodes if node.type == "creation"]
    if not made:
        return ()
    if world.scenario.domain != SHIPPED_DOMAIN:
        raise Refused(f"{world.id}: things are made in this domain, and nothing says how many there may be")
    if not containers:
        return ()
    if rules.timers_stay_at_station or rules.missing_guards:
        raise Refused(f"{world.id}: under these rules a pot is filled again and again; try standard rules")
    (water,) = made
    coming: tuple[Object, ...] = ()
    for _ in range(containers):
        name = compiled.layout_of(coming).next_name(water.made_name, 0)
        coming = (*coming, Object(name, water.made_type, water.made_name))
    return coming


def _article_steps(world: Robotouille) -> int | None:
    """The article's limit of steps, where it can be told."""
    try:
        return limits_of(world.id, world.scenario, world.rules).steps
    except UnknownLimits:
        return None


def encoding(world: Robotouille) -> RobotouilleEncoding:
    """The encoding of a world; raises ``Refused`` for kitchens in which nothing bounds what is made."""
    return RobotouilleEncoding(world)


# --- how far the goal is away ---------------------------------------------------------------------------


class Lack(NamedTuple):
    """Facts that the goal needs: ``needed`` of a ``predicate``, out of those in ``mask``.

    ``cost``: the part of an action that each takes at least, counted in ``Outlook.unit``. ``coming``: how
    many of them each effect at work may still bring about, by effect, for which nobody has to act.
    """

    predicate: int
    needed: int
    mask: int
    cost: int
    coming: tuple[tuple[int, int], ...]


class Outlook:
    """How many steps the goal is away at the least, by counting facts: cheap, and never too many.

    ``acting`` robots act in each step of the kitchen; ``unit`` is one action. For example, of a goal with
    ``iscut(lettuce 1)``, ``item_at(lettuce 1, table 2)`` and ``item_at(bread 3, table 2)`` only the last
    holds of anything. A cut and a thing put down are missing, which no single action brings about: two steps
    for one robot, at the least.
    """

    def __init__(self, compiled: Compiled, full: Layout, acting: int) -> None:
        shapes = compiled.goal.shapes(full)
        wanted = {predicate for predicate, _, _ in shapes}
        share: Counter[int] = Counter()
        for action in compiled.domain.actions:
            brought = [predicate for predicate in _brought(compiled, action) if predicate in wanted]
            for predicate in brought:
                share[predicate] = max(share[predicate], len(brought))
        self.acting = acting
        self.unit = lcm(*share.values())
        self.lacks = tuple(
            Lack(
                predicate,
                needed,
                mask,
                self.unit // share[predicate] if share[predicate] else 0,
                tuple(
                    (effect.index, n_coming)
                    for effect in compiled.domain.special_effects
                    if (n_coming := list(_of_effect(compiled, effect.index)).count(predicate))
                ),
            )
            for predicate, needed, mask in shapes
        )
        self._overlap = compiled.rules.goal_names_in_part  # one fact may then stand for two of the goal

    def steps(self, kitchen: Kitchen) -> int:
        """No play reaches the goal in fewer steps from a kitchen in which it is not reached; 1 at least."""
        at_work = Counter(running.effect for running in kitchen.effects)
        lacking: dict[int, int] = {}
        for predicate, needed, mask, cost, coming in self.lacks:
            n_lacking = needed - (kitchen.facts & mask).bit_count()
            n_lacking -= sum(at_work[effect] * n_coming for effect, n_coming in coming)
            before = lacking.get(predicate, 0)
            parts = max(n_lacking, 0) * cost
            lacking[predicate] = max(before, parts) if self._overlap else before + parts
        return max(-(-sum(lacking.values()) // (self.unit * self.acting)), 1)


def _brought(compiled: Compiled, action: Action) -> Iterator[int]:
    """The predicates of what may become true by an action: at once, or by what it starts."""
    yield from (literal.predicate for literal in action.effects if literal.is_true)
    for start in action.starts:
        yield from _of_effect(compiled, start.effect)


def _of_effect(compiled: Compiled, effect: int) -> Iterator[int]:
    """The predicates of what may become true by a special effect, which for a conditional one are all that it
    names: what it makes false is true while it does not hold."""
    for node in compiled.domain.special_effects[effect].root.walk():
        for literal in node.effects:
            if literal.is_true or node.type == "conditional":
                yield literal.predicate
