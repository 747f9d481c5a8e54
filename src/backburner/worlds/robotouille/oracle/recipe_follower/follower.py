"""The recipe follower: begins what goes on by itself, does the other work, and puts dishes together.

A robot takes the open subgoal that is nearest, what goes on by itself before all else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.menu import Menu
from backburner.kernel.values import Seat
from backburner.worlds.robotouille.game import Acts, Robotouille
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.legality import GroundAction
from backburner.worlds.robotouille.game.schema import PLAYER, STATION
from backburner.worlds.robotouille.game.state import IDLE, Kitchen, State
from backburner.worlds.robotouille.oracle.recipe_follower.achievers import Achievers
from backburner.worlds.robotouille.oracle.recipe_follower.assembly import Assembly
from backburner.worlds.robotouille.oracle.recipe_follower.situation import UNMADE, Choice, Chooser, Situation
from backburner.worlds.robotouille.oracle.recipe_follower.subgoals import (
    NARROW,
    WIDE,
    Breadth,
    Kind,
    RobotSearch,
    Subgoal,
)

PUT_OFF: dict[Kind, int] = {"timed": 0, "worked": 4, "related": 2}
"""Steps by which a subgoal counts as further away."""

PATIENCE = 12
"""Steps that are looked ahead when there is nothing to do."""

REMEMBERED = 256
"""Plans that are kept in mind, whoever follows them."""

NOTHING_RESERVED: frozenset[int] = frozenset()


class Plan(NamedTuple):
    """The operators of one robot, and the things that nobody else is to take meanwhile."""

    operators: tuple[GroundAction, ...]
    reserved: frozenset[int]


class Planner:
    """Plans for single robots in the kitchens of one problem."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._achievers = Achievers(compiled)
        self._assembly = Assembly(self._achievers)
        self._chooser = Chooser(self._achievers, self._assembly)
        self._n_at_start = len(compiled.layout(compiled.start).objects)
        self.nearest = lru_cache(maxsize=REMEMBERED)(self._nearest)
        """``_nearest``, with its answers kept: robots ask for each other's."""
        self.first_choice = self._chooser.choices(compiled.start)[0]

    def situation(self, kitchen: Kitchen, choice: Choice) -> Situation:
        """A kitchen with certain things for the goal's variables."""
        return Situation(self._achievers, self._assembly, kitchen, choice)

    def kept_up(self, kitchen: Kitchen, choice: Choice) -> Choice:
        """The choice, with what has been made since; a new one where a thing is gone."""
        if any(thing != UNMADE and kitchen.gone >> thing & 1 for thing in choice):
            return self._chooser.choices(kitchen)[0]
        made = len(self._compiled.layout(kitchen).objects) > self._n_at_start
        return self._chooser.choices(kitchen, choice)[0] if made and UNMADE in choice else choice

    def _nearest(
        self,
        kitchen: Kitchen,
        choice: Choice,
        robot: int,
        reserved: frozenset[int] = NOTHING_RESERVED,
        breadth: Breadth = NARROW,
    ) -> tuple[Choice, Plan] | None:
        """The nearest subgoal that has nothing to do with what is ``reserved``, with this choice of things
        or another that is as good or better; ``None`` if none can be reached."""
        found: dict[tuple[int, int], tuple[Choice, Plan]] = {}
        seen: set[tuple[GroundAction, ...]] = set()
        for number, other in enumerate(self._chooser.choices(kitchen, choice)):
            situation = self.situation(kitchen, other)
            ways = RobotSearch(situation, robot, reserved)
            for subgoal in ways.subgoals:
                if subgoal.operators not in seen:
                    seen.add(subgoal.operators)
                    way = ways.to(subgoal, breadth)
                    if way is not None:
                        plan = Plan(way, _reserved_by(situation, subgoal, way[-1]))
                        found.setdefault((len(way) + PUT_OFF[subgoal.kind], number), (other, plan))
        return found[min(found)] if found else None

    def later(
        self, kitchen: Kitchen, choice: Choice, robot: int, others: Sequence[int], reserved: frozenset[int]
    ) -> GroundAction | None:
        """What prepares for the next subgoal that opens when something has ended that goes on, or somebody
        has stepped aside; ``None`` if there is no such operator, or none that does no harm now."""
        kept = self.situation(kitchen, choice).kept()
        for after in self._to_come(kitchen, others):
            found = self.nearest(after, self.kept_up(after, choice), robot, reserved)
            if found is not None:
                operator = found[1].operators[0]
                harmless = (
                    not operator.deletes & kept and not operator.starts and operator.applicable(kitchen.facts)
                )
                return operator if harmless and self._compiled.is_applicable(kitchen, operator) else None
        return None

    def _to_come(self, kitchen: Kitchen, others: Sequence[int]) -> Iterator[Kitchen]:
        """The kitchens to come while nobody does anything, without the others; each once."""
        seen = {kitchen.facts}
        for _ in range(PATIENCE):
            free = replace(kitchen, facts=self._without(kitchen, others))
            if free.facts not in seen:
                seen.add(free.facts)
                yield free
            kitchen, before = self._compiled.effects.tick(kitchen), kitchen
            if kitchen == before:
                return

    def _without(self, kitchen: Kitchen, others: Sequence[int]) -> int:
        """The facts if other robots had gone from where they stand."""
        layout, facts = self._compiled.layout(kitchen), kitchen.facts
        roles = self._achievers.roles
        if "player_at" in roles and "station_free" in roles:
            for robot in others:
                standing = facts & layout.about[robot] & layout.of_predicate[roles["player_at"]]
                facts &= ~standing
                for _, (_, station) in layout.true_atoms(standing):
                    facts |= layout.bit(roles["station_free"], (station,))
        return facts

    def irreversible(self, kitchen: Kitchen) -> int:
        """All facts that nothing makes false again."""
        return self._achievers.irreversible(self._compiled.layout(kitchen))

    def is_busy(self, kitchen: Kitchen, robot: int) -> bool:
        """Whether a robot has something in its hands."""
        layout = self._compiled.layout(kitchen)
        tied = layout.true_atoms(kitchen.facts & layout.about[robot] & self._achievers.relations(layout))
        return any(
            layout.objects[thing].type not in (PLAYER, STATION) for _, things in tied for thing in things
        )

    def aside(self, kitchen: Kitchen, choice: Choice, robot: int) -> GroundAction | None:
        """A step out of the way, from a station that somebody may need to one that nobody needs."""
        situation = self.situation(kitchen, choice)
        things = situation.layout.objects
        near = {other for thing in choice if thing != UNMADE for other in situation.neighbours(thing)}
        in_use = near.union(choice, self._achievers.workplaces(situation.layout))
        here = {other for other in situation.neighbours(robot) if things[other].type == STATION}
        moves = [
            operator
            for operator in self._compiled.applicable(kitchen)
            if operator.robots == (robot,)
            and not operator.starts
            and not in_use.intersection(set(operator.args) - here)
            if len(operator.args) > 1 and all(things[arg].type in (STATION, PLAYER) for arg in operator.args)
        ]
        # Each another one, as several may step aside at once.
        return moves[self._compiled.robots.index(robot) % len(moves)] if here & in_use and moves else None


