"""Special effects at work over tables: pushes and ticks; see ``game.effects``.

An effect at work is a row ``one`` of ``Rows.running``.
"""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.robotouille.arrays.rows import (
    ARGS,
    BEHIND,
    BRINGS,
    BRINGS_END,
    CONDITIONAL,
    CONDITIONS,
    CONDITIONS_END,
    CREATION,
    EFFECT,
    HOLDER,
    KIND,
    MADE,
    NODES,
    NODES_END,
    NOTHING,
    REPETITIVE,
    THINGS_MADE,
    Ints,
    Rows,
    Tables,
    bring,
    holds,
)


@compiled
def visit(t: Tables, r: Rows, e: int, slot: int, pushed: int) -> None:
    """A push, or a tick: each node in its order, those above before those below."""
    one, facts, nodes, full = r.running[e, slot], r.facts[e], t.nodes, t.full
    args, counts = one[ARGS:], one[t.counts_at :]
    first, last = t.specials[one[EFFECT], NODES], t.specials[one[EFFECT], NODES_END]
    node, entered = first, 0
    while node < last:
        kind, place = nodes[node, KIND], node - first
        begin, end = nodes[node, BRINGS], nodes[node, BRINGS_END]
        count = full[node, args[nodes[node, HOLDER]]]
        below = False
        if kind == CONDITIONAL:
            if not counts[place]:
                conditions, behind = nodes[node, CONDITIONS], nodes[node, CONDITIONS_END]
                below = holds(t.fact_of, t.literals, facts, conditions, behind, args)
                bring(t.fact_of, t.literals, facts, begin, end, args, int(below))
                entered |= int(below) << place
        elif counts[place] >= count:
            below = True
        elif kind == CREATION or pushed == int(kind == REPETITIVE):
            if kind != CREATION:
                counts[place] += 1
            elif r.counted[e, THINGS_MADE] < t.most_made:
                counts[place] += 1
                args[nodes[node, MADE]] = t.n_things + r.counted[e, THINGS_MADE]
                r.counted[e, THINGS_MADE] += 1
            if counts[place] >= count:
                bring(t.fact_of, t.literals, facts, begin, end, args, 1)
                below = True
        node = node + 1 if below else nodes[node, BEHIND]
    for place in range(last - first - 1, -1, -1):
        if entered >> place & 1:
            counts[place] = int(below_done(nodes, full, args, counts, first, first + place))


@compiled
def below_done(nodes: Ints, full: Ints, args: Any, counts: Any, first: int, node: int) -> bool:
    """Whether all below a node is complete; ``first`` is its effect's first node."""
    below = node + 1
    while below < nodes[node, BEHIND]:
        if counts[below - first] < full[below, args[nodes[below, HOLDER]]]:
            return False
        below = nodes[below, BEHIND] if nodes[below, KIND] == CONDITIONAL else below + 1
    return True


@compiled
def complete(nodes: Ints, full: Ints, args: Any, counts: Any, root: int) -> bool:
    """Whether a whole effect is complete."""
    if counts[0] < full[root, args[nodes[root, HOLDER]]]:
        return False
    return nodes[root, KIND] == CONDITIONAL or below_done(nodes, full, args, counts, root, root)


@compiled
def takes_push(t: Tables, facts: Any, args: Any, counts: Any, first: int, last: int) -> bool:
    """Whether a push would count for any node of an effect."""
    node = first
    while node < last:
        count = counts[node - first]
        if t.nodes[node, KIND] == CONDITIONAL:
            begin, end = t.nodes[node, CONDITIONS], t.nodes[node, CONDITIONS_END]
            below = not count and holds(t.fact_of, t.literals, facts, begin, end, args)
        else:
            below = count >= t.full[node, args[t.nodes[node, HOLDER]]]
            if not below and t.nodes[node, KIND] == REPETITIVE:
                return True
        node = node + 1 if below else t.nodes[node, BEHIND]
    return False


@compiled
def tick(t: Tables, r: Rows, e: int) -> None:
    """Every effect takes its tick in order; what is complete then leaves the list."""
    running = r.running[e]
    slot, most = 0, running.shape[0]
    while slot < most and running[slot, EFFECT] >= 0:
        visit(t, r, e, slot, 0)
        one = running[slot]
        root = t.specials[one[EFFECT], NODES]
        if not complete(t.nodes, t.full, one[ARGS:], one[t.counts_at :], root):
            slot += 1
            continue
        for after in range(slot, most - 1):
            for k in range(running.shape[1]):
                running[after, k] = running[after + 1, k]
        clear(running[most - 1], t.counts_at)


@compiled
def clear(one: Any, counts_at: int) -> None:
    """No effect is at work here."""
    for k in range(one.shape[0]):
        one[k] = NOTHING if k < counts_at else 0
