"""Episodes beyond outcomes: failure modes (article, Appendix E.5), the released reward, orders in time.

The article names the failure modes without saying how they were counted. Here:

* *queue order ignored*: an order ran out although one that could wait longer was served while it was open;
* *occupied tool*: a command failed at a tool that was at work; *left*: in the next step that body went
  elsewhere while the tool was still at work;
* *wrong subgoal*: something was fetched or made of which there was then more, itself or in what is made of
  it, than open orders need.

The reward is computed from the steps; nothing of it is kept in a state. Each step costs 0.05 and gives 0.02
if every command succeeded; an order that is served gives 50 and the steps that it had left. While an order is
open there is more for progress, each thing as often as the orders that have arrived ask for it, and once
until it is touched again.

For timelines, orders are windows of time, from when they arrive to when they run out (``assessment``).

Why orders ran out people and judge models tell by labels (``ANNOTATIONS``): the article names three failure
modes that it found by replaying actions, and counts none. How often each is met in an episode the record
tells; which of them cost the orders, a label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from backburner.kernel.assessment import Annotation, Assessment, Case, LabelSet, Window, WindowState
from backburner.kernel.episode import Episode
from backburner.kernel.files import shipped
from backburner.kernel.replay import trajectory
from backburner.kernel.values import Refusal, Step
from backburner.worlds.cuisineworld.game.catalogue import catalogue
from backburner.worlds.cuisineworld.game.compiled import STORAGE, Compiled
from backburner.worlds.cuisineworld.game.cookbook import Cookbook
from backburner.worlds.cuisineworld.game.state import (
    ACTIVATE,
    FAILED,
    GET,
    GOTO,
    PUT,
    Act,
    Command,
    Feedback,
    State,
)
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from backburner.worlds.dispatch.orders import Order, TrackedOrder, track_orders

Moves = Sequence[tuple[State, Step[State]]]
"""(state before, step) for each step of an episode."""

Trees = Mapping[int, frozenset[int]]
"""Each thing with everything that it is made of, itself included."""

MODES = ("queue order ignored", "occupied tool", "left an occupied tool", "wrong subgoal")


def moves_of(episode: Episode, world: CuisineWorld) -> Iterator[tuple[State, Step[State]]]:
    """The moves of an episode, of which none is more than one step of the kitchen."""
    for before, _, step in trajectory(episode, world):
        yield from world.singly(before, step)


def whole_steps(moves: Moves) -> Moves:
    """One move for each step, where seats decide one after the other: the last, with all that was refused."""
    whole: list[tuple[State, Step[State]]] = []
    refusals: tuple[Refusal, ...] = ()
    for before, step in moves:
        refusals += step.refusals
        if not step.state.decided:
            whole.append((before, Step(step.state, step.events, refusals)))
            refusals = ()
    return whole


def failure_modes(world: CuisineWorld, first: State, moves: Moves) -> Mapping[str, float]:
    """How often each mode was met in an episode."""
    occupied, left = _at_occupied_tools(world, moves)
    numbers = (_ignored(first, moves), occupied, left, _wrong_subgoals(world, moves))
    return dict(zip(MODES, map(float, numbers), strict=True))


def _ignored(first: State, moves: Moves) -> int:
    states = [first, *(step.state for _, step in moves)]
    orders = track_orders((state.steps, state.orders) for state in states)
    served = [order for order in orders if order.served and order.closed is not None]
    return sum(
        any(
            order.arrived < (other.closed or 0) <= (order.closed or 0) and other.runs_out > order.runs_out
            for other in served
        )
        for order in orders
        if order.closed is not None and not order.served
    )


def _at_occupied_tools(world: CuisineWorld, moves: Moves) -> tuple[int, int]:
    """(commands that failed at a tool at work, how often the body then went elsewhere)."""
    failed = left = 0
    waiting: dict[int, int] = {}
    for before, step in moves:
        for act in step.state.feedback.done:
            place = waiting.get(act.body)
            left += act.verb == GOTO and place is not None and act.place != place and before.busy[place] > 0
        waiting = {}
        for command in _failed(world, before, step):
            failed += 1
            waiting[command.body] = command.place
    return failed, left


def _failed(world: CuisineWorld, before: State, step: Step[State]) -> Iterator[Command]:
    """The commands that were tried in vain at tools at work, once each."""
    for said, codes in _tried(step).items():
        command = world.command_reader.read(said)
        if isinstance(command, Command) and command.place >= 0:
            there = before.at[command.body] == command.place and before.busy[command.place] > 0
            if there or "location_occupied" in codes:
                yield command


def _tried(step: Step[State]) -> dict[str, set[str]]:
    """Each command that failed when it was tried, with the codes of why."""
    codes: dict[str, set[str]] = {}
    for refusal in step.refusals:
        if refusal.code in FAILED:
            codes.setdefault(str(refusal.get("said")), set()).add(refusal.code)
    return codes


def _wrong_subgoals(world: CuisineWorld, moves: Moves) -> int:
    trees = _trees(world)
    wrong = 0
    for before, step in moves:
        begun = Counter(act.thing for act in step.state.feedback.done if _begins(world, act))
        for thing, count in begun.items():
            wrong += min(count, _beyond_need(world, trees, before, step.state, thing))
    return wrong


def _begins(world: CuisineWorld, act: Act) -> bool:
    """Whether something was made, or fetched from a storage."""
    return act.verb == ACTIVATE or (act.verb == GET and world.compiled.roles[act.place] == STORAGE)


def _beyond_need(world: CuisineWorld, trees: Trees, before: State, after: State, thing: int) -> int:
    """How many more there are of a thing, by itself or in products, than open orders need."""
    needing = sum(thing in trees[world.compiled.dish_things[order.dish]] for order in before.orders)
    there = [*after.held, *(inside for content in after.inside for inside in content)]
    return max(0, sum(other == thing or thing in trees.get(other, ()) for other in there) - needing)


def _trees(world: CuisineWorld) -> Trees:
    """The trees of a level's things."""
    book, number = world.scenario.book, world.compiled.thing_number
    return {
        number[name]: frozenset(number[part] for part in {name, *book.things([name])})
        for name in book.things(world.scenario.dishes)
    }