def _reserved_by(situation: Situation, subgoal: Subgoal, operator: GroundAction) -> frozenset[int]:
    """What is to be carried; for work what it is about, and the place where it is done."""
    places = {thing for thing in subgoal.about if situation.layout.objects[thing].type == STATION}
    if subgoal.kind == "related":
        return subgoal.about & situation.misplaced() or subgoal.about - places
    return (subgoal.about | set(operator.args)) - set(operator.robots)


PATIENT = 0.75
"""How often a robot that knows nothing to do leaves it at that while somebody else has something."""

NOTHING = Plan((), NOTHING_RESERVED)


class Mind(Struct, frozen=True):
    """What it remembers: the things chosen, and the plan in hand of each robot of its seat."""

    choice: Choice
    plans: Mapping[int, Plan]


class RecipeFollower:
    """Plays the robots of one seat in a kitchen, and sees in its state what partners are about."""

    def __init__(self, world: Robotouille) -> None:
        self._world = world
        self._planner = Planner(world.compiled)

    def decide(
        self, state: State, seat: Seat, menu: Menu[Acts], mind: Mind | None = None, chance: str = ""
    ) -> tuple[Acts, Mind]:
        """An action for each robot of the seat that has something to do, and what to remember.

        ``menu``: that of the seat. ``chance``: what draws depend on, another at each decision point.
        """
        mind = mind or Mind(self._planner.first_choice, {})
        own = self._world.seating.robots_of(seat)
        moment = Moment(state.kitchen, bool(menu.under_way), chance)
        shift = _Shift(self._planner, self._world.compiled, moment, own, mind)
        for robot in own:
            shift.act(robot)
        idle = IDLE if menu.passing is None else menu.passing.decision
        answer = Acts(tuple(shift.acts)) if shift.acts else idle
        return answer, Mind(shift.choice, shift.plans)


class Moment(NamedTuple):
    """When it decides: the kitchen, whether something goes on in it by itself, what draws depend on."""

    kitchen: Kitchen
    goes_on: bool
    chance: str


