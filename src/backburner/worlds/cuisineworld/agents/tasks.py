"""What is left to do: dishes taken apart into tasks, and the acts that bring tasks on.

A task is to carry a thing or to activate a tool. What is there already is used first: things in hands,
products in tools, tools filled in part. Each is promised to one purpose, the most urgent first; what an
order no longer needs serves the next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from backburner.worlds.cuisineworld.agents.planner_state import PlannerState
from backburner.worlds.cuisineworld.game.state import ACTIVATE, GET, GOTO, NOTHING, PUT, Act

NOBODY = -1
NOWHERE = -1

AHEAD = 2
"""Spare dishes of each kind that are worth having."""

BEING_FILLED = 1000
"""Steps, more than any tool takes: a tool that is still being filled is emptied after all others."""

Assign = Callable[[PlannerState], Iterable[Act]]
"""The next act of each body that has something to do, in the middle of a step."""


class Task(Struct, frozen=True):
    """Bring ``thing`` from ``source`` to ``target``, or activate ``target`` to make it.

    ``verb``: what to do at ``source`` next; a thing that ``holder`` has is put, and ``source`` is then
    ``target``. ``wait``: steps until ``source`` can be touched. ``blocked``: the target still holds
    something that somebody must take away first. ``rank``: of the demand it is for, from 1.
    """

    verb: int
    thing: int
    source: int
    target: int
    rank: int
    holder: int = NOBODY
    wait: int = 0
    blocked: bool = False


class TaskList:
    """Takes demands apart into tasks; demands are given in order of urgency.

    ``open``: how many tasks somebody with empty hands must do.
    """

    def __init__(self, now: PlannerState) -> None:
        self.now = now
        self.domain = now.domain
        self.tasks: list[Task] = []
        self.open = 0
        self._hands = {body: now.held[body] for body in now.bodies if now.held[body] != NOTHING}
        self._tools = {place for places in self.domain.tools.values() for place in places}
        self._emptied: dict[int, int] = {}
        self._rank = 0

    def demand(self, dish: int) -> None:
        """Add what one more of this dish takes, as far as there are tools for it."""
        self._rank += 1
        self._need(dish, self.domain.compiled.start)

    @property
    def enough(self) -> bool:
        """Whether there is more to do than there are bodies, and all that they hold has a purpose."""
        return self.open > 2 * len(self.now.bodies) and not self._hands

    @property
    def all(self) -> list[Task]:
        """The tasks, and what to do with things in hands that nothing needs."""
        return [*self.tasks, *self._leftovers()]

    def _leftovers(self) -> Iterable[Task]:
        for body, thing in self._hands.items():
            place = self._destination(thing)
            yield Task(PUT, thing, place, place, self._rank + 1, body)

    def _destination(self, thing: int) -> int:
        """Where something goes that nothing needs: to a table with room, or away."""
        served = thing in self.domain.compiled.dish_of_thing and self.now.tables_take(thing)
        return self.domain.compiled.start if served else self.domain.storage

    def _need(self, thing: int, target: int, blocked: bool = False) -> None:
        """Have a thing brought to a place."""
        holder = self._holder(thing, target)
        if holder != NOBODY:
            del self._hands[holder]
            self._add(Task(PUT, thing, target, target, self._rank, holder, self.now.busy[target], blocked))
            return
        recipe = self.domain.recipes.get(thing)
        if recipe is None:
            self._add(Task(GET, thing, self.domain.storage, target, self._rank, blocked=blocked))
            return
        source = self._finished(thing, recipe.tool)
        if source == NOWHERE:
            self._make(thing)
        else:
            self._fetch(source, target, blocked)

    def _holder(self, thing: int, target: int) -> int:
        """A body that holds the thing for no purpose yet; one that is where the thing must go comes first."""
        holder = NOBODY
        for body, held in self._hands.items():
            if held == thing and (holder == NOBODY or self.now.at[body] == target):
                holder = body
        return holder

    def _finished(self, thing: int, kind: str) -> int:
        """A tool whose product this is and that is promised to nobody; the one that can be emptied first."""
        first = NOWHERE
        for place in self.domain.tools[kind]:
            if self.now.inside[place] == (thing,) and place in self._tools:
                sooner = first == NOWHERE or self.now.busy[place] < self.now.busy[first]
                if sooner and self.now.product(place) == thing:
                    first = place
        return first

    def _fetch(self, source: int, target: int, blocked: bool = False) -> None:
        """Have a tool's product taken away."""
        self._tools.discard(source)
        wait = self.now.busy[source]
        self._emptied[source] = wait
        self._add(Task(GET, self.now.inside[source][0], source, target, self._rank, NOBODY, wait, blocked))

    def _make(self, thing: int) -> None:
        kind = self.domain.recipes[thing].tool
        tool = self._tool_for(thing)
        if tool != NOWHERE:
            self._fill(tool, thing)
        elif (tool := self._next_emptied(kind)) != NOWHERE:
            del self._emptied[tool]
            self._fill(tool, thing, blocked=True)
        else:
            self._make_room(kind, thing)

    def _tool_for(self, thing: int) -> int:
        """The free tool whose content goes furthest towards the product, and wastes nothing."""
        recipe, most, best = self.domain.recipes[thing], -1, NOWHERE
        for place in self.domain.tools[recipe.tool]:
            content = self.now.inside[place]
            fits = place in self._tools and len(content) > most and recipe.inputs.issuperset(content)
            # A product at rest in its tool takes no company, but may be all that goes in.
            if fits and (self.now.product(place) == NOTHING or len(recipe.inputs) == 1):
                most, best = len(content), place
        return best

    def _fill(self, tool: int, thing: int, blocked: bool = False) -> None:
        """Put what is missing for a product into a tool, and activate it."""
        self._tools.discard(tool)
        content = () if blocked else self.now.inside[tool]
        missing = self.domain.recipes[thing].inputs.difference(content)
        if not blocked:
            self._emptied[tool] = BEING_FILLED + len(missing)
        if not missing:
            self._add(Task(ACTIVATE, thing, tool, tool, self._rank, wait=self.now.busy[tool]))
        if not content and (first := self._made_here_first(tool, missing)) != NOTHING:
            # Nothing else goes in before this is done.
            if not blocked:
                self._fill(tool, first)
            return
        # What takes longest comes first: products before ingredients.
        for name in sorted(missing, key=lambda name: (name not in self.domain.recipes, name)):
            self._need(name, tool, blocked)

    def _made_here_first(self, tool: int, missing: Iterable[int]) -> int:
        """A missing input that a tool of the same kind makes, if it is not there yet."""
        kind, recipes = self.domain.kind[tool], self.domain.recipes
        for thing in self.domain.made_and_used.intersection(missing):
            there = thing in self._hands.values() or self._finished(thing, recipes[thing].tool) != NOWHERE
            if recipes[thing].tool == kind and not there:
                return thing
        return NOTHING

    def _next_emptied(self, kind: str) -> int:
        """The tool of a kind that is emptied for a more urgent demand, the soonest first."""
        there = [place for place in self.domain.tools[kind] if place in self._emptied]
        return min(there, key=lambda place: (self._emptied[place], place), default=NOWHERE)

    def _make_room(self, kind: str, thing: int) -> None:
        """Where every tool of a kind holds something else: finish what is in one, or take it out."""
        for place in self.domain.tools[kind]:
            if place not in self._tools:
                continue
            product = self.now.product(place)
            if product == NOTHING:
                self._fill(place, self._growing(place))
            else:
                used = product in self.domain.recipes[thing].inputs
                self._fetch(place, place if used else self._destination(product))
            return

    def _growing(self, place: int) -> int:
        """A product of the level that what is inside a tool goes into."""
        content, kind = self.now.inside[place], self.domain.kind[place]
        recipes = self.domain.recipes.items()
        return next(p for p, recipe in recipes if recipe.tool == kind and recipe.inputs.issuperset(content))

    def _add(self, task: Task) -> None:
        self.open += task.holder == NOBODY
        self.tasks.append(task)