EACH_STEP = -0.05
ALL_SUCCEEDED = 0.02
SERVED = 50
HOLDS_INGREDIENT = 0.1
HOLDS_INPUTS = 0.5
HOLDS_PRODUCT = 1.0

InputSet = tuple[str, tuple[int, ...]]
"""A kind of tool, and the numbers of what goes into it."""


def wanted_by(compiled: Compiled, book: Cookbook, dishes: Iterable[str]) -> tuple[list[int], list[InputSet]]:
    """The different things in the trees of these dishes, and the inputs of each recipe in them."""
    number = compiled.thing_number
    things = [number[thing] for thing in book.things(dishes)]
    recipes = book.closure(dishes)
    return things, [(r.tool, tuple(sorted(number[thing] for thing in r.inputs))) for r in recipes]


class RewardMeter:
    """Computes the rewards of an episode's steps, one after the other; made with its first state."""

    def __init__(self, compiled: Compiled, cookbook: Cookbook, first: State) -> None:
        self._compiled = compiled
        self._wanted = [wanted_by(compiled, cookbook, [dish]) for dish in compiled.dishes]
        self._things: Counter[int] = Counter()
        self._inputs: Counter[InputSet] = Counter()
        self._paid_bodies: set[int] = set()
        self._paid_places: set[int] = set()
        self._arrive(first.orders)

    def _arrive(self, orders: Iterable[Order]) -> None:
        for order in orders:
            things, inputs = self._wanted[order.dish]
            self._things.update(things)
            self._inputs.update(inputs)

    def pay(self, before: State, after: State) -> float:
        """The reward of the step from one state to the next; nothing where no time passed."""
        if after.steps == before.steps:
            return 0.0
        self._touched(after.feedback)
        reward = EACH_STEP
        if not after.feedback.refusals:
            reward += ALL_SUCCEEDED
        reward += self._served(before, after)
        self._arrive(order for order in after.orders if order.number >= before.arrived)
        if after.orders:
            reward += self._of_bodies(after) + self._of_places(after)
        return reward

    def _touched(self, feedback: Feedback) -> None:
        for act in feedback.done:
            if act.verb in (GET, PUT):
                self._paid_bodies.discard(act.body)
            if act.verb in (GET, PUT, ACTIVATE):
                self._paid_places.discard(act.place)

    def _served(self, before: State, after: State) -> int:
        """50 and the steps left for each order served: those that are gone and had not run out."""
        still_open = {order.number for order in after.orders}
        return sum(SERVED + o.left for o in before.orders if o.left and o.number not in still_open)

    def _of_bodies(self, state: State) -> float:
        reward = 0.0
        for body, thing in enumerate(state.held):
            ingredient = 0 <= thing < self._compiled.n_ingredients
            if ingredient and body not in self._paid_bodies and self._things[thing]:
                self._things[thing] -= 1
                self._paid_bodies.add(body)
                reward += HOLDS_INGREDIENT
        return reward

    def _of_places(self, state: State) -> float:
        """First all places that hold the inputs of something wanted, then all that hold it made."""
        reward = 0.0
        for place, content in enumerate(state.inside):
            inputs = (self._compiled.kinds[place].name, tuple(sorted(content)))
            if place not in self._paid_places and self._inputs[inputs]:
                self._inputs[inputs] -= 1
                self._paid_places.add(place)
                reward += HOLDS_INPUTS
        for place, content in enumerate(state.inside):
            made = len(content) == 1 and content[0] >= self._compiled.n_ingredients
            if made and place not in self._paid_places and self._things[content[0]]:
                self._things[content[0]] -= 1
                self._paid_places.add(place)
                reward += HOLDS_PRODUCT
        return reward


