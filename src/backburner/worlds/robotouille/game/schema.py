"""Domain and problem files as values: the JSON of the article's Figures 2 and 8, field by field.

A released or user-made file loads as it is. What this project adds is optional: a domain may name
its kinds, say which of its predicates describe where things are, guide whoever plays it, and mark
what the released program leaves out; a problem may hold a second goal, things without a place, and
further facts. What may stand in a field is declared with it (see ``kernel.checks``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from backburner.kernel.checks import ONE_LINE, refers_to, unique
from backburner.worlds.robotouille.game.rule_set import DEFECTS
from backburner.worlds.robotouille.game.state import Object

PLAYER = "player"
STATION = "station"
ITEM = "item"
CONTAINER = "container"
MEAL = "meal"

LONGEST_NAME = Meta(max_length=100)
MOST_LISTED = Meta(max_length=500)
"""Types, kinds, predicates, actions, terms, effects, or things of a type, each counted by itself."""

Name = Annotated[
    str,
    LONGEST_NAME,
    Meta(pattern=r"^[^\W\d_][\w-]*\Z", description="use letters, digits and _ - only, a letter first"),
]
KindName = Annotated[
    str,
    LONGEST_NAME,
    Meta(
        pattern=r"^[^\W\d_](?:[\w-]*[^\W\d])?\Z",
        description="use letters, digits and _ - only, a letter first and no digit last",
    ),
]
"""No kind ends in a digit, because things are called after their kind and a number."""

Param = Annotated[
    str, LONGEST_NAME, Meta(pattern=r"^[A-Za-z][A-Za-z0-9_]*\Z", description="write a parameter like s1")
]
Sentence = Annotated[str, ONE_LINE, Meta(max_length=1000)]
TypeName = Annotated[str, refers_to("type", "object_types")]
ActionName = Annotated[str, refers_to("action", "action_defs.name")]


def _defects() -> tuple[str, ...]:
    """The fields of the rules that a term may name, or none."""
    return ("", *DEFECTS)


Defect = Annotated[str, refers_to("field of the rules", _defects)]


class Term(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A predicate over parameters that is, or becomes, true or false.

    ``unless`` names a field of ``Rules``: where that defect happens, the term is left out.
    """

    predicate: Annotated[str, refers_to("predicate", "predicate_defs.name")]
    params: Annotated[tuple[Param, ...], unique()] = ()
    is_true: bool = True
    unless: Defect = ""


Terms = Annotated[tuple[Term, ...], MOST_LISTED]


class Creation(Struct, frozen=True, forbid_unknown_fields=True):
    """The thing that a creation effect makes: kind, type, and the parameter that stands for it."""

    name: KindName
    type: TypeName
    param: Param


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
    fx: Terms = ()
    sfx: Annotated[tuple[SpecialEffect, ...], MOST_LISTED] = ()
    conditions: Terms = ()
    created_obj: Creation | None = None
    config: str = ""

    def walk(self) -> Iterator[SpecialEffect]:
        """This effect and those nested in it, depth first."""
        yield self
        for nested in self.sfx:
            yield from nested.walk()

    def table(self, action: str) -> str:
        """The table of a problem's ``config`` that holds its counts; empty if it counts nothing."""
        usual = {"delayed": f"{action}_time", "repetitive": f"num_{action}s"}
        return (self.config or usual[self.type]) if self.type in usual else ""


class PredicateDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A predicate: the types of its arguments, and for each argument how the fact reads among its facts."""

    name: Name
    param_types: Annotated[tuple[TypeName, ...], Meta(max_length=5)] = ()
    language_descriptors: Annotated[dict[str, Sentence], Meta(max_length=5)] = field(default_factory=dict)


class ActionDef(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An action: what has to hold, what follows at once, what follows later, and its sentence."""

    name: Name
    precons: Terms = ()
    immediate_fx: Terms = ()
    sfx: Annotated[tuple[SpecialEffect, ...], MOST_LISTED] = ()
    language_description: Sentence = ""

    @property
    def special_effects(self) -> list[SpecialEffect]:
        """All effects that come later, nested ones too, depth first."""
        return [effect for root in self.sfx for effect in root.walk()]

    def parameter_types(self, signatures: Mapping[str, Sequence[str]]) -> dict[str, str]:
        """The type of each parameter: that of the first predicate that it stands in."""
        types: dict[str, str] = {}
        for term in (*self.precons, *self.immediate_fx):
            for param, type in zip(term.params, signatures[term.predicate], strict=True):
                types.setdefault(param, type)
        return types


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

    types: dict[TypeName, Sentence] = field(default_factory=dict)
    rules: Annotated[tuple[Sentence, ...], MOST_LISTED] = ()
    recipes: Annotated[tuple[Sentence, ...], MOST_LISTED] = ()
    actions: dict[ActionName, Sentence] = field(default_factory=dict)
    times: dict[ActionName, Sentence] = field(default_factory=dict)
    conditions: dict[ActionName, Sentence] = field(default_factory=dict)

    def notes(self, action: str, told: Told) -> Iterator[str]:
        """What is told of an action beside its sentence."""
        lines = [self.actions, *[self.times, self.conditions][: TOLD.index(told)]]
        return (line[action] for line in lines if action in line)


Kinds = Annotated[tuple[KindName, ...], Meta(min_length=1, max_length=500), unique()]

ListedKind = Annotated[str, refers_to("kind", "listed_kinds")]


class DomainFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A domain: types, predicates, actions (article, Figure 2).

    ``kinds``: for each type the names that its things may have, in the order from which levels are
    drawn; a thing called ``table`` is of the kind ``table``, and ``istable`` holds of it.
    ``drawn_predicates``: for each kind what else holds of a thing that a generator adds to a level.
    """

    name: str
    object_types: Annotated[tuple[Name, ...], MOST_LISTED, unique()]
    predicate_defs: Annotated[tuple[PredicateDef, ...], MOST_LISTED, unique("name")]
    action_defs: Annotated[tuple[ActionDef, ...], Meta(min_length=1, max_length=500), unique("name")]
    version: str = ""
    input_json: str = ""
    source: str = ""
    kinds: dict[TypeName, Kinds] = field(default_factory=dict)
    drawn_predicates: dict[ListedKind, Annotated[tuple[str, ...], MOST_LISTED]] = field(default_factory=dict)
    placement: Placement = Placement()
    guide: Guide = Guide()

    @property
    def signatures(self) -> dict[str, tuple[str, ...]]:
        """The types of the things that each predicate is about."""
        return {predicate.name: predicate.param_types for predicate in self.predicate_defs}

    @property
    def listed_kinds(self) -> dict[str, str]:
        """The type of each kind that ``kinds`` lists."""
        return {kind: type for type, kinds in self.kinds.items() for kind in kinds}

    @property
    def created(self) -> list[Creation]:
        """The things that its effects create."""
        effects = (effect for action in self.action_defs for effect in action.special_effects)
        return [effect.created_obj for effect in effects if effect.created_obj is not None]

    def kinds_of(self, type: str) -> Sequence[str]:
        """The names that things of a type may have; empty if any name will do.

        Where the domain does not list them, its predicates such as ``istable`` name them, and the things
        that its effects create.
        """
        if type in self.kinds:
            return self.kinds[type]
        unary = (predicate.name for predicate in self.predicate_defs if predicate.param_types == (type,))
        named = [name.removeprefix("is") for name in unary if name.startswith("is")]
        return named and [*named, *(made.name for made in self.created if made.type == type)]


class OnCell(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something on a cell; cells are counted from the lower left corner."""

    name: KindName
    x: int
    y: int


class Station(OnCell, frozen=True):
    """A station on its cell; cells are counted from the lower left corner."""

    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Item(OnCell, frozen=True):
    """An item on a station's or a player's cell; items on one cell are a stack, lowest level first."""

    stack_level: Annotated[int, Meta(ge=0)] = field(default=0, name="stack-level")
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Container(OnCell, frozen=True):
    """A container on a station's or a player's cell. ``meal_id`` stands in released files, without effect."""

    id: int | str = ""
    predicates: tuple[str, ...] = ()
    meal_id: Any = None


class Meal(OnCell, frozen=True):
    """A meal in the container on its cell."""

    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Player(OnCell, frozen=True):
    """A player on a free cell, facing the station at ``direction`` from there."""

    direction: tuple[int, int] = (0, 1)
    id: int | str = ""
    predicates: tuple[str, ...] = ()


class Thing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A thing that has no place on the grid."""

    name: KindName
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


WIDEST = 100
"""Cells of a grid, from side to side."""


class ProblemFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A problem: a kitchen, and what is to be made in it (article, Figure 8).

    ``config`` holds tables of times and counts, such as ``{"num_cuts": {"lettuce": 3, "default":
    3}}``. ``goal_released`` is the released goal where it does not say what its sentence says.
    """

    width: Annotated[int, Meta(ge=1, le=WIDEST)]
    height: Annotated[int, Meta(ge=1, le=WIDEST)]
    stations: Annotated[tuple[Station, ...], MOST_LISTED]
    players: Annotated[tuple[Player, ...], MOST_LISTED]
    goal: Annotated[tuple[GoalTerm, ...], Meta(max_length=200)]
    goal_description: Sentence = ""
    version: str = ""
    config: dict[str, Annotated[dict[str, int], Meta(max_length=1000)]] = field(default_factory=dict)
    items: Annotated[tuple[Item, ...], MOST_LISTED] = ()
    containers: Annotated[tuple[Container, ...], MOST_LISTED] = ()
    meals: Annotated[tuple[Meal, ...], MOST_LISTED] = ()
    goal_released: Annotated[tuple[GoalTerm, ...], Meta(max_length=200)] = ()
    objects: Annotated[tuple[Thing, ...], MOST_LISTED] = ()
    facts: Annotated[tuple[Fact, ...], Meta(max_length=1000)] = ()
    ground: Any = None


# --- the things of a problem ----------------------------------------------------------------------------

Entity = Station | Item | Container | Meal | Player | Thing


Cell = tuple[int, int]

FIELDS = ("stations", "items", "containers", "meals", "players", "objects")
"""The fields of a problem file that list its things."""


def type_of(entity: Entity) -> str:
    """The type of an entity of a problem file."""
    return entity.type if isinstance(entity, Thing) else type(entity).__name__.lower()


def listed(problem: ProblemFile) -> Iterator[tuple[str, int, Entity]]:
    """(field, index, entity) of everything in the file."""
    for name in FIELDS:
        for index, entity in enumerate(getattr(problem, name)):
            yield name, index, entity


def numbered(problem: ProblemFile, types: Sequence[str]) -> Iterator[tuple[Entity, Object]]:
    """The entities in the order of things, each with its thing, such as ``table1`` or ``table2``."""
    numbers: Counter[str] = Counter()
    for type in types:
        for entity in entities(problem, type):
            numbers[entity.name] += 1
            yield entity, Object(f"{entity.name}{numbers[entity.name]}", type, entity.name)


def entities(problem: ProblemFile, type: str) -> Sequence[Entity]:
    """The entities of a type in the order of their numbers: by x, then y, then those without a cell."""
    of_type = [entity for _, _, entity in listed(problem) if type_of(entity) == type]
    return sorted(of_type, key=lambda one: (1, 0, 0) if isinstance(one, Thing) else (0, one.x, one.y))