def tasks_of(now: PlannerState, first: int = NOTHING, ahead: int = AHEAD) -> list[Task]:
    """The tasks of all open orders, then of spare dishes, the rarest first.

    Orders come by deadline, but those for the dish ``first`` before all others. ``ahead``: spare dishes of
    each kind that are cooked ahead.
    """
    work, dishes = TaskList(now), now.domain.dishes
    orders = [dish for dish, _ in now.orders if dish in dishes]
    for dish in sorted(orders, key=lambda dish: dish != first):
        work.demand(dish)
    stock = {dish: now.on_tables(dish) for dish in dishes}
    room = now.domain.table_room
    spare = ahead * len(dishes) if room is None else room - sum(stock.values())
    for _ in range(spare):
        dish = min(stock, key=lambda dish: stock[dish])
        if stock[dish] >= ahead or work.enough:
            break
        stock[dish] += 1
        work.demand(dish)
    return work.all


def acts_of_step(now: PlannerState, assign: Assign, groups: Sequence[Collection[int]]) -> list[Act]:
    """The acts of one step, in the order in which they are to be carried out; ``now`` follows them.

    What a body can do where it is comes first, and is planned on: so one body puts the last thing in, the
    next activates, the third takes what was made, in one step. ``groups``: the bodies of each seat, whose
    commands come in this order. Then everybody goes where work waits.
    """
    acts: list[Act] = []
    wanted: list[Act] = []
    for group in groups:
        while now.unassigned:
            wanted = [act for act in assign(now) if act.body in now.unassigned]
            here = next((a for a in wanted if a.verb != GOTO and a.body in group and now.applicable(a)), None)
            if here is None:
                break
            now.apply(here)
            acts.append(here)
    for act in wanted:
        if act.verb == GOTO and act.body in now.unassigned:
            now.apply(act)
            acts.append(act)
    return acts


def next_act(now: PlannerState, task: Task, body: int) -> Act:
    """The next act of a body for a task: to go there, or to do it."""
    if now.at[body] != task.source:
        return Act(body, GOTO, task.source)
    return Act(body, task.verb, task.source, task.thing)


def deadlocked(now: PlannerState, tasks: Iterable[Task]) -> bool:
    """Whether everybody holds something for a tool that nobody has the hands to empty."""
    stuck = sum(task.blocked and task.holder != NOBODY for task in tasks)
    return 0 < stuck == len(now.bodies)


def way_out(now: PlannerState, tasks: Iterable[Task]) -> Act:
    """The act that ends a deadlock: throw the thing away that is needed last."""
    task = max((task for task in tasks if task.holder != NOBODY), key=lambda task: task.rank)
    storage = now.domain.storage
    return next_act(now, Task(PUT, task.thing, storage, storage, task.rank), task.holder)
