"""Random kitchens of Robotouille, and random play in them, good and bad decisions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st
from msgspec import Struct, structs

from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.robotouille.game.legality import NO_ACTION
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, Limits, Rules
from backburner.worlds.robotouille.game.scenarios import DISPATCHER, PLAYS
from backburner.worlds.robotouille.game.state import FINISH, Acts, State
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import world_in

choices = st.randoms(use_true_random=True).map(lambda draw: [draw.randrange(10**6) for _ in range(60)])
"""Numbers that make decisions; see ``decision_of``. Long plays get farther than what shrinks well."""

STATIONS = ("table", "stove", "board", "fryer", "sink")
ITEMS = ("patty", "lettuce", "onion", "cheese")
WORK = re.compile("cook|cut|fry|fill|boil|add|place|stack|pick-up-container")
FIELDS = tuple(field for field in Rules.__struct_fields__ if field != "name")


class Turn(Struct, frozen=True):
    """A decision point of random play: the state, what was decided, what followed."""

    before: State
    decisions: dict[Seat, Any]
    step: Step[State]


def layouts() -> st.SearchStrategy[list[str]]:
    """Stations in a row with what is on them, as ``support.robotouille.kitchens.problem`` reads them."""
    things = st.one_of(
        st.lists(st.sampled_from(ITEMS), max_size=2), st.sampled_from((["pot"], ["bowl"], ["pot"]))
    )
    station = st.tuples(st.sampled_from(STATIONS), things).map(lambda both: " ".join((both[0], *both[1])))
    return st.lists(station, min_size=3, max_size=6)


def rule_sets() -> st.SearchStrategy[Rules]:
    """A preset, or any mixture of the two."""
    return st.one_of(
        st.sampled_from(tuple(PRESETS.values())), st.integers(0, 2 ** len(FIELDS) - 1).map(_mixed)
    )


def _mixed(bits: int) -> Rules:
    """One draw for all fields, as a draw for each takes longer than the play that follows."""
    return Rules("mixed", *(bool(bits >> place & 1) for place in range(len(FIELDS))))


def limit_sets() -> st.SearchStrategy[Limits]:
    """None, or tight ones."""
    tight = st.builds(
        Limits, steps=st.integers(10, 40), attempts=st.integers(1, 3), failed_calls=st.integers(1, 3)
    )
    return st.one_of(st.just(NO_LIMITS), tight)


GOALS: tuple[list[dict[str, Any]], ...] = (
    [],
    [{"predicate": "iscut", "args": ["lettuce"], "ids": [1]}],
    [{"predicate": "item_at", "args": ["patty", "table"], "ids": [1, 2]}],
    [{"predicate": "in", "args": ["water", "pot"], "ids": [1, 2]}],
)
"""No goal that is ever reached, and a few that random play may reach."""


@st.composite
def worlds(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None) -> Robotouille:
    """A kitchen with one to three robots under any rules, limits and play."""
    stations = draw(layouts())
    robots = draw(st.permutations(range(len(stations))))[: draw(st.integers(1, 3))]
    return world_in(
        stations,
        robots=robots,
        rules=draw(rule_sets() if rules is None else rules),
        limits=draw(limit_sets()),
        play=draw(st.sampled_from(PLAYS)),
        goal=draw(st.sampled_from(GOALS)),
        config=draw(st.sampled_from(({}, {"cook_time": {"default": 0}, "num_cuts": {"default": 1}}))),
    )


def walk(world: Robotouille, numbers: Iterable[int]) -> Iterator[Turn]:
    """Play by numbers until they run out or the episode is over."""
    state = world.start()
    for number in numbers:
        seats = world.deciders(state)
        if not seats:
            return
        decisions = {
            seat: decision_of(world, state, seat, number * 31 + place) for place, seat in enumerate(seats)
        }
        step = world.step(state, decisions)
        yield Turn(state, decisions, step)
        state = step.state


def decision_of(world: Robotouille, state: State, seat: Seat, number: int) -> Any:
    """Mostly an option of the menu, work and placing before others; a dispatcher joins two; now and then
    something that makes no sense, or the end."""
    options = world.menu(state, seat).options
    eager = [option for option in options if option.decision.acts and WORK.match(option.decision.acts[0])]
    kind, pick = number % 20, number // 20
    first = (eager if eager and kind % 2 else options)[pick % len(eager if eager and kind % 2 else options)]
    second = options[pick // 20 % len(options)].decision
    if kind == 0:
        actions = [action.name for action in world.compiled.applicable(world.start().kitchen)]
        return Acts((actions[pick % len(actions)],))
    if kind == 1:
        return (NO_ACTION, None, Acts(("no such thing",)), Acts(), Acts(("wait()",) * 4))[pick % 5]
    if kind == 2 and pick % 10 == 0:
        return FINISH if pick % 20 else structs.replace(first.decision, finish=True)
    return Acts(first.decision.acts + second.acts) if seat == DISPATCHER else first.decision


def refused(step: Step[State], seat: Seat) -> list[Refusal]:
    """What a step refused of a seat."""
    return [refusal for refusal in step.refusals if refusal.seat == seat]
