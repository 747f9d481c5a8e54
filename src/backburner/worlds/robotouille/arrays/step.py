"""One step of Robotouille over tables, as ``game.transition``; then whether the goal is reached, what that is
worth and how far it is, and what is seen. A row is changed in place.
"""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.robotouille.arrays import rows
from backburner.worlds.robotouille.arrays.rows import (
    Ints,
    Rows,
    Tables,
    bring,
    clear,
    complete,
    holds,
    takes_push,
    tick,
    visit,
)

# --- actions ---------------------------------------------------------------------------------------------


@compiled
def look(t: Tables, r: Rows, e: int, body: int, first: int, last: int, out: Any) -> None:
    """Writes whether a robot could carry out each of the codes ``first`` to ``last`` - 1 now; the things of
    the last one's action are on the scratch paper then, if it could."""
    args, facts, running = r.scratch[e], r.facts[e], r.running[e]
    fact_of, literals, verbs, follows = t.fact_of, t.literals, t.verbs, t.follows
    n_things = t.n_things + r.counted[e, rows.THINGS_MADE]
    for code in range(first, last):
        verb = t.codes[code, rows.VERB]
        args[verbs[verb, rows.ROBOT]] = t.bodies[body, rows.THING]
        for k in range(verbs.shape[1] - rows.FREE):
            if verbs[verb, rows.FREE + k] >= 0:
                args[verbs[verb, rows.FREE + k]] = t.codes[code, rows.NAMED + k]
        there = True
        for k in range(follows.shape[1]):
            param = follows[verb, k, rows.PARAM]
            if param < 0 or not there:
                break
            known, relation = args[follows[verb, k, rows.KNOWN]], follows[verb, k, rows.RELATION]
            known_first, there = follows[verb, k, rows.KNOWN_FIRST], False
            for thing in range(n_things):
                at = fact_of[relation, known, thing] if known_first else fact_of[relation, thing, known]
                if at == rows.ALWAYS or (at >= 0 and facts[at]):
                    args[param], there = thing, True
                    break
        there = there and holds(
            fact_of, literals, facts, verbs[verb, rows.NEEDS], verbs[verb, rows.NEEDS_END], args
        )
        for k in range(verbs.shape[1] - rows.FREE if there else 0):  # what is named is none of what follows
            named = verbs[verb, rows.FREE + k]
            for other in range(verbs[verb, rows.PARAMS]):
                if named >= 0 and other != named and args[other] == args[named]:
                    there = False
        if there and t.guarded and t.starts[verb, 0, 0] >= 0:
            there = not under_way(t, facts, running, args, verb)
        out[code - first] = there


@compiled
def under_way(t: Tables, facts: Any, running: Any, hand: Any, verb: int) -> bool:
    """Whether an action over the things in hand does nothing but start what is at work already."""
    if t.verbs[verb, rows.EFFECTS] < t.verbs[verb, rows.EFFECTS_END]:
        return False
    for k in range(t.starts.shape[1]):
        started = t.starts[verb, k]
        effect = started[0]
        if effect < 0:
            break
        slot = find(
            running, effect, t.specials[effect, rows.OWNER], hand[started[1 + t.specials[effect, rows.OWNER]]]
        )
        if slot < 0 or running[slot, rows.EFFECT] < 0 or not t.specials[effect, rows.TIMED]:
            return False
        args, counts = running[slot, rows.ARGS :], running[slot, t.counts_at :]
        for given in range(t.specials[effect, rows.GIVEN]):
            if args[given] != hand[started[1 + given]]:
                return False
        root, last = t.specials[effect, rows.NODES], t.specials[effect, rows.NODES_END]
        begin, end = t.nodes[root, rows.CONDITIONS], t.nodes[root, rows.CONDITIONS_END]
        if not holds(t.fact_of, t.literals, facts, begin, end, args):
            return False
        if complete(t.nodes, t.full, args, counts, root):
            return False
        if takes_push(t, facts, args, counts, root, last):
            return False
    return True


