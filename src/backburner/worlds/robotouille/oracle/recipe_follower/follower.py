"""The recipe follower: begins what goes on by itself, does the other work, and puts dishes together."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from backburner.kernel.menu import Menu
from backburner.kernel.values import Seat
from backburner.worlds.robotouille.game import Acts, Robotouille
from backburner.worlds.robotouille.game.actions import IDLE
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.state import Kitchen, State
from backburner.worlds.robotouille.oracle.recipe_follower.planning import UNCLAIMED, Plan, Planner
from backburner.worlds.robotouille.oracle.recipe_follower.situation import Choice
from backburner.worlds.robotouille.oracle.recipe_follower.ways import WIDE

PATIENT = 0.75
"""How often a robot that knows nothing to do leaves it at that while somebody else has something."""

NOTHING = Plan((), UNCLAIMED)


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
        passing = (option.decision for option in menu.options if option.passes)
        answer = Acts(tuple(shift.acts)) if shift.acts else next(passing, IDLE)
        return answer, Mind(shift.choice, shift.plans)


class Moment(NamedTuple):
    """When it decides: the kitchen, whether something goes on in it by itself, what draws depend on."""

    kitchen: Kitchen
    goes_on: bool
    chance: str


class _Shift:
    """One decision while its robots are given something to do, one after the other."""

    def __init__(
        self, planner: Planner, engine: Compiled, moment: Moment, own: Sequence[int], mind: Mind
    ) -> None:
        self._planner = planner
        self._engine = engine
        self._moment = moment
        self._partners = [robot for robot in engine.robots if robot not in own]
        self._kitchen = moment.kitchen
        self.choice = planner.kept_up(self._kitchen, mind.choice)
        self.plans = dict(mind.plans)
        self.acts: list[str] = []

    def act(self, robot: int) -> None:
        """The next deed of a robot: that of the plan in hand, or of a new one."""
        plan = self.plans.pop(robot, NOTHING)
        if not self._stands(plan):
            plan = self._new_plan(robot)
        if plan.deeds:
            self._kitchen = self._engine.apply(self._kitchen, plan.deeds[0])
            self.acts.append(plan.deeds[0].name)
            self.plans[robot] = Plan(plan.deeds[1:], plan.claims)

    def _stands(self, plan: Plan) -> bool:
        """Whether the deeds in hand can be done, one after the other; what cannot be undone is thought
        over again before it is done."""
        if not plan.deeds or plan.deeds[0].adds & self._planner.lasting(self._kitchen):
            return False
        facts = self._kitchen.facts
        for deed in plan.deeds:
            if not deed.applicable(facts):
                return False
            facts = facts & ~deed.deletes | deed.adds
        return self._engine.is_applicable(self._kitchen, plan.deeds[0])

    def _new_plan(self, robot: int) -> Plan:
        """The way to a subgoal, or something useful meanwhile; without deeds if it had better wait."""
        others = [other for other in self._engine.robots if other != robot]
        claimed = self._claimed(robot)
        found = self._planner.nearest(self._kitchen, self.choice, robot, claimed)
        if found is not None:
            self.choice, plan = found
            return plan
        deed = self._planner.later(self._kitchen, self.choice, robot, others, claimed)
        if deed is None and others:
            deed = self._planner.aside(self._kitchen, self.choice, robot)
        return Plan((deed,), UNCLAIMED) if deed is not None else self._way_out(robot, others)

    def _way_out(self, robot: int, others: Sequence[int]) -> Plan:
        """Nothing while time or others may help, now and then excepted; then any way, then any deed."""
        draw = random.Random(f"{self._moment.chance}/{robot}")
        helped = any(self._planner.nearest(self._kitchen, self.choice, other) for other in others)
        if self._moment.goes_on or (helped and draw.random() < PATIENT):
            return NOTHING
        found = self._planner.nearest(self._kitchen, self.choice, robot, breadth=WIDE)
        if found is not None:
            self.choice, plan = found
            return plan
        deeds = [deed for deed in self._engine.applicable(self._kitchen) if deed.robots == (robot,)]
        return Plan((draw.choice(deeds),), UNCLAIMED) if deeds and not helped else NOTHING

    def _claimed(self, robot: int) -> frozenset[int]:
        """What other robots are about: those of the seat, and as far as one can guess such partners as
        have their hands full or, if this one has not either, a lower number."""
        claimed = UNCLAIMED.union(*(plan.claims for plan in self.plans.values()))
        busy = {one: self._planner.is_busy(self._kitchen, one) for one in (*self._partners, robot)}
        order = sorted(busy, key=lambda one: (not busy[one], one))
        for partner in order[: order.index(robot)]:
            found = self._planner.nearest(self._kitchen, self.choice, partner, claimed)
            claimed |= found[1].claims if found else UNCLAIMED
        return claimed
