"""What a cook perceives: values, made of nothing but what its seat may know.

A cook knows the orders, what both cooks hold and plan, the utensils, what lies on shared counters and on
those that only it can reach, what is said in a talk, and its own logged calls and refusals. The briefing
gives the recipes to those who have them.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from backburner.kernel.values import Refusal
from backburner.worlds.collab_overcooked.game.compiled import Compiled
from backburner.worlds.collab_overcooked.game.grid import Utensil
from backburner.worlds.collab_overcooked.game.layout import Cookbook
from backburner.worlds.collab_overcooked.game.plans import shown
from backburner.worlds.collab_overcooked.game.state import ROLES, Content, Kitchen, LoggedCall, State

MOST_SHOWN = 5
SHOWN_OF_MANY = 4
"""A cook is shown all its logged calls while they are at most 5, then the last 4 (as released)."""


class SeenCook(Struct, frozen=True):
    """A cook: its role, what it holds (empty: nothing; ``plated``: on a dish), what it plans to do."""

    role: str
    held: str
    plated: bool
    plan: tuple[str, ...]


class SeenUtensil(Struct, frozen=True):
    """A utensil: what was put in, what it makes or has made of it (empty: not started), steps left.

    Of what is not started: ``enough_for`` is what these things make, ``part_of`` what they make together with
    others.
    """

    name: str
    verb: str
    items: tuple[str, ...]
    output: str
    steps_left: int
    enough_for: str = ""
    part_of: tuple[str, ...] = ()


class SeenThing(Struct, frozen=True):
    """Something on a counter. ``shared``: both cooks can reach it."""

    item: str
    plated: bool
    shared: bool


class Observation(Struct, frozen=True):
    """What a cook is shown when it is asked for an answer.

    ``ask``: what the answer is for. ``repair``: the last answer lacked its plan or analysis. ``requests``:
    the calls that the partner asks for and that are not done yet. ``space``: the utensils, dispensers and
    serving place that this cook can reach. ``counters``: how many are shared. ``deeds``: its logged calls.
    """

    ask: Literal["", "plan", "answer", "continue", "correct"]
    repair: bool
    steps: int
    orders: tuple[str, ...]
    me: SeenCook
    partner: SeenCook
    requests: tuple[str, ...]
    space: tuple[str, ...]
    utensils: tuple[SeenUtensil, ...]
    counters: int
    things: tuple[SeenThing, ...]
    ruined: tuple[str, ...]
    talk: tuple[tuple[str, str], ...]
    deeds: tuple[LoggedCall, ...]
    refusal: Refusal | None


def observed(compiled: Compiled, state: State, cook: int) -> Observation:
    """What a cook perceives in a state."""
    kitchen, utensils = state.kitchen, compiled.grid.utensils
    partner_reach, visible = compiled.grid.reach[1 - cook], compiled.targets.visible[cook]
    recent = state.cooks[cook].recent
    return Observation(
        state.ask if state.asked == cook else "",
        state.repair is not None and state.asked == cook,
        kitchen.steps,
        kitchen.orders,
        _seen_cook(state, cook),
        _seen_cook(state, 1 - cook),
        state.cooks[1 - cook].requests,
        compiled.targets.space(cook),
        seen_utensils(compiled, kitchen),
        len(compiled.grid.shared_counters),
        tuple(
            [
                SeenThing(lying.item, lying.plated, lying.cell in partner_reach)
                for lying in kitchen.lying
                if lying.cell in visible
            ]
        ),
        tuple([utensils[utensil].name for utensil in kitchen.ruined]),
        tuple((ROLES[line.cook], line.said) for line in state.talk.lines) if state.talk else (),
        recent if len(recent) <= MOST_SHOWN else recent[-SHOWN_OF_MANY:],
        state.cooks[cook].refusal,
    )


def _seen_cook(state: State, cook: int) -> SeenCook:
    body = state.kitchen.bodies[cook]
    return SeenCook(ROLES[cook], body.held, body.plated, shown(state.cooks[cook]))


def seen_utensils(compiled: Compiled, kitchen: Kitchen) -> tuple[SeenUtensil, ...]:
    """The utensils as everybody perceives them."""
    contents = {content.utensil: content for content in kitchen.contents}
    return tuple(
        [
            _seen_utensil(compiled.cookbook, utensil, contents[index])
            if index in contents
            else SeenUtensil(utensil.name, utensil.verb, (), "", 0)
            for index, utensil in enumerate(compiled.grid.utensils)
        ]
    )


def _seen_utensil(cookbook: Cookbook, utensil: Utensil, content: Content) -> SeenUtensil:
    if content.output:
        left = content.steps - content.timer
        return SeenUtensil(utensil.name, utensil.verb, content.items, content.output, left)
    made = cookbook.made_of(utensil.kind, content.items)
    return SeenUtensil(
        utensil.name,
        utensil.verb,
        content.items,
        output="",
        steps_left=0,
        enough_for="" if made is None else made.output,
        part_of=cookbook.part_of(utensil.kind, content.items),
    )