@compiled
def find(running: Any, effect: int, place: int, owner: int) -> int:
    """Where an effect is at work for its owner, the ``place``-th of its things; the first empty slot if
    nowhere, -1 if there is none."""
    for slot in range(running.shape[0]):
        if running[slot, rows.EFFECT] < 0:
            return slot
        if running[slot, rows.EFFECT] == effect and running[slot, rows.ARGS + place] == owner:
            return slot
    return -1


@compiled
def act(t: Tables, r: Rows, e: int, verb: int) -> None:
    """Carry out the action in hand: what is so at once, then what it starts or pushes."""
    hand, running = r.scratch[e], r.running[e]
    begin, end = t.verbs[verb, rows.EFFECTS], t.verbs[verb, rows.EFFECTS_END]
    bring(t.fact_of, t.literals, r.facts[e], begin, end, hand, 1)
    for k in range(t.starts.shape[1]):
        started = t.starts[verb, k]
        effect = started[0]
        if effect < 0:
            break
        slot = find(
            running, effect, t.specials[effect, rows.OWNER], hand[started[1 + t.specials[effect, rows.OWNER]]]
        )
        running[slot, rows.EFFECT] = effect
        for given in range(t.specials[effect, rows.GIVEN]):
            running[slot, rows.ARGS + given] = hand[started[1 + given]]
        visit(t, r, e, slot, 1)


# --- start and step --------------------------------------------------------------------------------------


@compiled
def start(t: Tables, r: Rows, e: int, drawn: Any) -> None:
    """The kitchen as the problem describes it."""
    for at in range(t.start.shape[0]):
        r.facts[e, at] = t.start[at]
    for seat in range(r.refused.shape[1]):
        r.refused[e, seat] = 0
    for place in range(r.counted.shape[1]):
        r.counted[e, place] = 0
    r.counted[e, rows.ENDED] = rows.COMPLETED if t.reached_at_start else rows.RUNNING
    for slot in range(r.running.shape[1]):
        clear(r.running[e, slot], t.counts_at)


@compiled
def asked(in_turns: int, counted: Any, body: int) -> bool:
    """Whether somebody decides for this body now."""
    return counted[rows.ENDED] == rows.RUNNING and (not in_turns or counted[rows.TURN] == body)


@compiled
def step(t: Tables, r: Rows, e: int, drawn: Any, codes: Any) -> None:
    """Actions in the order of the bodies, then a tick, then the goal; no time where nobody does anything."""
    counted, refused, could = r.counted[e], r.refused[e], r.scratch[e, -1:]
    if counted[rows.ENDED] != rows.RUNNING:
        return
    for seat in range(refused.shape[0]):
        refused[seat] = 0
    done = named = 0
    for body in range(t.bodies.shape[0]):
        if not asked(t.in_turns, counted, body):
            continue
        if codes[body] == 0:
            done += 0 if t.dispatched else 1
            continue
        named += 1
        look(t, r, e, body, codes[body], codes[body] + 1, could)
        if could[0]:
            act(t, r, e, t.codes[codes[body], rows.VERB])
            done += 1
        else:
            refused[t.bodies[body, rows.SEAT]] = 1
    if not done and named:
        lose_attempt(counted, t.most_attempts, t.most_failed_calls)
        return
    tick(t, r, e)
    counted[rows.STEPS] += 1
    counted[rows.ATTEMPTS_MADE] = 0
    if reached(t, r.facts[e], r.scratch[e]):
        counted[rows.ENDED] = rows.COMPLETED
        return
    if counted[rows.STEPS] >= t.step_limit:
        counted[rows.ENDED] = rows.STEP_LIMIT
    if t.in_turns:
        counted[rows.TURN] = (counted[rows.TURN] + 1) % t.bodies.shape[0]


@compiled
def lose_attempt(counted: Any, most_attempts: int, most_failed_calls: int) -> None:
    """Nothing could be done: that takes no time, and is counted."""
    counted[rows.ATTEMPTS_MADE] += 1
    if counted[rows.ATTEMPTS_MADE] >= most_attempts:
        counted[rows.ATTEMPTS_MADE] = 0
        counted[rows.FAILED_CALLS] += 1
        if counted[rows.FAILED_CALLS] >= most_failed_calls:
            counted[rows.ENDED] = rows.ATTEMPTS


