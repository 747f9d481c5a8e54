"""Whether an action makes sense: its terms, what it brings about later, and how it is said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from backburner.kernel.errors import BadFile
from backburner.worlds.robotouille.game.kinds import check_kind
from backburner.worlds.robotouille.game.places import Place, a
from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import (
    PLAYER,
    ActionDef,
    DomainFile,
    PredicateDef,
    SpecialEffect,
    Term,
)
from backburner.worlds.robotouille.game.text import FINISH, IDLE

PARAM = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
DEFECTS = tuple(name for name in Rules.__struct_fields__ if name != "name")

MOST_NESTED = 20
"""Levels of effects within effects."""

Types = Mapping[str, str]
"""Parameter to type."""


def check_action(
    action: ActionDef, domain: DomainFile, predicates: Mapping[str, PredicateDef], place: Place
) -> None:
    """Raises ``BadFile`` for the first mistake in an action."""
    check = _Check(domain, predicates)
    types: dict[str, str] = {}
    for field in ("precons", "immediate_fx"):
        terms: Sequence[Term] = getattr(action, field)
        for index, term in enumerate(terms):
            at = place.entry(field, index)
            for param, type in check.term(term, at).items():
                types.setdefault(param, type)
            check.types(term, types, at)
        check.no_contradiction(terms, field, place)
    for index, effect in enumerate(action.sfx):
        check.effect(effect, types, place.entry("sfx", index))
    _check_sentence(action.language_description, types, place.field("language_description"))


def check_nesting(action: ActionDef, place: Place) -> None:
    """Raises ``BadFile`` for effects so deep in one another that nothing could go through them."""
    level: Sequence[SpecialEffect] = action.sfx
    for _ in range(MOST_NESTED):
        level = [nested for effect in level for nested in effect.sfx]
    if level:
        raise place.field("sfx").wrong(f"effects are nested {MOST_NESTED} deep at most")


class _Check:
    """The checks of terms and effects; each raises ``BadFile``."""

    def __init__(self, domain: DomainFile, predicates: Mapping[str, PredicateDef]) -> None:
        self.domain = domain
        self.predicates = predicates

    def term(self, term: Term, at: Place) -> Types:
        """A term by itself; gives the types of the parameters that it binds."""
        if term.predicate not in self.predicates:
            raise at.field("predicate").unknown("predicate", term.predicate, self.predicates)
        types = self.predicates[term.predicate].param_types
        at_params = at.field("params")
        if len(term.params) != len(types):
            why = f"{term.predicate!r} is about ({', '.join(types)}), not about {len(term.params)} things"
            raise at_params.wrong(why)
        for param in term.params:
            if not PARAM.fullmatch(param):
                raise at_params.wrong(f"{param!r} is no name of a parameter; it is written like s1")
            if term.params.count(param) > 1:
                raise at_params.wrong(f"{param!r} stands twice; a fact is about different things")
        if term.unless and term.unless not in DEFECTS:
            raise at.field("unless").unknown("field of the rules", term.unless, DEFECTS)
        return dict(zip(term.params, types, strict=True))

    def types(self, term: Term, bound: Types, at: Place) -> None:
        """The parameters of a term are of the types that they have elsewhere in the action."""
        for param, type in zip(term.params, self.predicates[term.predicate].param_types, strict=True):
            if param not in bound:
                raise self.unbound(param, bound, at.field("params"))
            if bound[param] != type:
                why = f"{param!r} is {a(type)} here and {a(bound[param])} elsewhere in the action"
                raise at.field("params").wrong(why)

    def unbound(self, param: str, bound: Types, at: Place) -> BadFile:
        """Nothing says what a parameter stands for."""
        why = "preconditions, immediate effects and creations around an effect give it its parameters"
        return at.unknown("parameter", param, bound, why)

    def no_contradiction(self, terms: Sequence[Term], field: str, place: Place) -> None:
        """No fact is to be true and false."""
        told = {(term.predicate, term.params): term.is_true for term in reversed(terms)}
        for index, term in enumerate(terms):
            if told[term.predicate, term.params] != term.is_true:
                fact = f"{term.predicate}({', '.join(term.params)})"
                raise place.entry(field, index).wrong(f"{fact} is to be true and false at once")

    def effect(self, effect: SpecialEffect, bound: Types, at: Place) -> None:
        """A special effect and what is nested in it."""
        if effect.param not in bound:
            raise self.unbound(effect.param, bound, at.field("param"))
        if effect.conditions and effect.type != "conditional":
            raise at.field("conditions").wrong(f"only a conditional effect has them, not a {effect.type} one")
        if effect.config and effect.type not in ("delayed", "repetitive"):
            raise at.field("config").wrong(f"a {effect.type} effect counts nothing")
        if effect.type == "deletion" and bound[effect.param] == PLAYER:
            raise at.field("param").wrong("a player cannot be deleted; whoever plays it would be gone")
        bound = {**bound, **self.made(effect, bound, at)}
        for field in ("conditions", "fx"):
            terms: Sequence[Term] = getattr(effect, field)
            for index, term in enumerate(terms):
                place = at.entry(field, index)
                self.term(term, place)
                self.types(term, bound, place)
            self.no_contradiction(terms, field, at)
        for index, nested in enumerate(effect.sfx):
            self.effect(nested, bound, at.entry("sfx", index))

    def made(self, effect: SpecialEffect, bound: Types, at: Place) -> Types:
        """The parameter that stands for what the effect makes, known within it alone."""
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


def _check_sentence(sentence: str, types: Types, place: Place) -> None:
    """It names parameters of the action, and can be told from answers that mean something else."""
    place.one_line(sentence)
    for param in re.findall(r"\{([^{}]*)\}", sentence):
        if param not in types:
            raise place.unknown("parameter", param, sorted(types))
    if "}{" in sentence:
        raise place.wrong("two parameters need something between them")
    if sentence != " ".join(sentence.split()):
        raise place.wrong("no spaces around a sentence, and single ones in it")
    if sentence.casefold() in (FINISH.casefold(), IDLE.casefold()):
        raise place.wrong(f"the answer {sentence!r} has a meaning of its own")
