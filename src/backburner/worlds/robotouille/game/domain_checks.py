"""Whether a domain makes sense: checked once when it is read, trusted by everything after that.

Types, predicates, kinds and words are checked here, actions and what they bring about in
``action_checks``. A mistake is one ``BadFile`` that names entry, field and reason.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence

from backburner.worlds.robotouille.game.action_checks import check_action, check_nesting
from backburner.worlds.robotouille.game.kinds import check_kind, created
from backburner.worlds.robotouille.game.places import Place, a
from backburner.worlds.robotouille.game.schema import (
    CONTAINER,
    ITEM,
    MEAL,
    PLAYER,
    STATION,
    DomainFile,
    Guide,
    Placement,
    PredicateDef,
)

NAME = re.compile(r"[^\W\d_][\w-]*")

PLACED: Mapping[str, tuple[str, ...]] = {
    "player_at": (PLAYER, STATION),
    "station_free": (STATION,),
    "station_empty": (STATION,),
    "item_at": (ITEM, STATION),
    "item_on": (ITEM, STATION),
    "item_atop": (ITEM, ITEM),
    "item_clear": (ITEM,),
    "holds_item": (PLAYER, ITEM),
    "holds_container": (PLAYER, CONTAINER),
    "holds_nothing": (PLAYER,),
    "container_at": (CONTAINER, STATION),
    "container_empty": (CONTAINER,),
    "meal_in": (MEAL, CONTAINER),
}
"""What the predicates of a ``Placement`` are about."""


def check_domain(domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for the first mistake in a domain."""
    for index, action in enumerate(domain.action_defs):
        check_nesting(action, place.entry("action_defs", index, action.name))
    _check_types(domain.object_types, place.field("object_types"))
    predicates: dict[str, PredicateDef] = {}
    for index, predicate in enumerate(domain.predicate_defs):
        at = place.entry("predicate_defs", index, predicate.name)
        _check_name(predicate.name, predicates, at)
        _check_predicate(predicate, domain.object_types, at)
        predicates[predicate.name] = predicate
    _check_listed_kinds(domain, place.field("kinds"))
    _check_placement(domain, predicates, place.field("placement"))
    if not domain.action_defs:
        raise place.field("action_defs").wrong("at least one action is needed")
    actions: list[str] = []
    for index, action in enumerate(domain.action_defs):
        at = place.entry("action_defs", index, action.name)
        _check_name(action.name, actions, at)
        check_action(action, domain, predicates, at)
        actions.append(action.name)
    _check_kinds(domain, place)
    _check_drawn(domain, predicates, place.field("drawn_predicates"))
    _check_guide(domain.guide, domain.object_types, actions, place.field("guide"))


def _check_name(name: str, known: Container[str], place: Place) -> None:
    if not NAME.fullmatch(name):
        raise place.field("name").wrong(f"{name!r}: use letters, digits and _ - only, a letter first")
    if name in known:
        raise place.wrong("this name is given twice")


def _check_types(types: Sequence[str], place: Place) -> None:
    for index, type in enumerate(types):
        if not NAME.fullmatch(type):
            raise place.wrong(f"{type!r}: use letters, digits and _ - only, a letter first")
        if type in types[:index]:
            raise place.wrong(f"type {type!r} is given twice")
    if PLAYER not in types:
        raise place.wrong(f"no type {PLAYER!r}; somebody has to act")


def _check_predicate(predicate: PredicateDef, types: Sequence[str], place: Place) -> None:
    for type in predicate.param_types:
        if type not in types:
            raise place.field("param_types").unknown("type", type, types)
    at = place.field("language_descriptors")
    arguments = [str(index) for index in range(len(predicate.param_types))]
    for argument, sentence in predicate.language_descriptors.items():
        for named in (argument, *re.findall(r"\{([^{}]*)\}", sentence)):
            if named not in arguments:
                has = f"it has {len(arguments)}, counted from 0"
                raise at.wrong(f"the predicate has no argument {named!r}; {has}")
        at.one_line(sentence)


def _check_listed_kinds(domain: DomainFile, place: Place) -> None:
    for type, kinds in domain.kinds.items():
        if type not in domain.object_types:
            raise place.unknown("type", type, domain.object_types)
        if not kinds:
            raise place.wrong(f"no kind of {type}; leave the type out if any name will do")
        for kind in kinds:
            check_kind(kind, type, domain, place)
            if kinds.count(kind) > 1:
                raise place.wrong(f"{kind!r} is given twice")


def _check_kinds(domain: DomainFile, place: Place) -> None:
    """A kind is of one type, and two kinds differ in more than capitals: answers are read without them."""
    listed = [(kind, type) for type, kinds in domain.kinds.items() for kind in kinds]
    known: dict[str, tuple[str, str]] = {}
    for kind, type in (*listed, *((one.name, one.type) for one in created(domain))):
        other = known.setdefault(kind.casefold(), (kind, type))
        if other != (kind, type):
            why = f"{kind!r} is {a(type)}, and {other[0]!r} {a(other[1])}; they need names of their own"
            raise place.field("kinds").wrong(why)


def _check_drawn(domain: DomainFile, predicates: Mapping[str, PredicateDef], place: Place) -> None:
    type_of = {kind: type for type, kinds in domain.kinds.items() for kind in kinds}
    for kind, names in domain.drawn_predicates.items():
        if kind not in type_of:
            raise place.unknown("kind", kind, type_of)
        check_own(names, type_of[kind], predicates, place)


def check_own(names: Sequence[str], type: str, predicates: Mapping[str, PredicateDef], place: Place) -> None:
    """Raises ``BadFile`` for a predicate that is not about one thing of this type."""
    for name in names:
        if name not in predicates:
            raise place.unknown("predicate", name, predicates)
        if predicates[name].param_types != (type,):
            about = ", ".join(predicates[name].param_types)
            raise place.wrong(f"{name!r} is about ({about}), not about {a(type)} alone")


def _check_placement(domain: DomainFile, predicates: Mapping[str, PredicateDef], place: Place) -> None:
    for field, types in PLACED.items():
        name: str = getattr(domain.placement, field)
        if name not in predicates:
            if name not in ("", getattr(Placement(), field)):
                raise place.field(field).unknown("predicate", name, predicates)
            continue
        found = predicates[name].param_types
        if found != types and set(types) <= set(domain.object_types):
            why = f"{name!r} is about ({', '.join(found)}), and this about ({', '.join(types)})"
            raise place.field(field).wrong(f"{why}; name another predicate, or '' for none")


def _check_guide(guide: Guide, types: Sequence[str], actions: Sequence[str], place: Place) -> None:
    for field, known in (("types", types), ("actions", actions)):
        lines: Mapping[str, str] = getattr(guide, field)
        for name in lines:
            if name not in known:
                raise place.field(field).unknown(field.removesuffix("s"), name, known)
    for field in ("rules", "recipes"):
        for line in getattr(guide, field):
            place.field(field).one_line(line)
    for lines in (guide.types, guide.actions):
        for line in lines.values():
            place.one_line(line)