@compiled
def over(t: Tables, r: Rows, e: int) -> bool:
    """Whether the episode has ended."""
    return bool(r.counted[e, rows.ENDED] != rows.RUNNING)


@compiled
def cut_off(t: Tables, r: Rows, e: int) -> bool:
    """Whether a limit has ended it."""
    ended = r.counted[e, rows.ENDED]
    return bool(ended in (rows.STEP_LIMIT, rows.ATTEMPTS))


# --- what is seen of it ----------------------------------------------------------------------------------


@compiled
def mask(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """See ``encoding.RobotouilleEncoding.mask``."""
    out[0] = 1
    if asked(t.in_turns, r.counted[e], body):
        look(t, r, e, body, 1, t.codes.shape[0], out[1:])
    else:
        for code in range(1, t.codes.shape[0]):
            out[code] = 0


@compiled
def features(t: Tables, r: Rows, e: int, body: int, out: Any) -> None:
    """See ``encoding.RobotouilleEncoding.feature_names``."""
    robots = t.bodies.shape[0]
    out[0] = r.refused[e, t.bodies[body, rows.SEAT]]
    for robot in range(robots):
        out[1 + robot] = 1.0 if robot == body else 0.0
    for at in range(r.facts.shape[1]):
        out[1 + robots + at] = r.facts[e, at]


# --- the goal -------------------------------------------------------------------------------------------


@compiled
def lacking(lacks: Ints, lack_facts: Ints, facts: Any, lack: int) -> int:
    """How many facts of a kind the goal lacks; below 0 where there are more than it needs."""
    missing = lacks[lack, rows.NEEDED]
    for k in range(lacks[lack, rows.LACKING], lacks[lack, rows.LACKING_END]):
        missing -= facts[lack_facts[k]]
    return int(missing)


@compiled
def reached(t: Tables, facts: Any, scratch: Any) -> bool:
    """Whether there is a thing for each variable of the goal, so that all of it holds."""
    for lack in range(t.lacks.shape[0]):
        if lacking(t.lacks, t.lack_facts, facts, lack) > 0:
            return False
    n_variables = t.variables.shape[0]
    chosen, tried = scratch[:n_variables], scratch[n_variables:]
    depth = 0
    if n_variables:
        tried[0] = t.variables[0, rows.CANDIDATES]
    while 0 <= depth < n_variables:
        if tried[depth] == t.variables[depth, rows.CANDIDATES_END]:
            depth -= 1
            continue
        chosen[depth] = t.candidates[tried[depth]]
        tried[depth] += 1
        fits = True
        for before in range(depth):  # different variables are different things
            fits = fits and chosen[before] != chosen[depth]
        begin, end = t.variables[depth, rows.CHECKS], t.variables[depth, rows.CHECKS_END]
        if fits and holds(t.fact_of, t.literals, facts, begin, end, chosen):
            depth += 1
            if depth < n_variables:
                tried[depth] = t.variables[depth, rows.CANDIDATES]
    return bool(depth == n_variables)


@compiled
def worth(horizon: int, steps: int) -> float:
    """The score of a goal that is reached after so many steps."""
    return 1.0 + max(1.0 - steps / horizon, 0.0)


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.RobotouilleEncoding.score``."""
    counted = r.counted[e]
    return worth(t.horizon, counted[rows.STEPS]) if counted[rows.ENDED] == rows.COMPLETED else 0.0


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.RobotouilleEncoding.potential``, and ``encoding.Outlook.steps``."""
    if r.counted[e, rows.ENDED] != rows.RUNNING:
        return 0.0
    parts = 0
    for lack in range(t.lacks.shape[0]):
        missing = lacking(t.lacks, t.lack_facts, r.facts[e], lack)
        for slot in range(r.running.shape[1]):
            effect = r.running[e, slot, rows.EFFECT]
            if effect == rows.NOTHING:
                break
            missing -= t.lacks[lack, rows.COMING + effect]
        parts += max(missing, 0) * t.lacks[lack, rows.COST]
    whole = t.unit * t.acting
    earliest = r.counted[e, rows.STEPS] + max((parts + whole - 1) // whole, 1)
    return 0.0 if earliest > t.step_limit else worth(t.horizon, earliest)