def assessment(world: CuisineWorld) -> Assessment:
    """The windows of a record's orders."""

    def of(episode: Episode) -> tuple[Window, ...]:
        states = (step.state for _, step in moves_of(episode, world))
        return windows(world.compiled, (world.start(episode.header.seed), *states))

    return Assessment(windows=of)


def windows(compiled: Compiled, states: Iterable[State]) -> tuple[Window, ...]:
    """The windows of an episode's orders, on the lane of the first serving table."""
    lane = compiled.places[compiled.start]
    return tuple(
        Window(
            lane,
            compiled.dishes[order.dish],
            order.arrived,
            order.runs_out,
            _window_state(order),
            order.closed if order.served else None,
        )
        for order in track_orders((state.steps, state.orders) for state in states)
    )


def _window_state(order: TrackedOrder) -> WindowState:
    if order.closed is None:
        return "open"
    return "kept" if order.served else "missed"


(EXPIRED,) = shipped("backburner.worlds.cuisineworld", "labels", tuple[LabelSet, ...])


def expired(episode: Episode) -> Sequence[Case]:
    """The episode, if an order ran out and no call failed."""
    header, ending = episode.header, episode.ending
    if ending is None or ending.status == "failed" or not ending.numbers.get("expired"):
        return ()
    world = catalogue.of(header)
    moves = list(moves_of(episode, world))
    modes = failure_modes(world, world.start(header.seed), moves)
    numbers = ending.numbers
    orders = f"Orders: {numbers['completed']} served, {numbers['expired']} ran out, {numbers['open']} open."
    return (Case(facts=(orders, *(f"{name}: {count:g} times" for name, count in modes.items()))),)


ANNOTATIONS = (Annotation(EXPIRED, expired),)
