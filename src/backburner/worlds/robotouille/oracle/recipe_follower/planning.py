"""What a robot does next: the open subgoal that is nearest, what goes on by itself before all else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.schema import PLAYER, STATION
from backburner.worlds.robotouille.game.state import Kitchen
from backburner.worlds.robotouille.oracle.recipe_follower.assembly import Assembly
from backburner.worlds.robotouille.oracle.recipe_follower.choice import Chooser
from backburner.worlds.robotouille.oracle.recipe_follower.means import Means
from backburner.worlds.robotouille.oracle.recipe_follower.situation import UNMADE, Choice, Situation
from backburner.worlds.robotouille.oracle.recipe_follower.subgoals import Kind, Subgoal
from backburner.worlds.robotouille.oracle.recipe_follower.ways import NARROW, Breadth, Ways

PUT_OFF: dict[Kind, int] = {"timed": 0, "worked": 4, "tied": 2}
"""Steps by which a subgoal counts as further away."""

PATIENCE = 12
"""Steps that are looked ahead when there is nothing to do."""

REMEMBERED = 256
"""Plans that are kept in mind, whoever follows them."""

UNCLAIMED: frozenset[int] = frozenset()


class Plan(NamedTuple):
    """The deeds of one robot, and the things that nobody else is to take meanwhile."""

    deeds: tuple[GroundAction, ...]
    claims: frozenset[int]


class Planner:
    """Plans for single robots in the kitchens of one problem."""

    def __init__(self, engine: Compiled) -> None:
        self._engine = engine
        self._means = Means(engine)
        self._assembly = Assembly(self._means)
        self._chooser = Chooser(self._means, self._assembly)
        self._n_at_start = len(engine.layout(engine.start).objects)
        self.nearest = lru_cache(maxsize=REMEMBERED)(self._nearest)
        """See ``_nearest``; robots ask for each other's."""
        self.first_choice = self._chooser.choices(engine.start)[0]

    def situation(self, kitchen: Kitchen, choice: Choice) -> Situation:
        """A kitchen, seen with certain things for the goal's variables."""
        return Situation(self._means, self._assembly, kitchen, choice)

    def kept_up(self, kitchen: Kitchen, choice: Choice) -> Choice:
        """The choice, with what has been made since; a new one where a thing is gone."""
        if any(thing != UNMADE and kitchen.gone >> thing & 1 for thing in choice):
            return self._chooser.choices(kitchen)[0]
        made = len(self._engine.layout(kitchen).objects) > self._n_at_start
        return self._chooser.choices(kitchen, choice)[0] if made and UNMADE in choice else choice

    def _nearest(
        self,
        kitchen: Kitchen,
        choice: Choice,
        robot: int,
        claimed: frozenset[int] = UNCLAIMED,
        breadth: Breadth = NARROW,
    ) -> tuple[Choice, Plan] | None:
        """The nearest subgoal that has nothing to do with what is ``claimed``, with this choice of things
        or another that is as good or better; ``None`` if none can be reached."""
        found: dict[tuple[int, int], tuple[Choice, Plan]] = {}
        seen: set[tuple[GroundAction, ...]] = set()
        for number, other in enumerate(self._chooser.choices(kitchen, choice)):
            situation = self.situation(kitchen, other)
            ways = Ways(situation, robot, claimed)
            for subgoal in ways.subgoals:
                if subgoal.deeds not in seen:
                    seen.add(subgoal.deeds)
                    way = ways.to(subgoal, breadth)
                    if way is not None:
                        plan = Plan(way, _claims(situation, subgoal, way[-1]))
                        found.setdefault((len(way) + PUT_OFF[subgoal.kind], number), (other, plan))
        return found[min(found)] if found else None

    def later(
        self, kitchen: Kitchen, choice: Choice, robot: int, others: Sequence[int], claimed: frozenset[int]
    ) -> GroundAction | None:
        """What prepares for the next subgoal that opens when something has ended that goes on, or somebody
        has stepped aside; ``None`` if there is no such deed, or none that does no harm now."""
        kept = self.situation(kitchen, choice).kept()
        for after in self._to_come(kitchen, others):
            found = self.nearest(after, self.kept_up(after, choice), robot, claimed)
            if found is not None:
                deed = found[1].deeds[0]
                harmless = not deed.deletes & kept and not deed.starts and deed.applicable(kitchen.facts)
                return deed if harmless and self._engine.is_applicable(kitchen, deed) else None
        return None

    def _to_come(self, kitchen: Kitchen, others: Sequence[int]) -> Iterator[Kitchen]:
        """The kitchens that differ while nobody does anything and the others are out of the way."""
        seen = {kitchen.facts}
        for _ in range(PATIENCE):
            free = replace(kitchen, facts=self._without(kitchen, others))
            if free.facts not in seen:
                seen.add(free.facts)
                yield free
            kitchen, before = self._engine.effects.tick(kitchen), kitchen
            if kitchen == before:
                return

    def _without(self, kitchen: Kitchen, others: Sequence[int]) -> int:
        """The facts if other robots had gone from where they stand."""
        layout, facts = self._engine.layout(kitchen), kitchen.facts
        roles = self._means.roles
        if "player_at" in roles and "station_free" in roles:
            for robot in others:
                standing = facts & layout.about[robot] & layout.of_predicate[roles["player_at"]]
                facts &= ~standing
                for _, (_, station) in layout.true_atoms(standing):
                    facts |= layout.bit(roles["station_free"], (station,))
        return facts

    def lasting(self, kitchen: Kitchen) -> int:
        """All facts that nothing makes false again."""
        return self._means.lasting(self._engine.layout(kitchen))

    def is_busy(self, kitchen: Kitchen, robot: int) -> bool:
        """Whether a robot has something in its hands."""
        layout = self._engine.layout(kitchen)
        tied = layout.true_atoms(kitchen.facts & layout.about[robot] & self._means.ties(layout))
        return any(
            layout.objects[thing].type not in (PLAYER, STATION) for _, things in tied for thing in things
        )

    def aside(self, kitchen: Kitchen, choice: Choice, robot: int) -> GroundAction | None:
        """A step out of the way, from a station that somebody may need to one that nobody needs."""
        situation = self.situation(kitchen, choice)
        things = situation.layout.objects
        near = {other for thing in choice if thing != UNMADE for other in situation.neighbours(thing)}
        in_use = near.union(choice, self._means.workplaces(situation.layout, kitchen.facts))
        here = {other for other in situation.neighbours(robot) if things[other].type == STATION}
        moves = [
            deed
            for deed in self._engine.applicable(kitchen)
            if deed.robots == (robot,) and not deed.starts and not in_use.intersection(set(deed.args) - here)
            if len(deed.args) > 1 and all(things[arg].type in (STATION, PLAYER) for arg in deed.args)
        ]
        # Each another one, as several may step aside at once.
        return moves[self._engine.robots.index(robot) % len(moves)] if here & in_use and moves else None


def _claims(situation: Situation, subgoal: Subgoal, deed: GroundAction) -> frozenset[int]:
    """What is to be carried; for work what it is about, and the place where it is done."""
    places = {thing for thing in subgoal.about if situation.layout.objects[thing].type == STATION}
    if subgoal.kind == "tied":
        return subgoal.about & situation.misplaced() or subgoal.about - places
    return (subgoal.about | set(deed.args)) - set(deed.robots)
