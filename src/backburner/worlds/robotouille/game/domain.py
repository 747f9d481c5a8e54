"""A domain file compiled under one rule set: predicates, actions and special effects.

Parameters are positions here, not names: over the parameters ``(p1, s1, s2)`` of ``move`` the literal
``loc(p1, s1)`` has the ``params`` ``(0, 1)``. Nothing in this module knows a certain domain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct, structs

from backburner.worlds.robotouille.game.rule_set import Rules
from backburner.worlds.robotouille.game.schema import ActionDef, DomainFile, EffectType, SpecialEffect, Term
from backburner.worlds.robotouille.game.state import Predicate


class LiftedLiteral(Struct, frozen=True):
    """A predicate over parameters, by their positions, that is or becomes true or false."""

    predicate: int
    params: tuple[int, ...]
    is_true: bool


class EffectNode(Struct, frozen=True):
    """A node of a special effect's tree; ``index`` numbers the nodes from the root, depth first.

    ``owner`` is the parameter that stands for the thing to which the effect belongs. ``table`` names
    the table of a problem's ``config`` that holds the count of a delayed or repetitive node. A
    creation makes a thing of the kind ``made_name`` for the parameter ``made``.
    """

    index: int
    type: EffectType
    owner: int
    conditions: tuple[LiftedLiteral, ...]
    effects: tuple[LiftedLiteral, ...]
    nested: tuple[EffectNode, ...]
    table: str = ""
    made: int = -1
    made_name: str = ""
    made_type: str = ""

    def walk(self) -> Iterable[EffectNode]:
        """This node and those below it, in the order of their indices."""
        yield self
        for node in self.nested:
            yield from node.walk()


class Effect(Struct, frozen=True):
    """A special effect. Its first ``n_given`` parameters come from the action, then those it creates."""

    index: int
    root: EffectNode
    n_nodes: int
    n_given: int
    n_made: int

    @property
    def takes_time(self) -> bool:
        """Whether anything in it waits for ticks."""
        return any(node.type == "delayed" for node in self.root.walk())


class EffectStart(Struct, frozen=True):
    """A special effect that an action starts, and which of the action's parameters it is given."""

    effect: int
    params: tuple[int, ...]


class Action(Struct, frozen=True):
    """An action: parameters with their types, preconditions, effects at once, special effects started."""

    index: int
    name: str
    params: tuple[str, ...]
    types: tuple[str, ...]
    preconditions: tuple[LiftedLiteral, ...]
    effects: tuple[LiftedLiteral, ...]
    starts: tuple[EffectStart, ...]
    text: str


class Domain:
    """A checked domain file under one rule set.

    ``placement`` has the predicates that say where things are, by their role: the field of ``Placement``.
    ``assigned``: the predicates that an action or a special effect makes true or false. ``changing``:
    these, and those about a type of which things are deleted, because all facts about a deleted thing
    become false. All other facts are as they were in the beginning, whatever happens.
    """

    def __init__(self, file: DomainFile, rules: Rules) -> None:
        self.file = file
        self.types = file.object_types
        self.predicates = tuple(
            Predicate(index, definition.name, definition.param_types, definition.language_descriptors)
            for index, definition in enumerate(file.predicate_defs)
        )
        self.by_name = {predicate.name: predicate for predicate in self.predicates}
        roles = structs.asdict(file.placement).items()
        self.placement = {role: self.by_name[name].index for role, name in roles if name in self.by_name}
        self._rules = rules
        self._effects: dict[tuple[EffectNode, int, int], Effect] = {}
        self.actions = tuple(
            self._action(index, definition) for index, definition in enumerate(file.action_defs)
        )
        self.special_effects = tuple(self._effects.values())
        nodes = [node for effect in self.special_effects for node in effect.root.walk()]
        changes = (*(action.effects for action in self.actions), *(node.effects for node in nodes))
        self.assigned = frozenset(literal.predicate for literals in changes for literal in literals)
        deleted = set(self._deleted_types())
        self.changing = self.assigned.union(
            predicate.index for predicate in self.predicates if deleted.intersection(predicate.types)
        )

    def _action(self, index: int, file: ActionDef) -> Action:
        types = file.parameter_types(self.file.signatures)
        params = tuple(sorted(types))
        positions = {param: position for position, param in enumerate(params)}
        return Action(
            index,
            file.name,
            params,
            tuple(types[param] for param in params),
            self._literals(file.precons, positions),
            self._literals(file.immediate_fx, positions),
            tuple(self._start(effect, file.name, positions) for effect in file.sfx),
            file.language_description,
        )

    def _literals(self, terms: Sequence[Term], positions: Mapping[str, int]) -> tuple[LiftedLiteral, ...]:
        """The terms, without those that a defect of the release leaves out under these rules."""
        return tuple(
            LiftedLiteral(
                self.by_name[term.predicate].index,
                tuple(positions[param] for param in term.params),
                term.is_true,
            )
            for term in terms
            if not (term.unless and getattr(self._rules, term.unless))
        )

    def _start(self, file: SpecialEffect, action: str, positions: Mapping[str, int]) -> EffectStart:
        """The effect with parameters numbered anew, so that equal effects of several actions are one."""
        made = tuple(node.created_obj.param for node in file.walk() if node.created_obj)
        given = tuple(param for param in dict.fromkeys(_params(file)) if param not in made)
        own = {param: position for position, param in enumerate((*given, *made))}
        root = self._node(file, action, own, count())
        key = (root, len(given), len(made))
        if key not in self._effects:
            n_nodes = len(list(root.walk()))
            self._effects[key] = Effect(len(self._effects), root, n_nodes, len(given), len(made))
        return EffectStart(self._effects[key].index, tuple(positions[param] for param in given))

    def _node(
        self, file: SpecialEffect, action: str, positions: Mapping[str, int], numbers: Iterator[int]
    ) -> EffectNode:
        index = next(numbers)
        made = file.created_obj
        return EffectNode(
            index,
            file.type,
            positions[file.param],
            self._literals(file.conditions, positions),
            self._literals(file.fx, positions),
            tuple(self._node(nested, action, positions, numbers) for nested in file.sfx),
            "" if self._rules.config_ignored else file.table(action),
            positions[made.param] if made else -1,
            made.name if made else "",
            made.type if made else "",
        )

    def _deleted_types(self) -> Iterator[str]:
        for action in self.actions:
            for start in action.starts:
                effect = self.special_effects[start.effect]
                types = {position: action.types[param] for position, param in enumerate(start.params)}
                types |= {node.made: node.made_type for node in effect.root.walk() if node.made >= 0}
                yield from (types[node.owner] for node in effect.root.walk() if node.type == "deletion")


def _params(file: SpecialEffect) -> Iterator[str]:
    """The parameters in an effect's tree, in order, with repetitions."""
    for node in file.walk():
        yield node.param
        for term in (*node.conditions, *node.fx):
            yield from term.params
