"""Domain files: read, and checked once, so that everything after that can trust them.

Most of what must hold of a domain stands with its fields in ``schema``; here is the rest. A mistake raises
one ``BadFile`` that names entry, field and reason, such as ``action 'cook', precons[0], field 'predicate':
unknown predicate 'lock'; did you mean loc?``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from backburner.kernel import files
from backburner.kernel.errors import BadFile, shorten
from backburner.kernel.files import check_regular, converted, read_json
from backburner.worlds.robotouille.game.schema import (
    CONTAINER,
    ITEM,
    MEAL,
    PLAYER,
    STATION,
    ActionDef,
    DomainFile,
    Placement,
    PredicateDef,
    SpecialEffect,
    Term,
)
from backburner.worlds.robotouille.game.text import FINISH, IDLE

T = TypeVar("T")

NAMED = {"action_defs": "action", "predicate_defs": "predicate"}
"""Lists whose entries a message calls by their names alone."""


class Place(files.Place, frozen=True):
    """A place in a file, from the outside in: ``action 'cook'``, ``precons[0]``, ``field 'params'``."""

    def entry(self, field: str, index: int, name: Any = None) -> Self:
        """An entry of a list that stands here."""
        if isinstance(name, str) and field in NAMED:
            return self.at(f"{NAMED[field]} {shorten(name)!r}")
        return super().entry(field, index, name)

    def at_most(self, most: int, given: int, what: str) -> None:
        """Raises ``BadFile`` where more is given than can be read soon."""
        if given > most:
            raise self.wrong(f"{given} {what}; {most} are the most")


def read_part(file: Path, type: type[T]) -> T:
    """What stands in a file that another file names, not checked yet; raises ``BadFile``.

    Somebody else may have named it: what is no regular file, such as a pipe that never ends, is not opened.
    """
    check_regular(file)
    return converted(read_json(file), type, Place(str(file)))


def a(noun: str) -> str:
    """``an item``, ``a station``."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


# --- domains --------------------------------------------------------------------------------------------

Types = Mapping[str, str]
"""Parameter to type."""

Signatures = Mapping[str, Sequence[str]]
"""Predicate to the types of the things that it is about."""

MOST_NESTED = 20
"""Levels of effects within effects."""

MOST_LISTED = 500
"""Kinds, drawn predicates, effects, or terms of actions, each counted by itself."""

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
"""The types that the predicates of a ``Placement`` are about."""


def read_domain(file: Path) -> DomainFile:
    """The checked domain in a file; raises ``BadFile``."""
    place = Place(str(file))
    domain = read_part(file, DomainFile)
    check_domain(domain, place)
    return domain


