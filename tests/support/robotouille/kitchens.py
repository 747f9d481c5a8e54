"""Small kitchens of Robotouille for tests: a row of stations, robots in front of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from backburner.kernel.values import Refusal
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, Limits, Rules
from backburner.worlds.robotouille.game.scenarios import Scenario
from backburner.worlds.robotouille.game.schema import ProblemFile
from backburner.worlds.robotouille.game.state import Acts, State
from backburner.worlds.robotouille.game.world import Robotouille

CAN = {
    "patty": ["iscookable"],
    "chicken": ["iscookable"],
    "lettuce": ["iscuttable"],
    "tomato": ["iscuttable"],
    "onion": ["iscuttable", "isfryableifcut"],
    "potato": ["iscuttable", "isfryableifcut"],
}
"""What can be done to an item of these kinds."""

NEVER = {"predicate": "iscut", "args": ["bread"], "ids": [1]}
"""A goal term that no test reaches: bread cannot be cut."""


def problem(
    stations: Sequence[str], *, robots: Sequence[int] = (0,), goal: Sequence[dict[str, Any]] = (), **more: Any
) -> ProblemFile:
    """A kitchen whose stations stand in a row, each written as its kind and what lies on it, lowest first.

    ``"stove patty"`` is a stove with a patty, ``"table bread cheese"`` a stack, ``"sink pot"`` a pot in the
    sink. ``robots`` tells in front of which stations they stand.
    """
    raw: dict[str, Any] = {"stations": [], "items": [], "containers": [], "players": []}
    for x, words in enumerate(stations):
        kind, *things = words.split()
        raw["stations"].append({"name": kind, "x": x, "y": 1})
        for level, thing in enumerate(things):
            entity: dict[str, Any] = {"name": thing, "x": x, "y": 1}
            if thing in ("pot", "bowl"):
                raw["containers"].append(entity)
            else:
                entity |= {"stack-level": level, "predicates": CAN.get(thing, [])}
                raw["items"].append(entity)
    raw["players"] = [{"name": "robot", "x": x, "y": 0, "direction": [0, 1]} for x in robots]
    raw |= {"width": len(stations), "height": 2, "goal": list(goal) or [NEVER]}
    return msgspec.convert(raw | more, ProblemFile)


def world_in(
    stations: Sequence[str],
    *,
    rules: str | Rules = "standard",
    limits: Limits = NO_LIMITS,
    play: Any = "turns",
    task: str = "",
    told: Any = "plain",
    **more: Any,
) -> Robotouille:
    """A world of such a kitchen."""
    bound = PRESETS[rules] if isinstance(rules, str) else rules
    scenario = Scenario(problem(stations, **more), play=play, task=task, told=told)
    return Robotouille("robotouille/user/test", scenario, bound, limits)


def with_rule(name: str, value: bool) -> Rules:
    """Standard rules but for one field."""
    return msgspec.structs.replace(PRESETS["standard"], **{name: value})


def say(world: Robotouille, state: State, *answers: str) -> State:
    """Plays these answers, one after the other; none of them may be refused."""
    for answer in answers:
        state, refusals = attempt(world, state, answer)
        assert not refusals, (answer, refusals)
    return state


def attempt(world: Robotouille, state: State, answer: str) -> tuple[State, tuple[Refusal, ...]]:
    """The state after an answer of whoever decides first, and what was refused."""
    seat = world.deciders(state)[0]
    step = world.step(state, {seat: world.parse(state, seat, answer)})
    return step.state, step.refusals


def holds(world: Robotouille, state: State, fact: str) -> bool:
    """Whether a fact such as ``iscooked(patty1)`` holds."""
    return fact in facts(world, state)


def facts(world: Robotouille, state: State) -> set[str]:
    """All facts that hold."""
    layout = world.compiled.layout(state.kitchen)
    return {layout.words(atom) for atom in layout.true_atoms(state.kitchen.facts)}


def names(world: Robotouille, state: State) -> set[str]:
    """The names of the possible actions of any robot."""
    return {action.name for action in world.compiled.applicable(state.kitchen)}


IDLE = Acts()
