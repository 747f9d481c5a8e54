"""What brings a literal about in a domain: actions at once, or the special effects that they start."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from backburner.worlds.robotouille.game.domain import Action, Domain, EffectNode, LiftedLiteral

Literals = tuple[LiftedLiteral, ...]


class Achiever(Struct, frozen=True):
    """A way to bring about a literal of ``predicate``, whose arguments are these parameters of the action.

    Parameters behind those of the action stand for what it makes. ``conditions``: what must hold for it, in
    the beginning or in the effect; ``ended``: what becomes false; ``beside``: what becomes true at the same
    time; ``counts``: the nodes that wait or count on the way, with the parameters of their owners. ``later``:
    a special effect does it. With ``makes`` it makes a thing of that kind, and ``predicate`` is -1.
    """

    action: Action
    predicate: int
    arguments: tuple[int, ...]
    conditions: Literals
    ended: Literals = ()
    beside: Literals = ()
    counts: tuple[tuple[EffectNode, int], ...] = ()
    later: bool = True
    makes: str = ""

    @property
    def needs(self) -> Literals:
        """The conditions that are true."""
        return tuple(literal for literal in self.conditions if literal.is_true)

    def fixed(self, args: Sequence[int]) -> dict[int, int] | None:
        """The parameters that are settled by a literal over these things; ``None`` if that cannot be."""
        fixed: dict[int, int] = {}
        for place, thing in zip(self.arguments, args, strict=True):
            if place < len(self.action.params) and fixed.setdefault(place, thing) != thing:
                return None
        return fixed if len(set(fixed.values())) == len(fixed) else None


def achievers(domain: Domain) -> Iterator[Achiever]:
    """All achievers in a domain, action by action."""
    for action in domain.actions:
        ended = tuple(literal for literal in action.effects if not literal.is_true)
        for literal in action.effects:
            if literal.is_true:
                conditions = action.preconditions
                yield Achiever(action, literal.predicate, literal.params, conditions, ended, later=False)
        for start in action.starts:
            effect = domain.special_effects[start.effect]
            made = range(len(action.params), len(action.params) + effect.n_made)
            yield from _by_node(action, (*start.params, *made), effect.root, action.preconditions, ended, ())


def _by_node(
    action: Action,
    places: Sequence[int],
    node: EffectNode,
    conditions: Literals,
    ended: Literals,
    counts: tuple[tuple[EffectNode, int], ...],
) -> Iterator[Achiever]:
    """What a node of an effect and those below it bring about; ``places``: the effect's parameters."""
    conditions += _over(places, node.conditions)
    effects = _over(places, node.effects)
    ended += tuple(literal for literal in effects if not literal.is_true)
    if node.type in ("delayed", "repetitive"):
        counts = (*counts, (node, places[node.owner]))
    beside = tuple(literal for literal in effects if literal.is_true)
    for literal in beside:
        yield Achiever(action, literal.predicate, literal.params, conditions, ended, beside, counts)
    if node.type == "creation":
        yield Achiever(action, -1, (), conditions, makes=node.made_name)
    for below in node.nested:
        yield from _by_node(action, places, below, conditions, ended, counts)


def _over(places: Sequence[int], literals: Literals) -> Literals:
    """An effect's literals over the parameters of the action."""
    return tuple(
        LiftedLiteral(literal.predicate, tuple(places[param] for param in literal.params), literal.is_true)
        for literal in literals
    )
