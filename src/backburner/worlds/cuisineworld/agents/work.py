"""What is left to do: dishes taken apart into things to carry and tools to activate.

What is there already is used first: things in hands, products in tools, tools filled in part. Each is
promised to one purpose, the most urgent first; what an order no longer needs serves the next.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from backburner.worlds.cuisineworld.agents.situation import Situation
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, PUT
from backburner.worlds.cuisineworld.game.state import NOTHING

NOBODY = -1
NOWHERE = -1

BEING_FILLED = 1000
"""Steps, more than any tool takes: a tool that is still being filled is emptied after all others."""


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


class Work:
    """The tasks of demands, which are given in order of urgency.

    ``open``: tasks that somebody with empty hands must do.
    """

    def __init__(self, now: Situation) -> None:
        self.now = now
        self.book = now.book
        self.tasks: list[Task] = []
        self.open = 0
        self._hands = {body: now.held[body] for body in now.bodies if now.held[body] != NOTHING}
        self._tools = {place for places in self.book.tools.values() for place in places}
        self._emptied: dict[int, int] = {}
        self._rank = 0

    def demand(self, dish: int) -> None:
        """Add what one more of this dish takes, as far as there are tools for it."""
        self._rank += 1
        self._need(dish, self.book.kitchen.start)

    @property
    def plenty(self) -> bool:
        """Whether there is more to do than there are bodies, and all that they hold has a purpose."""
        return self.open > 2 * len(self.now.bodies) and not self._hands

    def leftovers(self) -> Iterable[Task]:
        """What to do with things in hands that nothing needs."""
        for body, thing in self._hands.items():
            goal = self._goal(thing)
            yield Task(PUT, thing, goal, goal, self._rank + 1, body)

    def _goal(self, thing: int) -> int:
        """Where something goes that nothing needs: to a table with room, or away."""
        served = thing in self.book.kitchen.dish_of_thing and self.now.welcome(thing)
        return self.book.kitchen.start if served else self.book.storage

    def _need(self, thing: int, target: int, blocked: bool = False) -> None:
        """Have a thing brought to a place."""
        holder = self._holder(thing, target)
        if holder != NOBODY:
            del self._hands[holder]
            self._add(Task(PUT, thing, target, target, self._rank, holder, self.now.busy[target], blocked))
            return
        made = self.book.recipes.get(thing)
        if made is None:
            self._add(Task(GET, thing, self.book.storage, target, self._rank, blocked=blocked))
            return
        source = self._finished(thing, made.tool)
        if source == NOWHERE:
            self._make(thing)
        else:
            self._fetch(source, target, blocked)

    def _holder(self, thing: int, target: int) -> int:
        """Who holds the thing for nothing yet; somebody who is where it must go, if there is."""
        found = NOBODY
        for body, held in self._hands.items():
            if held == thing and (found == NOBODY or self.now.at[body] == target):
                found = body
        return found

    def _finished(self, thing: int, kind: str) -> int:
        """A tool with this product that nobody was promised; the one that can be emptied first."""
        found = NOWHERE
        for place in self.book.tools[kind]:
            if self.now.inside[place] == (thing,) and place in self._tools:
                sooner = found == NOWHERE or self.now.busy[place] < self.now.busy[found]
                if sooner and self.now.product(place) == thing:
                    found = place
        return found

    def _fetch(self, source: int, target: int, blocked: bool = False) -> None:
        """Have a tool's product taken away."""
        self._tools.discard(source)
        wait = self.now.busy[source]
        self._emptied[source] = wait
        self._add(Task(GET, self.now.inside[source][0], source, target, self._rank, NOBODY, wait, blocked))

    def _make(self, thing: int) -> None:
        kind = self.book.recipes[thing].tool
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
        made, most, found = self.book.recipes[thing], -1, NOWHERE
        for place in self.book.tools[made.tool]:
            content = self.now.inside[place]
            fits = place in self._tools and len(content) > most and made.inputs.issuperset(content)
            # A product at rest in its tool takes no company, but may be all that goes in.
            if fits and (self.now.product(place) == NOTHING or len(made.inputs) == 1):
                most, found = len(content), place
        return found

    def _fill(self, tool: int, thing: int, blocked: bool = False) -> None:
        """Put what is missing for a product into a tool, and activate it."""
        self._tools.discard(tool)
        content = () if blocked else self.now.inside[tool]
        missing = self.book.recipes[thing].inputs.difference(content)
        if not blocked:
            self._emptied[tool] = BEING_FILLED + len(missing)
        if not missing:
            self._add(Task(ACTIVATE, thing, tool, tool, self._rank, wait=self.now.busy[tool]))
        if not content and (first := self._begun_here(tool, missing)) != NOTHING:
            # Nothing else goes in before this is done.
            if not blocked:
                self._fill(tool, first)
            return
        # What takes longest comes first: products before ingredients.
        for part in sorted(missing, key=lambda part: (part not in self.book.recipes, part)):
            self._need(part, tool, blocked)

    def _begun_here(self, tool: int, parts: Iterable[int]) -> int:
        """One of the parts that a tool of the same kind makes, if it is not there yet."""
        kind, recipes = self.book.kind[tool], self.book.recipes
        for part in self.book.made_and_used.intersection(parts):
            there = part in self._hands.values() or self._finished(part, recipes[part].tool) != NOWHERE
            if recipes[part].tool == kind and not there:
                return part
        return NOTHING

    def _next_emptied(self, kind: str) -> int:
        """The tool of a kind that is emptied for a more urgent demand, the soonest first."""
        there = [place for place in self.book.tools[kind] if place in self._emptied]
        return min(there, key=lambda place: (self._emptied[place], place), default=NOWHERE)

    def _make_room(self, kind: str, thing: int) -> None:
        """Where every tool of a kind holds something else: finish what is in one, or take it out."""
        for place in self.book.tools[kind]:
            if place not in self._tools:
                continue
            product = self.now.product(place)
            if product == NOTHING:
                self._fill(place, self._growing(place))
            else:
                used = product in self.book.recipes[thing].inputs
                self._fetch(place, place if used else self._goal(product))
            return

    def _growing(self, place: int) -> int:
        """A product of the level that what is inside a tool goes into."""
        content, kind = self.now.inside[place], self.book.kind[place]
        recipes = self.book.recipes.items()
        return next(p for p, made in recipes if made.tool == kind and made.inputs.issuperset(content))

    def _add(self, task: Task) -> None:
        self.open += task.holder == NOBODY
        self.tasks.append(task)
