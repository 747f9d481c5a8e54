"""What things may be called: the kinds of a domain, and wildcards in a problem that stand for any kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from backburner.worlds.robotouille.game.domain import special_effects
from backburner.worlds.robotouille.game.places import Place, a
from backburner.worlds.robotouille.game.problem import Entity
from backburner.worlds.robotouille.game.schema import (
    Container,
    Creation,
    DomainFile,
    Item,
    Meal,
    Player,
    ProblemFile,
    Station,
    Thing,
)

E = TypeVar("E", Station, Item, Container, Meal, Player, Thing)

KIND = re.compile(r"[^\W\d_](?:[\w-]*[^\W\d])?")
"""Things are called after their kind and a number, so that no kind ends in a digit."""


def kinds_of(domain: DomainFile, type: str) -> Sequence[str]:
    """The names that things of a type may have; empty if any name will do.

    A domain that does not list them says what there is with predicates such as ``istable``, and
    there is what its effects make.
    """
    if type in domain.kinds:
        return domain.kinds[type]
    unary = (one.name for one in domain.predicate_defs if one.param_types == (type,))
    named = [name.removeprefix("is") for name in unary if name.startswith("is")]
    return named and [*named, *(one.name for one in created(domain) if one.type == type)]


def check_kind(name: str, type: str, domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for a name that nothing of this type can have; the place is that of the name."""
    if not KIND.fullmatch(name):
        raise place.wrong(f"{name!r}: use letters, digits and _ - only, a letter first and no digit last")
    if name in domain.object_types:
        raise place.wrong(f"{name!r} is a type; a kind has a name of its own")
    known = kinds_of(domain, type)
    if known and name not in known:
        raise place.unknown(type, name, known)
    predicate = next((one for one in domain.predicate_defs if one.name == f"is{name}"), None)
    if predicate is not None and predicate.param_types != (type,):
        about = ", ".join(predicate.param_types)
        raise place.wrong(f"{predicate.name!r} is about ({about}), and {name!r} is {a(type)}")


def created(domain: DomainFile) -> list[Creation]:
    """What effects of the domain make."""
    return [
        effect.created_obj
        for action in domain.action_defs
        for root in action.sfx
        for effect in special_effects(root)
        if effect.created_obj is not None
    ]


def draw_kinds(problem: ProblemFile, domain: DomainFile, seed: int, place: Place) -> ProblemFile:
    """The problem with a kind for every thing that is called after its type alone.

    As in the released program, an item called ``item`` is any kind of item; there it is another one
    whenever the level is loaded, here the seed decides. Raises ``BadFile`` if the domain does not
    list the kinds of such a type.
    """
    draw = Random(seed)

    def drawn(entities: Sequence[E], field: str) -> tuple[E, ...]:
        found = []
        for index, entity in enumerate(entities):
            type = type_of(entity)
            if entity.name == type and type in domain.object_types:
                if not domain.kinds.get(type):
                    why = f"{type!r} stands for any kind of {type}, and the domain lists none under 'kinds'"
                    raise place.entry(field, index, type).field("name").wrong(why)
                entity = replace(entity, name=draw.choice(domain.kinds[type]))
            found.append(entity)
        return tuple(found)

    return replace(
        problem,
        stations=drawn(problem.stations, "stations"),
        items=drawn(problem.items, "items"),
        containers=drawn(problem.containers, "containers"),
        meals=drawn(problem.meals, "meals"),
        players=drawn(problem.players, "players"),
        objects=drawn(problem.objects, "objects"),
    )


def type_of(entity: Entity) -> str:
    """The type of an entity of a problem file."""
    return entity.type if isinstance(entity, Thing) else type(entity).__name__.lower()