class _Shift:
    """One decision while its robots are given something to do, one after the other."""

    def __init__(
        self, planner: Planner, compiled: Compiled, moment: Moment, own: Sequence[int], mind: Mind
    ) -> None:
        self._planner = planner
        self._compiled = compiled
        self._moment = moment
        self._partners = [robot for robot in compiled.robots if robot not in own]
        self._kitchen = moment.kitchen
        self.choice = planner.kept_up(self._kitchen, mind.choice)
        self.plans = dict(mind.plans)
        self.acts: list[str] = []

    def act(self, robot: int) -> None:
        """The next operator of a robot: that of the plan in hand, or of a new one."""
        plan = self.plans.pop(robot, NOTHING)
        if not self._stands(plan):
            plan = self._new_plan(robot)
        if plan.operators:
            self._kitchen = self._compiled.apply(self._kitchen, plan.operators[0])
            self.acts.append(plan.operators[0].name)
            self.plans[robot] = Plan(plan.operators[1:], plan.reserved)

    def _stands(self, plan: Plan) -> bool:
        """Whether the operators in hand can be done, one after the other; what cannot be undone is thought
        over again before it is done."""
        if not plan.operators or plan.operators[0].adds & self._planner.irreversible(self._kitchen):
            return False
        facts = self._kitchen.facts
        for operator in plan.operators:
            if not operator.applicable(facts):
                return False
            facts = facts & ~operator.deletes | operator.adds
        return self._compiled.is_applicable(self._kitchen, plan.operators[0])

    def _new_plan(self, robot: int) -> Plan:
        """The operators to a subgoal, or a useful one meanwhile; none if the robot had better wait."""
        others = [other for other in self._compiled.robots if other != robot]
        reserved = self._reserved(robot)
        found = self._planner.nearest(self._kitchen, self.choice, robot, reserved)
        if found is not None:
            self.choice, plan = found
            return plan
        operator = self._planner.later(self._kitchen, self.choice, robot, others, reserved)
        if operator is None and others:
            operator = self._planner.aside(self._kitchen, self.choice, robot)
        return Plan((operator,), NOTHING_RESERVED) if operator is not None else self._way_out(robot, others)

    def _way_out(self, robot: int, others: Sequence[int]) -> Plan:
        """Nothing while time or others may help (but now and then); then a wide search, then any operator."""
        draw = random.Random(f"{self._moment.chance}/{robot}")
        helped = any(self._planner.nearest(self._kitchen, self.choice, other) for other in others)
        if self._moment.goes_on or (helped and draw.random() < PATIENT):
            return NOTHING
        found = self._planner.nearest(self._kitchen, self.choice, robot, breadth=WIDE)
        if found is not None:
            self.choice, plan = found
            return plan
        operators = [
            operator for operator in self._compiled.applicable(self._kitchen) if operator.robots == (robot,)
        ]
        return Plan((draw.choice(operators),), NOTHING_RESERVED) if operators and not helped else NOTHING

    def _reserved(self, robot: int) -> frozenset[int]:
        """What other robots are about: those of the seat, and as far as one can guess such partners as
        have their hands full or, if this one has not either, a lower number."""
        reserved = NOTHING_RESERVED.union(*(plan.reserved for plan in self.plans.values()))
        busy = {one: self._planner.is_busy(self._kitchen, one) for one in (*self._partners, robot)}
        order = sorted(busy, key=lambda one: (not busy[one], one))
        for partner in order[: order.index(robot)]:
            found = self._planner.nearest(self._kitchen, self.choice, partner, reserved)
            reserved |= found[1].reserved if found else NOTHING_RESERVED
        return reserved


MOST_STEPS = 500
"""Steps after which it is given up."""


def followed_plan(
    world: Robotouille, state: State, most_steps: int = MOST_STEPS
) -> tuple[dict[Seat, Acts], ...] | None:
    """The decisions with which it completes the goal; ``None`` if it does not in ``most_steps``."""
    follower = RecipeFollower(world)
    minds: dict[Seat, Mind] = {}
    steps: list[dict[Seat, Acts]] = []
    while (seats := world.deciders(state)) and len(steps) < most_steps:
        decided: dict[Seat, Acts] = {}
        for seat in seats:
            chance = f"{seat}/{len(steps)}"
            menu = world.menu(state, seat)
            decided[seat], minds[seat] = follower.decide(state, seat, menu, minds.get(seat), chance)
        steps.append(decided)
        state = world.step(state, decided).state
    return tuple(steps) if state.ended == "completed" else None