def check_domain(domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for the first mistake in a domain that is as ``schema`` declares."""
    _check_size(domain, place)
    if PLAYER not in domain.object_types:
        raise place.field("object_types").wrong(f"no type {PLAYER!r}; somebody has to act")
    for at, predicate in place.entries("predicate_defs", domain.predicate_defs):
        _check_sentences(predicate, at.field("language_descriptors"))
    signatures, listed = domain.signatures, domain.listed_kinds
    for kind, type in listed.items():
        check_kind(kind, type, domain, place.field("kinds"))
    _check_placement(domain, signatures, place.field("placement"))
    for at, action in place.entries("action_defs", domain.action_defs):
        _ActionCheck(domain, signatures).all(action, at)
    _check_kinds(domain, place.field("kinds"))
    for kind, names in domain.drawn_predicates.items():
        check_unary(names, listed[kind], signatures, place.field("drawn_predicates"))
    _check_guide(domain, place.field("guide"))


def _check_size(domain: DomainFile, place: Place) -> None:
    """There is not more in all than can be read soon, and effects are not nested too deep."""
    for field in ("kinds", "drawn_predicates"):
        place.field(field).at_most(MOST_LISTED, sum(map(len, getattr(domain, field).values())), "entries")
    n_effects, n_terms = 0, sum(len(one.precons) + len(one.immediate_fx) for one in domain.action_defs)
    level: Sequence[SpecialEffect] = [effect for action in domain.action_defs for effect in action.sfx]
    at = place.field("action_defs")
    for _ in range(MOST_NESTED):
        n_effects += len(level)
        n_terms += sum(len(effect.fx) + len(effect.conditions) for effect in level)
        level = [nested for effect in level for nested in effect.sfx]
        at.at_most(MOST_LISTED, n_effects, "effects")
    if level:
        raise at.wrong(f"effects are nested {MOST_NESTED} deep at most")
    at.at_most(MOST_LISTED, n_terms, "terms")


def _check_sentences(predicate: PredicateDef, at: Place) -> None:
    """Sentences are about arguments that there are, by their numbers."""
    arguments = [str(index) for index in range(len(predicate.param_types))]
    for argument, sentence in predicate.language_descriptors.items():
        for named in (argument, *re.findall(r"\{([^{}]*)\}", sentence)):
            if named not in arguments:
                has = f"it has {len(arguments)}, counted from 0"
                raise at.wrong(f"the predicate has no argument {shorten(named)!r}; {has}")


def check_kind(name: str, type: str, domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for a name that no thing of this type can have; ``place`` is that of the name."""
    if name in domain.object_types:
        raise place.wrong(f"{name!r} is a type; a kind has a name of its own")
    known = domain.kinds_of(type)
    if known and name not in known:
        raise place.unknown(type, name, known)
    types = domain.signatures.get(f"is{name}", (type,))
    if types != (type,):
        raise place.wrong(f"{f'is{name}'!r} is about ({', '.join(types)}), and {name!r} is {a(type)}")


def check_unary(names: Iterable[str], type: str, signatures: Signatures, place: Place) -> None:
    """Raises ``BadFile`` for a predicate that is not about one thing of this type."""
    for name in names:
        if name not in signatures:
            raise place.unknown("predicate", name, signatures)
        if signatures[name] != (type,):
            about = ", ".join(signatures[name])
            raise place.wrong(f"{name!r} is about ({about}), not about {a(type)} alone")


def check_arguments(
    predicate: str, signatures: Signatures, at: Place, **given: Sequence[str]
) -> Sequence[str]:
    """The types that a predicate is about; raises ``BadFile`` if it is unknown, or if a field has more or
    fewer things than it is about."""
    if predicate not in signatures:
        raise at.field("predicate").unknown("predicate", predicate, signatures)
    types = signatures[predicate]
    for field, things in given.items():
        if len(things) != len(types):
            why = f"{predicate!r} is about ({', '.join(types)}), not about {len(things)} things"
            raise at.field(field).wrong(why)
    return types


def _check_kinds(domain: DomainFile, place: Place) -> None:
    """A kind is of one type, and two kinds differ in more than capitals: answers are read without them."""
    listed = [(kind, type) for type, kinds in domain.kinds.items() for kind in kinds]
    known: dict[str, tuple[str, str]] = {}
    for kind, type in (*listed, *((made.name, made.type) for made in domain.created)):
        other = known.setdefault(kind.casefold(), (kind, type))
        if other != (kind, type):
            why = f"{kind!r} is {a(type)}, and {other[0]!r} {a(other[1])}; they need names of their own"
            raise place.wrong(why)


def _check_placement(domain: DomainFile, signatures: Signatures, place: Place) -> None:
    for field, types in PLACED.items():
        name: str = getattr(domain.placement, field)
        if name not in signatures:
            if name not in ("", getattr(Placement(), field)):
                raise place.field(field).unknown("predicate", name, signatures)
            continue
        has = signatures[name]
        if has != types and set(types) <= set(domain.object_types):
            why = f"{name!r} is about ({', '.join(has)}), and this about ({', '.join(types)})"
            raise place.field(field).wrong(f"{why}; name another predicate, or '' for none")


def _check_guide(domain: DomainFile, place: Place) -> None:
    """``{count}`` stands in the lines of actions that count something."""
    counting = {
        action.name
        for action in domain.action_defs
        if any(effect.type in ("delayed", "repetitive") for effect in action.special_effects)
    }
    for field in ("actions", "times", "conditions"):
        lines: Mapping[str, str] = getattr(domain.guide, field)
        for name, line in lines.items():
            if "{count}" in line and name not in counting:
                why = "stands for a count, and the action has no delayed or repetitive effect"
                raise place.field(field).at(f"action {shorten(name)!r}").wrong(f"'{{count}}' {why}")


class _ActionCheck:
    """The checks of an action's terms, of its special effects, and of its sentence."""

    def __init__(self, domain: DomainFile, signatures: Signatures) -> None:
        self.domain = domain
        self.signatures = signatures

    def all(self, action: ActionDef, place: Place) -> None:
        """Raises ``BadFile`` for the first mistake in an action."""
        types: dict[str, str] = {}
        for field in ("precons", "immediate_fx"):
            for at, term in place.entries(field, getattr(action, field)):
                own = check_arguments(term.predicate, self.signatures, at, params=term.params)
                types = dict(zip(term.params, own, strict=True)) | types
        for field in ("precons", "immediate_fx"):
            self.terms(getattr(action, field), field, types, place)
        for index, effect in enumerate(action.sfx):
            self.effect(effect, types, place.entry("sfx", index))
        self.sentence(action.language_description, types, place.field("language_description"))

    def terms(self, terms: Sequence[Term], field: str, bound: Types, place: Place) -> None:
        """Their parameters have the types that they have elsewhere; no fact is to be both true and false."""
        first = {(term.predicate, term.params): term.is_true for term in reversed(terms)}
        for at, term in place.entries(field, terms):
            types = check_arguments(term.predicate, self.signatures, at, params=term.params)
            for param, type in zip(term.params, types, strict=True):
                if param not in bound:
                    raise self.unbound(param, bound, at.field("params"))
                if bound[param] != type:
                    why = f"{param!r} is {a(type)} here and {a(bound[param])} elsewhere in the action"
                    raise at.field("params").wrong(why)
            if first[term.predicate, term.params] != term.is_true:
                fact = f"{term.predicate}({', '.join(term.params)})"
                raise at.wrong(f"{fact} is to be true and false at once")

    def unbound(self, param: str, bound: Types, at: Place) -> BadFile:
        """The error that nothing says what a parameter stands for."""
        why = "preconditions, immediate effects and creations around an effect give it its parameters"
        return at.unknown("parameter", param, bound, why)

    def effect(self, effect: SpecialEffect, bound: Types, at: Place) -> None:
        """A special effect and those nested in it."""
        if effect.param not in bound:
            raise self.unbound(effect.param, bound, at.field("param"))
        if effect.conditions and effect.type != "conditional":
            raise at.field("conditions").wrong(f"only a conditional effect has them, not a {effect.type} one")
        if effect.config and effect.type not in ("delayed", "repetitive"):
            raise at.field("config").wrong(f"a {effect.type} effect counts nothing")
        if effect.type == "deletion" and bound[effect.param] == PLAYER:
            raise at.field("param").wrong("a player cannot be deleted; whoever plays it would be gone")
        bound = {**bound, **self.created(effect, bound, at)}
        for field in ("conditions", "fx"):
            self.terms(getattr(effect, field), field, bound, at)
        for index, nested in enumerate(effect.sfx):
            self.effect(nested, bound, at.entry("sfx", index))

    def created(self, effect: SpecialEffect, bound: Types, at: Place) -> Types:
        """The parameter that stands for the thing that an effect creates; it is bound within it alone."""
        made, at = effect.created_obj, at.field("created_obj")
        if (made is None) == (effect.type == "creation"):
            why = "is missing" if made is None else "stands with a creation alone"
            raise at.wrong(f"{why}; this effect is of type {effect.type!r}")
        if made is None:
            return {}
        if made.type == PLAYER:
            raise at.wrong("a player cannot be made; nobody would play it")
        check_kind(made.name, made.type, self.domain, at)
        if made.param in bound:
            raise at.wrong(f"parameter {made.param!r} stands for something else already")
        return {made.param: made.type}

    def sentence(self, sentence: str, types: Types, place: Place) -> None:
        """It names parameters of the action, and is no answer with a meaning of its own."""
        for param in re.findall(r"\{([^{}]*)\}", sentence):
            if param not in types:
                raise place.unknown("parameter", param, sorted(types))
        if "}{" in sentence:
            raise place.wrong("two parameters need something between them")
        if sentence != " ".join(sentence.split()):
            raise place.wrong("no spaces around a sentence, and single ones in it")
        if sentence.casefold() in (FINISH.casefold(), IDLE.casefold()):
            raise place.wrong(f"the answer {sentence!r} has a meaning of its own")
