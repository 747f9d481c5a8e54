"""One step of the kitchen: the cooks act, then both move at once, then the utensils work.

The first cook acts first, so that the second can take what it puts down in the same step.

What happens is told as events: calls, operations of utensils, words, deliveries. A call lasts from the step
in which it is accepted until it is found done, an operation from the step in which it is started until it is
ready.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Event, Refusal
from backburner.worlds.collab_overcooked.game import calls
from backburner.worlds.collab_overcooked.game import layout as letters
from backburner.worlds.collab_overcooked.game.calls import Call
from backburner.worlds.collab_overcooked.game.layout import DISH, INTERACT, NORTH, START, STAY, Cookbook, Grid
from backburner.worlds.collab_overcooked.game.rule_set import Rules
from backburner.worlds.collab_overcooked.game.state import (
    SEATS,
    Ask,
    Body,
    Content,
    Cook,
    Kitchen,
    Lying,
    Move,
    Operation,
    Reply,
    State,
)

POT = "pot"
"""The kind whose fillings the released program logs as such; see ``Rules.filling_logged_as_putting``."""


class GridStep(Struct, frozen=True, gc=False):
    """What a step led to: for each cook what is logged (empty: nothing), and the order it met.

    ``collided``: the cooks would have shared or swapped cells.
    """

    kitchen: Kitchen
    logged: tuple[str, str]
    met: tuple[str, str]
    collided: bool


class Stepper:
    """The steps of the kitchens of one layout."""

    def __init__(self, grid: Grid, cookbook: Cookbook, rules: Rules) -> None:
        self.grid = grid
        self.cookbook = cookbook
        self.rules = rules

    def start(self, orders: tuple[str, ...]) -> Kitchen:
        """Empty hands, empty utensils, both cooks facing north."""
        first, second = self.grid.starts
        return Kitchen((Body(first, NORTH), Body(second, NORTH)), orders)

    def step(self, kitchen: Kitchen, moves: tuple[Move, Move]) -> GridStep:
        """What follows when the cooks do this."""
        transition = _Transition(self.grid, self.cookbook, self.rules, kitchen)
        for cook in (0, 1):
            if moves[cook][0] == INTERACT:
                transition.act(cook, moves[cook][1])
        collided = transition.move(moves)
        transition.operate()
        return transition.result(kitchen.steps + 1, collided)


class _Transition:
    """A kitchen in the middle of a step. ``started`` and ``ruined``: utensils."""

    def __init__(self, grid: Grid, cookbook: Cookbook, rules: Rules, kitchen: Kitchen) -> None:
        self._grid = grid
        self._rules = rules
        self._cookbook = cookbook
        self._bodies = list(kitchen.bodies)
        self._contents = list(kitchen.contents)
        self._lying = list(kitchen.lying)
        self._orders = list(kitchen.orders)
        self._logged = ["", ""]
        self._met = ["", ""]
        self._started: list[int] = []
        self._ruined: list[int] = []

    def result(self, steps: int, collided: bool) -> GridStep:
        """The step as it has come to be."""
        after = Kitchen(
            (self._bodies[0], self._bodies[1]),
            tuple(self._orders),
            tuple(self._contents),
            tuple(self._lying),
            tuple(self._ruined),
            steps,
        )
        return GridStep(after, (self._logged[0], self._logged[1]), (self._met[0], self._met[1]), collided)

    def act(self, cook: int, parameter: str) -> None:
        """What a cook's act does to the tile that it faces."""
        body = self._bodies[cook]
        cell = body.cell + self._grid.deltas[body.facing]
        tile = self._grid.tiles[cell]
        utensil = self._grid.utensil_at.get(cell)
        if utensil is not None:
            self._at_utensil(cook, utensil, parameter)
        elif tile == letters.COUNTER:
            self._at_counter(cook, cell)
        elif tile == letters.DISHES and not body.held:
            self._take(cook, DISH, False, calls.DISH_DISPENSER)
        elif tile == letters.INGREDIENTS and not body.held:
            self._take(cook, parameter, False, calls.INGREDIENT_DISPENSER)
        elif tile == letters.SERVING and body.held and not body.holds_dish:
            self._serve(cook)

    def _take(self, cook: int, item: str, plated: bool, source: str) -> None:
        body = self._bodies[cook]
        self._bodies[cook] = Body(body.cell, body.facing, item, plated)
        self._logged[cook] = f"{calls.PICKUP}({item},{source})"

    def _empty_hands(self, cook: int) -> None:
        body = self._bodies[cook]
        self._bodies[cook] = Body(body.cell, body.facing)

    def _at_counter(self, cook: int, cell: int) -> None:
        body = self._bodies[cook]
        there = next((index for index, lying in enumerate(self._lying) if lying.cell == cell), None)
        if body.held and there is None:
            self._lying.append(Lying(cell, body.held, body.plated))
            self._empty_hands(cook)
            self._logged[cook] = f"{calls.PLACE}()"
        elif not body.held and there is not None:
            taken = self._lying.pop(there)
            self._take(cook, taken.item, taken.plated, calls.COUNTER)

    def _at_utensil(self, cook: int, utensil: int, parameter: str) -> None:
        body, faced = self._bodies[cook], self._grid.utensils[utensil]
        index = next((i for i, content in enumerate(self._contents) if content.utensil == utensil), None)
        content = None if index is None else self._contents[index]
        if parameter == START and content is not None and not content.timer:
            if utensil not in self._started:
                self._started.append(utensil)
            self._logged[cook] = f"{faced.verb}({faced.name})"
        elif body.holds_dish:
            if index is not None and content is not None and content.ready:
                del self._contents[index]
                self._bodies[cook] = Body(body.cell, body.facing, content.output, True)
                as_putting = self._rules.filling_logged_as_putting and faced.kind != POT
                self._logged[cook] = f"{calls.PUT if as_putting else calls.FILL}({faced.name})"
        elif body.held:
            self._put(cook, utensil, index)
        elif index is not None and content is not None and content.ready:
            del self._contents[index]
            self._take(cook, content.output, False, faced.name)

    def _put(self, cook: int, utensil: int, index: int | None) -> None:
        item = self._bodies[cook].held
        if index is None:
            self._contents.append(Content(utensil, (item,)))
        else:
            content = self._contents[index]
            if content.timer:
                return
            if len(content.items) >= self._cookbook.capacity:
                if self._rules.full_utensils_accept:
                    self._logged[cook] = f"{calls.PUT}({self._grid.utensils[utensil].name})"
                return
            self._contents[index] = Content(utensil, (*content.items, item))
        self._empty_hands(cook)
        self._logged[cook] = f"{calls.PUT}({self._grid.utensils[utensil].name})"

    def _serve(self, cook: int) -> None:
        body = self._bodies[cook]
        wanted = self._orders[:1] if self._rules.first_order_only else self._orders
        met = body.held in wanted and self._cookbook.needs_dish[body.held] == body.plated
        if not met and not self._rules.food_is_lost:
            return
        if met:
            self._orders.remove(body.held)
            self._met[cook] = body.held
        self._empty_hands(cook)
        self._logged[cook] = f"{calls.DELIVER}()"

    def move(self, moves: tuple[Move, Move]) -> bool:
        """Both move at once. A cook that walks into something, or into the other cook, only turns.

        Returns whether they would have shared or swapped cells.
        """
        deltas, is_floor = self._grid.deltas, self._grid.is_floor
        targets = []
        for body, (action, _) in zip(self._bodies, moves, strict=True):
            target = body.cell + deltas[action] if action < STAY else body.cell
            targets.append(target if is_floor[target] else body.cell)
        first, second = self._bodies
        collide = targets[0] == targets[1] or (targets[0] == second.cell and targets[1] == first.cell)
        for cook, (action, _) in enumerate(moves):
            if action < STAY:
                body = self._bodies[cook]
                cell = body.cell if collide else targets[cook]
                self._bodies[cook] = Body(cell, action, body.held, body.plated)
        return collide

    def operate(self) -> None:
        """Operations start and timers tick, in one pass over the contents; what matches no recipe is ruined.

        By the released rules a start that matches one stops the timers behind it, and of several contents
        that match none only the last is gone.
        """
        rules, ticking = self._rules, True
        marked: list[int] = []
        for index, content in enumerate(self._contents):
            utensil, items = content.utensil, content.items
            if utensil in self._started:
                recipe = self._cookbook.made_of(self._grid.utensils[utensil].kind, items)
                if recipe is None:
                    marked.append(utensil)
                else:
                    self._contents[index] = Content(utensil, items, recipe.output, 1, recipe.steps)
                    ticking = ticking and not rules.starting_stalls_timers
            elif ticking and content.cooking:
                self._contents[index] = Content(
                    utensil, items, content.output, content.timer + 1, content.steps
                )
        if marked:
            gone = marked[-1:] if rules.starts_found_in_one_pass else marked
            self._ruined = [utensil for utensil in self._started if utensil in gone]
            self._contents = [content for content in self._contents if content.utensil not in gone]


