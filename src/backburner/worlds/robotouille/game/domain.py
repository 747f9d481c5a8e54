"""A domain, compiled: predicates, actions and special effects with their parameters as positions.

Nothing here knows a certain domain. Terms that a defect of the release leaves out (``unless``) are
left out if the bound rules let it happen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct

from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import ActionDef, DomainFile, EffectType, SpecialEffect, Term


class Predicate(Struct, frozen=True):
    """A predicate and the types of its arguments."""

    index: int
    name: str
    types: tuple[str, ...]
    sentences: dict[str, str]


class Claim(Struct, frozen=True):
    """A term whose arguments are positions in the arguments of an action or an effect."""

    predicate: int
    places: tuple[int, ...]
    is_true: bool


class Node(Struct, frozen=True):
    """A special effect. ``index`` counts the nodes of its tree, the root first, depth first.

    ``owner`` is the position of the thing that it belongs to, ``made`` that of the one it creates.
    """

    index: int
    type: EffectType
    owner: int
    conditions: tuple[Claim, ...]
    fx: tuple[Claim, ...]
    nested: tuple[Node, ...]
    table: str = ""
    made: int = -1
    made_name: str = ""
    made_type: str = ""

    def walk(self) -> Iterable[Node]:
        """This node and those below it, in the order of their indices."""
        yield self
        for node in self.nested:
            yield from node.walk()


class Effect(Struct, frozen=True):
    """A special effect's tree; its arguments are ``n_given`` by the action, then those it creates."""

    index: int
    root: Node
    n_nodes: int
    n_given: int
    n_made: int

    @property
    def takes_time(self) -> bool:
        """Whether anything in it waits for ticks."""
        return any(node.type == "delayed" for node in self.root.walk())


class Use(Struct, frozen=True):
    """An effect that an action has, and which of the action's arguments it is given."""

    effect: int
    places: tuple[int, ...]


class Action(Struct, frozen=True):
    """An action: parameters by name with their types, what has to hold, what follows."""

    index: int
    name: str
    params: tuple[str, ...]
    types: tuple[str, ...]
    needs: tuple[Claim, ...]
    fx: tuple[Claim, ...]
    uses: tuple[Use, ...]
    text: str


class Domain:
    """A checked domain file under one rule set."""

    def __init__(self, file: DomainFile, rules: Rules) -> None:
        self.file = file
        self.types = file.object_types
        self.predicates = tuple(
            Predicate(index, one.name, one.param_types, one.language_descriptors)
            for index, one in enumerate(file.predicate_defs)
        )
        self.by_name = {predicate.name: predicate for predicate in self.predicates}
        self._rules = rules
        self._effects: dict[tuple[Node, int, int], Effect] = {}
        self.actions = tuple(self._action(index, one) for index, one in enumerate(file.action_defs))
        self.effects = tuple(self._effects.values())

    def _action(self, index: int, file: ActionDef) -> Action:
        types = parameter_types(file, self.by_name)
        params = tuple(sorted(types))
        places = {param: place for place, param in enumerate(params)}
        return Action(
            index,
            file.name,
            params,
            tuple(types[param] for param in params),
            self._claims(file.precons, places),
            self._claims(file.immediate_fx, places),
            tuple(self._use(effect, file.name, places) for effect in file.sfx),
            file.language_description,
        )

    def _claims(self, terms: Sequence[Term], places: Mapping[str, int]) -> tuple[Claim, ...]:
        return tuple(
            Claim(self.by_name[term.predicate].index, tuple(places[p] for p in term.params), term.is_true)
            for term in terms
            if not (term.unless and getattr(self._rules, term.unless))
        )

    def _use(self, file: SpecialEffect, action: str, places: Mapping[str, int]) -> Use:
        """The effect with its own numbering, so that equal effects of several actions are one."""
        made = tuple(node.created_obj.param for node in special_effects(file) if node.created_obj)
        given = tuple(param for param in dict.fromkeys(effect_params(file)) if param not in made)
        own = {param: place for place, param in enumerate((*given, *made))}
        root = self._node(file, action, own, count())
        key = (root, len(given), len(made))
        if key not in self._effects:
            n_nodes = len(list(root.walk()))
            self._effects[key] = Effect(len(self._effects), root, n_nodes, len(given), len(made))
        return Use(self._effects[key].index, tuple(places[param] for param in given))

    def _node(
        self, file: SpecialEffect, action: str, places: Mapping[str, int], numbers: Iterator[int]
    ) -> Node:
        index = next(numbers)
        made = file.created_obj
        return Node(
            index,
            file.type,
            places[file.param],
            self._claims(file.conditions, places),
            self._claims(file.fx, places),
            tuple(self._node(below, action, places, numbers) for below in file.sfx),
            "" if self._rules.config_ignored else table_of(file, action),
            places[made.param] if made else -1,
            made.name if made else "",
            made.type if made else "",
        )


def table_of(file: SpecialEffect, action: str) -> str:
    """The table of a problem's ``config`` that holds the counts of an effect, if it counts anything."""
    usual = {"delayed": f"{action}_time", "repetitive": f"num_{action}s"}
    return (file.config or usual[file.type]) if file.type in usual else ""


def parameter_types(file: ActionDef, predicates: Mapping[str, Predicate]) -> dict[str, str]:
    """Parameter to type, over preconditions and immediate effects."""
    types: dict[str, str] = {}
    for term in (*file.precons, *file.immediate_fx):
        for param, type in zip(term.params, predicates[term.predicate].types, strict=True):
            types.setdefault(param, type)
    return types


def special_effects(file: SpecialEffect) -> Iterable[SpecialEffect]:
    """An effect and those nested in it, depth first."""
    yield file
    for below in file.sfx:
        yield from special_effects(below)


def effect_params(file: SpecialEffect) -> Iterable[str]:
    """The parameters in an effect's tree, in order, repeated as they are."""
    for node in special_effects(file):
        yield node.param
        for term in (*node.conditions, *node.fx):
            yield from term.params
