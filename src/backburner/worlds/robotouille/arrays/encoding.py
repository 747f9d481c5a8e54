"""Robotouille in numbers: what a robot does without what follows from where it is, and the facts that change.

Everybody sees the whole kitchen, so features are the same for all robots but for which of them one is.
As observations do, they tell facts and that the last decision was refused; they tell no timers, no counts of
cuts and not the steps that are left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backburner.arrays.encoding import Encoding
from backburner.kernel.errors import Refused, UnknownLimits
from backburner.kernel.values import Refusal, Seat
from backburner.worlds.robotouille.arrays.codes import Codes
from backburner.worlds.robotouille.arrays.outlook import Outlook
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.actions import Acts
from backburner.worlds.robotouille.game.catalogue import limits_of
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.layout import Layout, Object
from backburner.worlds.robotouille.game.scenarios import SHIPPED_DOMAIN
from backburner.worlds.robotouille.game.state import State

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
        self.waits = _waiting(compiled)
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
            return Acts((self.waits,))
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


def _waiting(compiled: Compiled) -> str:
    """The name of the action that only waits; empty if the domain has none."""
    layout: Layout = compiled.layout(compiled.start)
    for index, action in enumerate(compiled.domain.actions):
        if not (action.params or action.preconditions or action.effects or action.starts):
            return compiled.ground(layout, index, ()).name
    return ""


def _article_steps(world: Robotouille) -> int | None:
    """The article's limit of steps, where it can be told."""
    try:
        return limits_of(world.id, world.scenario, world.rules).steps
    except UnknownLimits:
        return None


def encoding(world: Robotouille) -> RobotouilleEncoding:
    """The encoding of a world; raises ``Refused`` for kitchens in which nothing bounds what is made."""
    return RobotouilleEncoding(world)