# --- what happens in it ---------------------------------------------------------------------------------

Kind = Literal["work", "wait", "refused"]


class Listener:
    """Is told what happens while answers are taken, more than events say. Its methods do nothing; a subclass
    overrides what it wants to know.

    ``cook`` is 0 or 1; ``now`` is the kitchen's time in steps.
    """

    def planned(self, cook: int, now: int, ask: Ask, reply: Reply, requests: tuple[str, ...]) -> None:
        """An answer is taken for what it was asked for. ``requests``: what the partner asks of the cook."""

    def logged(self, cook: int, opener: int, now: int, reply: Reply) -> None:
        """The say and plan of an answer as the released program logs them, with what cook ``opener`` has
        planned, corrected and begun to talk about in this step.

        Of a plan or correction that was asked for again, the first say with the last plan; of an answer in a
        talk the first of both. A plan that could not be read is empty.
        """

    def said(self, cook: int, now: int, reply: Reply, opens: bool) -> None:
        """A cook's turn in a talk, words or none. ``opens``: it is the first."""

    def refused(self, cook: int, now: int, call: str, refusal: Refusal) -> None:
        """A call cannot be begun or gone on with."""

    def acted(self, cook: int, now: int, call: str) -> None:
        """The kitchen logs a call, which was done in the step that ends now."""

    def passed(self, state: State) -> None:
        """A step of the kitchen is over. ``state.moves`` holds the moves that were made in it; ``state.ask``
        is empty, unless both cooks stood because one of them thinks about its answer."""


