"""Domain and problem files as values: the JSON of the article's Figures 2 and 8, field by field.

A released or user-made file loads as it is. What this project adds is optional: a domain may name
its kinds, say which of its predicates describe where things are, guide whoever plays it, and mark
what the released program leaves out; a problem may hold a second goal, things without a place, and
further facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, field

PLAYER = "player"
STATION = "station"
ITEM = "item"
CONTAINER = "container"
MEAL = "meal"


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A predicate over parameters that is, or becomes, true or false.

    ``unless`` names a field of ``Rules``: where that defect happens, the term is left out.
    """

    predicate: str
    params: tuple[str, ...] = ()
    is_true: bool = True
    unless: str = ""


class Creation(Struct, frozen=True, forbid_unknown_fields=True):
    """The thing that a creation effect makes: kind, type, and the parameter that stands for it."""

    name: str
    type: str
    param: str


EffectType = Literal["conditional", "delayed", "repetitive", "creation", "deletion"]


class SpecialEffect(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an action brings about later, after several times, or on a condition (article, Figure 2).

    ``param`` is the thing that it belongs to. ``conditions`` belong to a conditional effect,
    ``created_obj`` to a creation. ``config`` names the table of a problem's ``config`` that holds
    the ticks of a delayed effect or the times of a repetitive one; by default it is
    ``<action>_time`` or ``num_<action>s``.
    """

    type: EffectType
    param: str
    fx: tuple[Term, ...] = ()
    sfx: tuple[SpecialEffect, ...] = ()
    conditions: tuple[Term, ...] = ()
    created_obj: Creation | None = None
    config: str = ""


class PredicateDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A predicate: the types of its arguments, and for each argument how the fact reads among its facts."""

    name: str
    param_types: tuple[str, ...] = ()
    language_descriptors: dict[str, str] = field(default_factory=dict)


class ActionDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An action: what has to hold, what follows at once, what follows later, and its sentence."""

    name: str
    precons: tuple[Term, ...] = ()
    immediate_fx: tuple[Term, ...] = ()
    sfx: tuple[SpecialEffect, ...] = ()
    language_description: str = ""


class Placement(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which predicates say where things are when a problem is loaded.

    A predicate that the domain does not define is left out.
    """

    player_at: str = "loc"
    station_free: str = "vacant"
    station_empty: str = "station_empty"
    item_at: str = "item_at"
    item_on: str = "item_on"
    item_atop: str = "atop"
    item_clear: str = "clear"
    holds_item: str = "has_item"
    holds_container: str = "has_container"
    holds_nothing: str = "nothing"
    container_at: str = "container_at"
    container_empty: str = "container_empty"
    meal_in: str = "in"


Told = Literal["plain", "times", "conditions"]
TOLD: tuple[Told, ...] = ("plain", "times", "conditions")
"""What is told of actions: their sentences as the released ReAct prompt tells them; how long they take, too;
and what they need. Each tells what those before it do."""


class Guide(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a player is told about a domain besides its sentences, line by line.

    ``types`` and ``actions`` say what a type or an action is; ``recipes`` how dishes are made. How long an
    action takes (``times``) and what it needs (``conditions``) is told where a scenario's ``told`` asks for
    it. In the lines of an action ``{count}`` stands for the steps or times that the problem asks for.
    """

    types: dict[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    recipes: tuple[str, ...] = ()
    actions: dict[str, str] = field(default_factory=dict)
    times: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)

    def notes(self, action: str, told: Told) -> Iterator[str]:
        """What is told of an action beside its sentence."""
        lines = [self.actions, *[self.times, self.conditions][: TOLD.index(told)]]
        return (line[action] for line in lines if action in line)


class DomainFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A domain: types, predicates, actions (article, Figure 2).

    ``kinds``: for each type the names that its things may have, in the order from which levels are
    drawn; a thing called ``table`` is of the kind ``table``, and ``istable`` holds of it.
    ``drawn_predicates``: for each kind what else holds of a thing that a generator adds to a level.
    """

    name: str
    object_types: tuple[str, ...]
    predicate_defs: tuple[PredicateDef, ...]
    action_defs: tuple[ActionDef, ...]
    version: str = ""
    input_json: str = ""
    source: str = ""
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    drawn_predicates: dict[str, tuple[str, ...]] = field(default_factory=dict)
    placement: Placement = Placement()
    guide: Guide = Guide()


class Station(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A station on its cell; cells are counted from the lower left corner."""

    name: str
    x: int
    y: int
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Item(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An item on a station's or a player's cell; items on one cell are a stack, lowest level first."""

    name: str
    x: int
    y: int
    stack_level: int = field(default=0, name="stack-level")
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Container(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A container on a station's or a player's cell. ``meal_id`` stands in released files, without effect."""

    name: str
    x: int
    y: int
    id: int | str = ""
    predicates: tuple[str, ...] = ()
    meal_id: Any = None


class Meal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A meal in the container on its cell."""

    name: str
    x: int
    y: int
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Player(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player on a free cell, facing the station at ``direction`` from there."""

    name: str
    x: int
    y: int
    direction: tuple[int, int] = (0, 1)
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Thing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A thing that has no place on the grid."""

    name: str
    type: str
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class GoalTerm(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A predicate that has to hold in the end, over things of these kinds; or must not, if not ``is_true``.

    Within a kind, one id is one thing, and another id another thing. An id that is no number is the id
    of one certain thing. A term that must not hold is about things that other terms are about.
    """

    predicate: str
    args: tuple[str, ...] = ()
    ids: tuple[int | str, ...] = ()
    is_true: bool = True


class Fact(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A predicate that holds in the beginning, over things named by their ids or numbered names."""

    predicate: str
    args: tuple[str, ...] = ()


class ProblemFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A problem: a kitchen, and what is to be made in it (article, Figure 8).

    ``config`` holds tables of times and counts, such as ``{"num_cuts": {"lettuce": 3, "default":
    3}}``. ``goal_released`` is the released goal where it does not say what its sentence says.
    """

    width: int
    height: int
    stations: tuple[Station, ...]
    players: tuple[Player, ...]
    goal: tuple[GoalTerm, ...]
    goal_description: str = ""
    version: str = ""
    config: dict[str, dict[str, int]] = field(default_factory=dict)
    items: tuple[Item, ...] = ()
    containers: tuple[Container, ...] = ()
    meals: tuple[Meal, ...] = ()
    goal_released: tuple[GoalTerm, ...] = ()
    objects: tuple[Thing, ...] = ()
    facts: tuple[Fact, ...] = ()
    ground: Any = None
