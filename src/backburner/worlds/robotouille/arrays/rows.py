"""A kitchen in tables, an episode in rows; literals over them, and special effects as in ``game.effects``.

Nothing is grounded: an action or a node of a special effect is a list of literals over parameters, and a
table says which fact a predicate over certain things is. An effect at work is a row ``one`` of
``Rows.running``. All functions here and in ``step`` run compiled and as plain Python. Those that are called
often take single arrays: to hand on all tables of a kitchen costs more than most of what is done with them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.jit import compiled

Ints = NDArray[np.int32]

NOTHING = -1
"""No thing, no parameter, no action."""

ALWAYS, NEVER, UNMADE = -1, -2, -3
"""In place of a fact: one that is always true, one that never is, one about a thing that is not made yet."""

RUNNING, COMPLETED, STEP_LIMIT, ATTEMPTS = range(4)
"""How an episode stands."""

CONDITIONAL, DELAYED, REPETITIVE, CREATION = range(4)
"""Types of nodes."""

ENDLESS = 1 << 30
"""A limit that there is not."""

PREDICATE, FIRST, SECOND, TRUTH = range(4)
"""A literal: its predicate, the parameters that it is about (-1 for none), what it says."""

VERB, NAMED = range(2)
"""A code: the number of its verb (-1 for waiting), then the things that it names."""

ROBOT, PARAMS, NEEDS, NEEDS_END, EFFECTS, EFFECTS_END, FREE = range(7)
"""A verb: the robot's parameter, how many parameters there are, its preconditions and its effects at once
(literals), then the parameters that a code names."""

PARAM, KNOWN, RELATION, KNOWN_FIRST = range(4)
"""What follows: the parameter, the one that it follows from, by which predicate, and whether the known one
stands first in it."""

OWNER, GIVEN, TIMED, NODES, NODES_END = range(5)
"""A special effect: its owner's parameter, how many an action gives it, whether it waits for ticks, its
nodes."""

KIND, BEHIND, HOLDER, CONDITIONS, CONDITIONS_END, BRINGS, BRINGS_END, MADE = range(8)
"""A node: its type, the node behind the last one below it, its owner's parameter, its conditions and what it
brings about (literals), the parameter of what it makes."""

THING, SEAT = range(2)
"""A body: the robot, and the number of its seat."""

CANDIDATES, CANDIDATES_END, CHECKS, CHECKS_END = range(4)
"""A variable of the goal, in the order in which they are tried: the things that it may stand for, and the
literals over variables that can be looked at then."""

NEEDED, COST, LACKING, LACKING_END, COMING = range(5)
"""Facts that the goal needs: how many, what each costs, which ones these are, then how many of them each
special effect at work may still bring about."""

TURN, STEPS, ATTEMPTS_MADE, FAILED_CALLS, THINGS_MADE, ENDED = range(6)
"""What is counted of an episode: see ``game.state.State``."""

EFFECT, ARGS = range(2)
"""An effect at work: its number (-1 for none), its things, then the counts of its nodes."""


class Tables(NamedTuple):
    """One kitchen under its rules and limits.

    ``fact_of``: the fact of a predicate over one or two things (0 where it has none), or ``ALWAYS``,
    ``NEVER``. ``start``: the facts at the beginning. ``full``: the full count of each node by its owner.
    ``starts``: of each verb rows (special effect, the verb's parameters that it is given). The columns of the
    others are named above.

    ``n_things`` there are at first, and ``most_made`` may be made. ``counts_at``: where the counts begin in
    an effect at work. ``in_turns``, ``dispatched``, ``guarded``: how the seats play, and whether work under
    way may not be started again. ``unit``, ``acting``: as in the outlook.
    """

    fact_of: Ints
    start: NDArray[np.uint8]
    literals: Ints
    codes: Ints
    verbs: Ints
    follows: Ints
    starts: Ints
    specials: Ints
    nodes: Ints
    full: Ints
    bodies: Ints
    variables: Ints
    candidates: Ints
    lacks: Ints
    lack_facts: Ints
    n_things: int
    most_made: int
    counts_at: int
    reached_at_start: int
    in_turns: int
    dispatched: int
    guarded: int
    unit: int
    acting: int
    step_limit: int
    most_attempts: int
    most_failed_calls: int
    horizon: int


class Rows(NamedTuple):
    """Episodes; the first axis is theirs.

    ``facts``: 1 for each that holds. ``running``: the effects at work in their order. ``counted``: see above.
    ``refused``: of each seat, whether it was at its last decision. ``scratch``: paper, with the things of the
    action in hand, and those that are tried for the goal.
    """

    facts: NDArray[np.uint8]
    running: Ints
    counted: Ints
    refused: Ints
    scratch: Ints


@compiled
def fact(fact_of: Ints, literals: Ints, literal: int, args: Any) -> int:
    """The fact that a literal is about over these things; ``UNMADE`` where one of them is not made yet."""
    first, second = literals[literal, FIRST], literals[literal, SECOND]
    a = args[first] if first >= 0 else 0
    b = args[second] if second >= 0 else 0
    if a < 0 or b < 0:
        return UNMADE
    return int(fact_of[literals[literal, PREDICATE], a, b])


@compiled
def holds(fact_of: Ints, literals: Ints, facts: Any, begin: int, end: int, args: Any) -> bool:
    """Whether all of these literals are as they say."""
    for literal in range(begin, end):
        at = fact(fact_of, literals, literal, args)
        if at == UNMADE:
            continue
        is_true = int(facts[at]) if at >= 0 else int(at == ALWAYS)
        if is_true != literals[literal, TRUTH]:
            return False
    return True


@compiled
def bring(fact_of: Ints, literals: Ints, facts: Any, begin: int, end: int, args: Any, truth: int) -> None:
    """Make these literals as they say (``truth`` 1), or the contrary (0)."""
    for literal in range(begin, end):
        at = fact(fact_of, literals, literal, args)
        if at >= 0:
            facts[at] = literals[literal, TRUTH] if truth else 1 - literals[literal, TRUTH]


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
