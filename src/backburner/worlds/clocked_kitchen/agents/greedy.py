"""An agent without a model: takes open orders apart into tasks, and gives the most urgent to who is nearest.

What there is to do it finds as CuisineWorld's greedy dispatcher does; who does it follows from how far
everybody has to walk. It plans for all bodies and commands its own, so that seats that play alike share the
work.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backburner.kernel.policy import PlainPolicy, Reply, Turn
from backburner.worlds.clocked_kitchen.game.state import Input, Observation
from backburner.worlds.clocked_kitchen.game.world import ClockedKitchen
from backburner.worlds.cuisineworld.agents.planner_state import Domain, PlannerState
from backburner.worlds.cuisineworld.agents.tasks import AHEAD, NOBODY, Task, deadlocked, tasks_of, way_out
from backburner.worlds.cuisineworld.game.rule_set import NO_LIMITS, STANDARD
from backburner.worlds.cuisineworld.game.state import ACTIVATE, GET, NOTHING, PUT, VERBS, Act
from backburner.worlds.cuisineworld.game.world import CuisineWorld


class Greedy(PlainPolicy):
    """Plays the bodies of its seat, by what the seat sees."""

    name = "greedy"

    def __init__(self, world: ClockedKitchen) -> None:
        self._compiled = world.compiled
        self._domain = Domain(CuisineWorld(world.id, world.scenario.kitchen, STANDARD, NO_LIMITS))
        self._step = world.scenario.clock.step_ticks

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """A command for each body that has nothing under way; what was made where is remembered."""
        seen: Observation = turn.observation
        made = self.made(seen, memory or frozenset())
        number = self._compiled.kitchen.thing_number
        return Reply(self.commands(seen, made, [number[order.dish] for order in seen.orders], AHEAD), made)

    def commands(self, seen: Observation, made: frozenset[int], wanted: Sequence[int], ahead: int) -> Input:
        """What the bodies of a seat that are free are to do for these dishes, the most urgent first, and so
        many spare ones of each; ``made`` as it is remembered."""
        doing = dict(seen.under_way)
        free = [name for name in seen.own if name not in doing]
        if not free:
            return Input()
        acts = dict(self._acts(seen, self._now(seen, made, wanted), ahead))
        numbers = self._compiled.names
        return Input(tuple(self._command(name, acts.get(numbers.index(name))) for name in free))

    def made(self, seen: Observation, memory: frozenset[int]) -> frozenset[int]:
        """The tools whose content was made there: those seen at work, until they are empty."""
        working = {place for place, there in enumerate(seen.places) if there.busy_seconds}
        return frozenset(place for place in memory | working if seen.places[place].inside)

    def _now(self, seen: Observation, made: frozenset[int], wanted: Sequence[int]) -> PlannerState:
        """What the seat sees, in the numbers of the text game, times in its steps."""
        kitchen, a_step = self._compiled.kitchen, self._step / 10
        number = kitchen.thing_number
        now = PlannerState(self._domain, range(len(seen.bodies)), int((seen.seconds - seen.second) / a_step))
        now.at = [kitchen.place_number.get(body.at, NOTHING) for body in seen.bodies]
        now.held = [number[body.held] if body.held else NOTHING for body in seen.bodies]
        now.inside = [tuple(number[name] for name in place.inside) for place in seen.places]
        now.busy = [int(-(-place.busy_seconds // a_step)) for place in seen.places]
        now.made = set(made)
        now.orders = [(dish, 0) for dish in wanted]  # how long each waits, nobody asks
        return now

    def _acts(self, seen: Observation, now: PlannerState, ahead: int) -> Iterator[tuple[int, Act]]:
        """(body, what it is to do): what is held is brought on, then the most urgent task goes to the
        nearest."""
        tasks = tasks_of(now, ahead=ahead)
        held = [task for task in tasks if task.holder != NOBODY]
        if deadlocked(now, held):
            act = way_out(now, held)
            yield act.body, Act(act.body, PUT, self._domain.storage, now.held[act.body])
            return
        for task in held:
            yield task.holder, Act(task.holder, PUT, task.target, task.thing)
        free = {body for body in now.bodies if now.held[body] == NOTHING and not seen.bodies[body].busy}
        spare = len(now.bodies) - sum(task.blocked for task in held)
        for task in sorted((t for t in tasks if t.holder == NOBODY), key=lambda task: task.blocked):
            if not free:
                return
            if task.blocked:
                if spare <= 1:
                    continue
                spare -= 1
            body = min(free, key=lambda body: (self._steps(seen, body, task), body))
            free.discard(body)
            yield body, Act(body, task.verb, task.source, task.thing)

    def _steps(self, seen: Observation, body: int, task: Task) -> int:
        """How far a body has to walk to begin a task."""
        floor = self._compiled.floor
        targets = floor.target_of
        target = targets.get((task.source, task.thing), targets[task.source, NOTHING])
        column, row = seen.bodies[body].cell
        return floor.targets[target].distance[row * floor.width + column]

    def _command(self, name: str, act: Act | None) -> str:
        """The command for an act as it is written; where one only could wait, to stand still."""
        if act is None or act.verb not in (GET, PUT, ACTIVATE):
            return f"noop_{name}"
        kitchen = self._compiled.kitchen
        place = kitchen.places[act.place]
        if act.verb == GET and act.place == self._domain.storage:
            return "_".join((VERBS[GET], name, kitchen.things[act.thing], place))
        return "_".join((VERBS[act.verb], name, place))
