"""The kitchen as a dispatcher sees it, in numbers, and what commands make of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Self

from msgspec import Struct

from backburner.worlds.cuisineworld.agents.book import Book
from backburner.worlds.cuisineworld.game.actions import ACTIVATE, GET, GOTO, NOOP, PUT, VERBS
from backburner.worlds.cuisineworld.game.kitchen import STORAGE, TABLE, TOOL
from backburner.worlds.cuisineworld.game.seats import body_name
from backburner.worlds.cuisineworld.game.state import NOTHING, Observation


class Move(Struct, frozen=True):
    """A command in numbers, as in ``actions.Command``."""

    verb: int
    body: int
    place: int
    item: int = NOTHING


class Situation:
    """Where everything is, in the middle of a step.

    ``busy``: steps in which a place cannot be touched, this one included. ``hands``: the ``bodies`` that
    still wait for a command. ``made``: tools whose content was made there, as far as that is remembered.
    ``orders``: (thing, steps left) of the open orders that the seat knows of, the most urgent first.
    """

    at: list[int]
    held: list[int]
    inside: list[tuple[int, ...]]
    busy: list[int]
    orders: list[tuple[int, int]]

    def __init__(self, book: Book, bodies: Collection[int], steps_left: int) -> None:
        self.book = book
        self.bodies = frozenset(bodies)
        self.hands = set(bodies)
        self.steps_left = steps_left
        self.made: set[int] = set()

    @classmethod
    def seen(
        cls,
        book: Book,
        seen: Observation,
        bodies: Collection[int],
        since: Mapping[int, int],
        made: Collection[int],
    ) -> Self:
        """What a seat sees; ``since``: for each place at work the step after which that was first seen."""
        kitchen = book.kitchen
        number, place_number = kitchen.thing_number, kitchen.place_number
        now = cls(book, bodies, seen.steps - seen.step)
        now.at = [place_number[body.at] for body in seen.bodies]
        now.held = [number[body.held] if body.held else NOTHING for body in seen.bodies]
        now.hands = {body for body in bodies if not seen.bodies[body].busy}
        now.inside = [tuple(number[name] for name in place.inside) for place in seen.places]
        now.busy = [
            max(1, kitchen.busy_steps[p] - 1 - (seen.step - since.get(p, seen.step))) if place.busy else 0
            for p, place in enumerate(seen.places)
        ]
        now.made = {place for place in made if now.inside[place]}
        now.orders = [(number[order.dish], order.left) for order in seen.orders if order.left]
        return now

    def copy(self) -> Situation:
        """One that can be played on apart."""
        other = Situation(self.book, self.bodies, self.steps_left)
        other.at, other.held, other.inside = self.at[:], self.held[:], self.inside[:]
        other.busy, other.orders = self.busy[:], self.orders
        other.hands, other.made = set(self.hands), set(self.made)
        return other

    def product(self, place: int) -> int:
        """What a tool has made and still holds; ``NOTHING`` if it holds none."""
        content = self.inside[place]
        if len(content) != 1:
            return NOTHING
        recipe = self.book.recipes.get(content[0])
        if recipe is None or recipe.tool != self.book.kind[place]:
            return NOTHING
        return NOTHING if content[0] in self.book.made_and_used and place not in self.made else content[0]

    def lying(self, thing: int) -> int:
        """How many of this dish lie on serving tables."""
        return sum(self.inside[table].count(thing) for table in self.book.kitchen.tables)

    def welcome(self, thing: int) -> bool:
        """Whether a serving table takes this dish."""
        room = self.book.table_room
        waiting = [dish for dish, _ in self.orders]
        if room is None or self.lying(thing) < waiting.count(thing):
            return True
        dishes = self.book.kitchen.dish_things
        return sum(max(0, self.lying(dish) - waiting.count(dish)) for dish in dishes) < room

    def can(self, move: Move) -> bool:
        """Whether the rules let a body that waits for a command do this now."""
        body, place = move.body, move.place
        if move.verb in (GOTO, NOOP):
            return True
        if self.at[body] != place or self.busy[place]:
            return False
        if move.verb == PUT:
            return self._takes(place, self.held[body])
        kitchen = self.book.kitchen
        if self.held[body] != NOTHING or move.verb != GET:
            free = self.held[body] == NOTHING and kitchen.roles[place] == TOOL
            return free and kitchen.known(place, self.inside[place])[1] >= 0
        if kitchen.roles[place] == STORAGE:
            return True
        raw = kitchen.always_open >> place & 1 and self.inside[place]
        return bool(raw) or self.product(place) == move.item != NOTHING

    def _takes(self, place: int, thing: int) -> bool:
        kitchen, content = self.book.kitchen, self.inside[place]
        role = kitchen.roles[place]
        if role == TABLE:
            return thing in kitchen.dish_of_thing and self.welcome(thing)
        if role == STORAGE:
            return thing != NOTHING
        fits = thing != NOTHING and kitchen.known(place, content)[0] >> thing & 1
        return bool(fits) and len(content) < kitchen.capacity[place] and self.product(place) == NOTHING

    def apply(self, move: Move) -> None:
        """What a command changes for those after it; its body has had its turn."""
        body, place = move.body, move.place
        kitchen = self.book.kitchen
        self.hands.discard(body)
        if move.verb == GOTO:
            self.at[body] = place
        elif move.verb == GET and kitchen.roles[place] == STORAGE:
            self.held[body] = move.item
        elif move.verb == GET:
            self.held[body], self.inside[place] = self.inside[place][0], ()
            self.made.discard(place)
        elif move.verb == PUT:
            if kitchen.roles[place] != STORAGE:
                self.inside[place] += (self.held[body],)
            self.held[body] = NOTHING
        elif move.verb == ACTIVATE:
            self.inside[place] = (kitchen.known(place, self.inside[place])[1],)
            self.busy[place] = kitchen.busy_steps[place]
            self.made.add(place)

    def pass_step(self) -> tuple[int, int]:
        """Let the step end: how many orders were served, how many have run out. Nothing new is ordered."""
        self.busy = [left - 1 if left else 0 for left in self.busy]
        self.hands = set(self.bodies)
        self.steps_left -= 1
        still = [(thing, left - 1) for thing, left in self.orders if not self._serve(thing)]
        served = len(self.orders) - len(still)
        self.orders = [(thing, left) for thing, left in still if left]
        return served, len(still) - len(self.orders)

    def _serve(self, thing: int) -> bool:
        for table in self.book.kitchen.tables:
            if thing in self.inside[table]:
                place = self.inside[table].index(thing)
                self.inside[table] = self.inside[table][:place] + self.inside[table][place + 1 :]
                return True
        return False

    def command(self, move: Move) -> str:
        """The command as it is written."""
        kitchen = self.book.kitchen
        named = move.verb == GET and kitchen.roles[move.place] == STORAGE
        item = (kitchen.things[move.item],) if named else ()
        where = () if move.verb == NOOP else (kitchen.places[move.place],)
        return "_".join((VERBS[move.verb], body_name(move.body), *item, *where))
