"""Domain files: read, and checked once, so that everything after that can trust them.

A mistake raises one ``BadFile`` that names entry, field and reason, such as ``action 'cook',
precons[0], field 'predicate': unknown predicate 'lock'; did you mean 'loc'?``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path

from backburner.kernel.errors import BadFile, shorten
from backburner.worlds.robotouille.game.places import LONGEST_NAME, Place, a, read_part
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import (
    CONTAINER,
    ITEM,
    MEAL,
    PLAYER,
    STATION,
    ActionDef,
    DomainFile,
    Guide,
    Placement,
    PredicateDef,
    SpecialEffect,
    Term,
)
from backburner.worlds.robotouille.game.text import FINISH, IDLE

Types = Mapping[str, str]
"""Parameter to type."""

Signatures = Mapping[str, Sequence[str]]
"""Predicate to the types of the things that it is about."""

NAME = re.compile(r"[^\W\d_][\w-]*")

PARAM = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

KIND_NAME = re.compile(r"[^\W\d_](?:[\w-]*[^\W\d])?")
"""No kind ends in a digit, because things are called after their kind and a number."""

DEFECTS = tuple(name for name in Rules.__struct_fields__ if name != "name")

MOST_NESTED = 20
"""Levels of effects within effects."""

MOST_LISTED = 500
"""Types, kinds, predicates, actions, terms of actions, or effects, each counted by itself."""

MOST_ARGUMENTS = 5
"""Things that a predicate is about."""

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
    """Raises ``BadFile`` for the first mistake in a domain."""
    _check_size(domain, place)
    for index, action in enumerate(domain.action_defs):
        _check_nesting(action, place.entry("action_defs", index, action.name))
    _check_types(domain.object_types, place.field("object_types"))
    signatures: dict[str, Sequence[str]] = {}
    for index, predicate in enumerate(domain.predicate_defs):
        at = place.entry("predicate_defs", index, predicate.name)
        _check_name(predicate.name, signatures, at)
        _check_predicate(predicate, domain.object_types, at)
        signatures[predicate.name] = predicate.param_types
    _check_listed_kinds(domain, place.field("kinds"))
    _check_placement(domain, signatures, place.field("placement"))
    if not domain.action_defs:
        raise place.field("action_defs").wrong("at least one action is needed")
    actions: list[str] = []
    for index, action in enumerate(domain.action_defs):
        at = place.entry("action_defs", index, action.name)
        _check_name(action.name, actions, at)
        _ActionCheck(domain, signatures).all(action, at)
        actions.append(action.name)
    _check_kinds(domain, place.field("kinds"))
    _check_drawn(domain, signatures, place.field("drawn_predicates"))
    counting = {action.name: _counts(action) for action in domain.action_defs}
    _check_guide(domain.guide, domain.object_types, counting, place.field("guide"))


def _counts(action: ActionDef) -> bool:
    """Whether an action has an effect that comes later, or after several times."""
    return any(effect.type in ("delayed", "repetitive") for effect in action.special_effects)


def _check_size(domain: DomainFile, place: Place) -> None:
    """There is not more of anything than can be read soon."""
    for field in ("object_types", "predicate_defs", "action_defs"):
        place.field(field).at_most(MOST_LISTED, len(getattr(domain, field)), "entries")
    for field in ("kinds", "drawn_predicates"):
        place.field(field).at_most(MOST_LISTED, sum(map(len, getattr(domain, field).values())), "entries")
    n_terms = n_effects = 0
    level: Sequence[SpecialEffect] = [effect for action in domain.action_defs for effect in action.sfx]
    for action in domain.action_defs:
        n_terms += len(action.precons) + len(action.immediate_fx)
    while level and n_effects <= MOST_LISTED:
        n_effects += len(level)
        n_terms += sum(len(effect.fx) + len(effect.conditions) for effect in level)
        level = [nested for effect in level for nested in effect.sfx]
    place.field("action_defs").at_most(MOST_LISTED, n_effects, "effects")
    place.field("action_defs").at_most(MOST_LISTED, n_terms, "terms")


def _check_nesting(action: ActionDef, place: Place) -> None:
    """Effects are not nested so deep that reading them would fail."""
    level: Sequence[SpecialEffect] = action.sfx
    for _ in range(MOST_NESTED):
        level = [nested for effect in level for nested in effect.sfx]
    if level:
        raise place.field("sfx").wrong(f"effects are nested {MOST_NESTED} deep at most")


def _check_name(name: str, known: Container[str], place: Place) -> None:
    place.field("name").at_most(LONGEST_NAME, len(name), "characters")
    if not NAME.fullmatch(name):
        raise place.field("name").wrong(f"{name!r}: use letters, digits and _ - only, a letter first")
    if name in known:
        raise place.wrong("this name is given twice")


def _check_types(types: Sequence[str], place: Place) -> None:
    for index, type in enumerate(types):
        place.at_most(LONGEST_NAME, len(type), "characters")
        if not NAME.fullmatch(type):
            raise place.wrong(f"{type!r}: use letters, digits and _ - only, a letter first")
        if type in types[:index]:
            raise place.wrong(f"type {type!r} is given twice")
    if PLAYER not in types:
        raise place.wrong(f"no type {PLAYER!r}; somebody has to act")


def _check_predicate(predicate: PredicateDef, types: Sequence[str], place: Place) -> None:
    place.field("param_types").at_most(MOST_ARGUMENTS, len(predicate.param_types), "arguments")
    at = place.field("language_descriptors")
    at.at_most(MOST_ARGUMENTS, len(predicate.language_descriptors), "sentences")
    for type in predicate.param_types:
        if type not in types:
            raise place.field("param_types").unknown("type", type, types)
    arguments = [str(index) for index in range(len(predicate.param_types))]
    for argument, sentence in predicate.language_descriptors.items():
        at.sentence(sentence)
        for named in (argument, *re.findall(r"\{([^{}]*)\}", sentence)):
            if named not in arguments:
                has = f"it has {len(arguments)}, counted from 0"
                raise at.wrong(f"the predicate has no argument {shorten(named)!r}; {has}")


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


def check_kind(name: str, type: str, domain: DomainFile, place: Place) -> None:
    """Raises ``BadFile`` for a name that no thing of this type can have; ``place`` is that of the name."""
    place.at_most(LONGEST_NAME, len(name), "characters")
    if not KIND_NAME.fullmatch(name):
        raise place.wrong(f"{name!r}: use letters, digits and _ - only, a letter first and no digit last")
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


def check_different(things: Sequence[str], at: Place) -> None:
    """Raises ``BadFile`` where a fact is twice about the same."""
    for thing in things:
        if things.count(thing) > 1:
            raise at.wrong(f"{thing!r} stands twice; a fact is about different things")


def _check_kinds(domain: DomainFile, place: Place) -> None:
    """A kind is of one type, and two kinds differ in more than capitals: answers are read without them."""
    listed = [(kind, type) for type, kinds in domain.kinds.items() for kind in kinds]
    known: dict[str, tuple[str, str]] = {}
    for kind, type in (*listed, *((made.name, made.type) for made in domain.created)):
        other = known.setdefault(kind.casefold(), (kind, type))
        if other != (kind, type):
            why = f"{kind!r} is {a(type)}, and {other[0]!r} {a(other[1])}; they need names of their own"
            raise place.wrong(why)


def _check_drawn(domain: DomainFile, signatures: Signatures, place: Place) -> None:
    type_of = {kind: type for type, kinds in domain.kinds.items() for kind in kinds}
    for kind, names in domain.drawn_predicates.items():
        if kind not in type_of:
            raise place.unknown("kind", kind, type_of)
        check_unary(names, type_of[kind], signatures, place)


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


def _check_guide(guide: Guide, types: Sequence[str], actions: Mapping[str, bool], place: Place) -> None:
    """The lines are about types and actions that there are; ``actions`` tells which of them count."""
    of_actions = ("actions", "times", "conditions")
    for field in ("types", *of_actions):
        lines: Mapping[str, str] = getattr(guide, field)
        noun, known = ("action", actions) if field in of_actions else ("type", types)
        for name, line in lines.items():
            if name not in known:
                raise place.field(field).unknown(noun, name, known)
            place.field(field).sentence(line)
            if field in of_actions and "{count}" in line and not actions[name]:
                why = "stands for a count, and the action has no delayed or repetitive effect"
                raise place.field(field).at(f"action {shorten(name)!r}").wrong(f"'{{count}}' {why}")
    for field in ("rules", "recipes"):
        lines_of = getattr(guide, field)
        place.field(field).at_most(MOST_LISTED, len(lines_of), "lines")
        for line in lines_of:
            place.field(field).sentence(line)


class _ActionCheck:
    """The checks of an action's terms, of its special effects, and of its sentence."""

    def __init__(self, domain: DomainFile, signatures: Signatures) -> None:
        self.domain = domain
        self.signatures = signatures

    def all(self, action: ActionDef, place: Place) -> None:
        """Raises ``BadFile`` for the first mistake in an action."""
        types: dict[str, str] = {}
        for field in ("precons", "immediate_fx"):
            terms: Sequence[Term] = getattr(action, field)
            for index, term in enumerate(terms):
                at = place.entry(field, index)
                for param, type in self.term(term, at).items():
                    types.setdefault(param, type)
                self.types(term, types, at)
            self.no_contradiction(terms, field, place)
        for index, effect in enumerate(action.sfx):
            self.effect(effect, types, place.entry("sfx", index))
        self.sentence(action.language_description, types, place.field("language_description"))

    def term(self, term: Term, at: Place) -> Types:
        """A term by itself; returns the types of the parameters that it binds."""
        types = check_arguments(term.predicate, self.signatures, at, params=term.params)
        for param in term.params:
            at.field("params").at_most(LONGEST_NAME, len(param), "characters")
            if not PARAM.fullmatch(param):
                raise at.field("params").wrong(f"{param!r} is no name of a parameter; it is written like s1")
        check_different(term.params, at.field("params"))
        if term.unless and term.unless not in DEFECTS:
            raise at.field("unless").unknown("field of the rules", term.unless, DEFECTS)
        return dict(zip(term.params, types, strict=True))

    def types(self, term: Term, bound: Types, at: Place) -> None:
        """The parameters of a term have the types that they have elsewhere in the action."""
        for param, type in zip(term.params, self.signatures[term.predicate], strict=True):
            if param not in bound:
                raise self.unbound(param, bound, at.field("params"))
            if bound[param] != type:
                why = f"{param!r} is {a(type)} here and {a(bound[param])} elsewhere in the action"
                raise at.field("params").wrong(why)

    def unbound(self, param: str, bound: Types, at: Place) -> BadFile:
        """The error that nothing says what a parameter stands for."""
        why = "preconditions, immediate effects and creations around an effect give it its parameters"
        return at.unknown("parameter", param, bound, why)

    def no_contradiction(self, terms: Sequence[Term], field: str, place: Place) -> None:
        """No fact is to be both true and false."""
        first = {(term.predicate, term.params): term.is_true for term in reversed(terms)}
        for index, term in enumerate(terms):
            if first[term.predicate, term.params] != term.is_true:
                fact = f"{term.predicate}({', '.join(term.params)})"
                raise place.entry(field, index).wrong(f"{fact} is to be true and false at once")

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
            terms: Sequence[Term] = getattr(effect, field)
            for index, term in enumerate(terms):
                place = at.entry(field, index)
                self.term(term, place)
                self.types(term, bound, place)
            self.no_contradiction(terms, field, at)
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
        if made.type not in self.domain.object_types:
            raise at.unknown("type", made.type, self.domain.object_types)
        if made.type == PLAYER:
            raise at.wrong("a player cannot be made; nobody would play it")
        check_kind(made.name, made.type, self.domain, at)
        if not PARAM.fullmatch(made.param):
            raise at.wrong(f"{made.param!r} is no name of a parameter; it is written like m1")
        if made.param in bound:
            raise at.wrong(f"parameter {made.param!r} stands for something else already")
        return {made.param: made.type}

    def sentence(self, sentence: str, types: Types, place: Place) -> None:
        """It names parameters of the action, and is no answer with a meaning of its own."""
        place.sentence(sentence)
        for param in re.findall(r"\{([^{}]*)\}", sentence):
            if param not in types:
                raise place.unknown("parameter", param, sorted(types))
        if "}{" in sentence:
            raise place.wrong("two parameters need something between them")
        if sentence != " ".join(sentence.split()):
            raise place.wrong("no spaces around a sentence, and single ones in it")
        if sentence.casefold() in (FINISH.casefold(), IDLE.casefold()):
            raise place.wrong(f"the answer {sentence!r} has a meaning of its own")
