"""How far special effects have come, as progress of the things that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backburner.kernel.scene import Progress
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.domain import EffectNode
from backburner.worlds.robotouille.game.effects import GroundNode
from backburner.worlds.robotouille.game.state import Kitchen


def progress_of(engine: Compiled, kitchen: Kitchen) -> dict[int, tuple[Progress, ...]]:
    """Everything that counts ticks or pushes and is not done, by the index of its thing.

    It is called after the action that starts it, and paused while a condition around it does not hold.
    """
    domain, layout = engine.domain, engine.layout(kitchen)
    verbs = {use.effect: action.name for action in domain.actions[::-1] for use in action.starts}
    found: dict[int, tuple[Progress, ...]] = {}
    for one in kitchen.effects:
        parts = engine.effects.ground_nodes(layout, one.effect, one.args)
        for node, paused in _counting(
            domain.special_effects[one.effect].root, one.counts, parts, kitchen.facts
        ):
            count = Progress(verbs[one.effect], one.counts[node.index], parts[node.index].full, paused)
            owner = one.args[node.owner]
            found[owner] = (*found.get(owner, ()), count)
    return found


def _counting(
    node: EffectNode, counts: Sequence[int], parts: Sequence[GroundNode], facts: int, paused: bool = False
) -> Iterator[tuple[EffectNode, bool]]:
    """(node, whether it is paused) for each node whose turn it is to count."""
    part = parts[node.index]
    if node.type in ("delayed", "repetitive") and counts[node.index] < part.full:
        yield node, paused
        return
    if node.type == "conditional":
        paused = paused or not (counts[node.index] or part.holds(facts))
    elif counts[node.index] < part.full:
        return
    for below in node.nested:
        yield from _counting(below, counts, parts, facts, paused)