SILENT = Listener()
"""Nobody listens."""


class Journal:
    """The events of one decision point, in the order of their times."""

    def __init__(self, grid: Grid) -> None:
        self._grid = grid
        self._late: list[Event] = []
        self._first = 0
        self.events: list[Event] = []

    def thinks_on(self) -> None:
        """A cook is asked anew and goes on thinking: what follows is told as after a decision of its own."""
        self._late.clear()
        self._first = len(self.events)

    def said(self, cook: int, now: int, words: str) -> None:
        """A cook speaks to its partner."""
        self.events.append(Event(now, "said", SEATS[cook], words.strip()))

    def begun(self, cook: int, now: int, call: Call, kind: Kind = "work") -> None:
        """A cook's call is accepted."""
        kind = "wait" if call.verb == calls.WAIT and kind == "work" else kind
        self.events.append(Event(now, "start", SEATS[cook], call.text, self._key(cook, now), kind))

    def closed(self, cook: int, now: int, call: str, since: int) -> None:
        """A cook's current call is over. One that is done in its very first step ends with that step."""
        end = Event(max(now, since + 1), "end", SEATS[cook], call, self._key(cook, since))
        (self._late if since == now else self.events).append(end)

    def refused(self, cook: int, now: int, call: str) -> None:
        """A call of an earlier plan is refused; the refusal of a call just decided is no event."""
        key = f"{SEATS[cook]}!{now}.{len(self.events) - self._first}"
        for what in ("start", "end"):
            self.events.append(Event(now, what, SEATS[cook], call, key, "refused"))

    def _key(self, cook: int, since: int) -> str:
        return f"{SEATS[cook]}@{since}"

    def passed(
        self, before: Kitchen, running: tuple[Operation, ...], step: GridStep
    ) -> tuple[Operation, ...]:
        """A step of the kitchen; returns the operations that run after it."""
        after, now = step.kitchen, before.steps
        in_progress = {operation.utensil: operation for operation in running}
        contents = {content.utensil: content for content in after.contents}
        for content in after.contents:
            if (content.cooking and content.utensil not in in_progress) or self._is_new(before, content):
                in_progress[content.utensil] = Operation(content.utensil, now, content.output)
                self.events.append(self._operation(in_progress[content.utensil], "start", now))
        self.events += self._late
        self._late.clear()
        for utensil, operation in list(in_progress.items()):
            if utensil not in contents or not contents[utensil].cooking:
                self.events.append(self._operation(operation, "end", after.steps))
                del in_progress[utensil]
        self.events += (
            Event(after.steps, "delivered", SEATS[cook], order)
            for cook, order in enumerate(step.met)
            if order
        )
        return tuple(in_progress.values())

    def _is_new(self, before: Kitchen, content: Content) -> bool:
        """Whether an operation that takes a single step was started in this one."""
        earlier = before.content(content.utensil)
        return content.ready and earlier is not None and not earlier.timer

    def _operation(self, operation: Operation, what: Literal["start", "end"], now: int) -> Event:
        utensil = self._grid.utensils[operation.utensil]
        label = f"{utensil.verb} {operation.output}"
        return Event(now, what, utensil.name, label, f"{utensil.name}@{operation.since}")

    def over(self, kitchen: Kitchen, cooks: Sequence[Cook], running: tuple[Operation, ...]) -> None:
        """Play is over: whatever is under way ends with it, calls of these cooks and operations."""
        for index, cook in enumerate(cooks):
            if cook.call and cook.since >= 0:
                self.closed(index, kitchen.steps, cook.call, cook.since)
        for operation in running:
            self.events.append(self._operation(operation, "end", kitchen.steps))
