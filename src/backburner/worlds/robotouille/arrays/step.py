"""One step of Robotouille over tables, as ``game.transition``; then whether the goal is reached, what that is
worth and how far it is, and what is seen. A row is changed in place.
"""

from __future__ import annotations

from typing import Any

from backburner.arrays.jit import compiled
from backburner.worlds.robotouille.arrays.rows import (
    ALWAYS,
    ARGS,
    ATTEMPTS,
    ATTEMPTS_MADE,
    CANDIDATES,
    CANDIDATES_END,
    CHECKS,
    CHECKS_END,
    COMING,
    COMPLETED,
    CONDITIONS,
    CONDITIONS_END,
    COST,
    EFFECT,
    EFFECTS,
    EFFECTS_END,
    ENDED,
    FAILED_CALLS,
    FREE,
    GIVEN,
    KNOWN,
    KNOWN_FIRST,
    LACKING,
    LACKING_END,
    NAMED,
    NEEDED,
    NEEDS,
    NEEDS_END,
    NODES,
    NODES_END,
    NOTHING,
    OWNER,
    PARAM,
    PARAMS,
    RELATION,
    ROBOT,
    RUNNING,
    SEAT,
    STEP_LIMIT,
    STEPS,
    THING,
    THINGS_MADE,
    TIMED,
    TURN,
    VERB,
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
    n_things = t.n_things + r.counted[e, THINGS_MADE]
    for code in range(first, last):
        verb = t.codes[code, VERB]
        args[verbs[verb, ROBOT]] = t.bodies[body, THING]
        for k in range(verbs.shape[1] - FREE):
            if verbs[verb, FREE + k] >= 0:
                args[verbs[verb, FREE + k]] = t.codes[code, NAMED + k]
        there = True
        for k in range(follows.shape[1]):
            param = follows[verb, k, PARAM]
            if param < 0 or not there:
                break
            known, relation = args[follows[verb, k, KNOWN]], follows[verb, k, RELATION]
            known_first, there = follows[verb, k, KNOWN_FIRST], False
            for thing in range(n_things):
                at = fact_of[relation, known, thing] if known_first else fact_of[relation, thing, known]
                if at == ALWAYS or (at >= 0 and facts[at]):
                    args[param], there = thing, True
                    break
        there = there and holds(fact_of, literals, facts, verbs[verb, NEEDS], verbs[verb, NEEDS_END], args)
        for k in range(verbs.shape[1] - FREE if there else 0):  # what is named is none of what follows
            named = verbs[verb, FREE + k]
            for other in range(verbs[verb, PARAMS]):
                if named >= 0 and other != named and args[other] == args[named]:
                    there = False
        if there and t.guarded and t.starts[verb, 0, 0] >= 0:
            there = not under_way(t, facts, running, args, verb)
        out[code - first] = there


@compiled
def under_way(t: Tables, facts: Any, running: Any, hand: Any, verb: int) -> bool:
    """Whether an action over the things in hand does nothing but start what is at work already."""
    if t.verbs[verb, EFFECTS] < t.verbs[verb, EFFECTS_END]:
        return False
    for k in range(t.starts.shape[1]):
        started = t.starts[verb, k]
        effect = started[0]
        if effect < 0:
            break
        slot = find(running, effect, t.specials[effect, OWNER], hand[started[1 + t.specials[effect, OWNER]]])
        if slot < 0 or running[slot, EFFECT] < 0 or not t.specials[effect, TIMED]:
            return False
        args, counts = running[slot, ARGS:], running[slot, t.counts_at :]
        for given in range(t.specials[effect, GIVEN]):
            if args[given] != hand[started[1 + given]]:
                return False
        root, last = t.specials[effect, NODES], t.specials[effect, NODES_END]
        begin, end = t.nodes[root, CONDITIONS], t.nodes[root, CONDITIONS_END]
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
        if running[slot, EFFECT] < 0:
            return slot
        if running[slot, EFFECT] == effect and running[slot, ARGS + place] == owner:
            return slot
    return -1


@compiled
def act(t: Tables, r: Rows, e: int, verb: int) -> None:
    """Carry out the action in hand: what is so at once, then what it starts or pushes."""
    hand, running = r.scratch[e], r.running[e]
    begin, end = t.verbs[verb, EFFECTS], t.verbs[verb, EFFECTS_END]
    bring(t.fact_of, t.literals, r.facts[e], begin, end, hand, 1)
    for k in range(t.starts.shape[1]):
        started = t.starts[verb, k]
        effect = started[0]
        if effect < 0:
            break
        slot = find(running, effect, t.specials[effect, OWNER], hand[started[1 + t.specials[effect, OWNER]]])
        running[slot, EFFECT] = effect
        for given in range(t.specials[effect, GIVEN]):
            running[slot, ARGS + given] = hand[started[1 + given]]
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
    r.counted[e, ENDED] = COMPLETED if t.reached_at_start else RUNNING
    for slot in range(r.running.shape[1]):
        clear(r.running[e, slot], t.counts_at)


@compiled
def asked(in_turns: int, counted: Any, body: int) -> bool:
    """Whether somebody decides for this body now."""
    return counted[ENDED] == RUNNING and (not in_turns or counted[TURN] == body)


@compiled
def step(t: Tables, r: Rows, e: int, drawn: Any, codes: Any) -> None:
    """Actions in the order of the bodies, then a tick, then the goal; no time where nobody does anything."""
    counted, refused, could = r.counted[e], r.refused[e], r.scratch[e, -1:]
    if counted[ENDED] != RUNNING:
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
            act(t, r, e, t.codes[codes[body], VERB])
            done += 1
        else:
            refused[t.bodies[body, SEAT]] = 1
    if not done and named:
        lose_attempt(counted, t.most_attempts, t.most_failed_calls)
        return
    tick(t, r, e)
    counted[STEPS] += 1
    counted[ATTEMPTS_MADE] = 0
    if reached(t, r.facts[e], r.scratch[e]):
        counted[ENDED] = COMPLETED
        return
    if counted[STEPS] >= t.step_limit:
        counted[ENDED] = STEP_LIMIT
    if t.in_turns:
        counted[TURN] = (counted[TURN] + 1) % t.bodies.shape[0]


@compiled
def lose_attempt(counted: Any, most_attempts: int, most_failed_calls: int) -> None:
    """Nothing could be done: that takes no time, and is counted."""
    counted[ATTEMPTS_MADE] += 1
    if counted[ATTEMPTS_MADE] >= most_attempts:
        counted[ATTEMPTS_MADE] = 0
        counted[FAILED_CALLS] += 1
        if counted[FAILED_CALLS] >= most_failed_calls:
            counted[ENDED] = ATTEMPTS


@compiled
def over(t: Tables, r: Rows, e: int) -> bool:
    """Whether the episode has ended."""
    return bool(r.counted[e, ENDED] != RUNNING)


@compiled
def cut_off(t: Tables, r: Rows, e: int) -> bool:
    """Whether a limit has ended it."""
    ended = r.counted[e, ENDED]
    return bool(ended in (STEP_LIMIT, ATTEMPTS))


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
    out[0] = r.refused[e, t.bodies[body, SEAT]]
    for robot in range(robots):
        out[1 + robot] = 1.0 if robot == body else 0.0
    for at in range(r.facts.shape[1]):
        out[1 + robots + at] = r.facts[e, at]


# --- the goal -------------------------------------------------------------------------------------------


@compiled
def lacking(lacks: Ints, lack_facts: Ints, facts: Any, lack: int) -> int:
    """How many facts of a kind the goal lacks; below 0 where there are more than it needs."""
    missing = lacks[lack, NEEDED]
    for k in range(lacks[lack, LACKING], lacks[lack, LACKING_END]):
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
        tried[0] = t.variables[0, CANDIDATES]
    while 0 <= depth < n_variables:
        if tried[depth] == t.variables[depth, CANDIDATES_END]:
            depth -= 1
            continue
        chosen[depth] = t.candidates[tried[depth]]
        tried[depth] += 1
        fits = True
        for before in range(depth):  # different variables are different things
            fits = fits and chosen[before] != chosen[depth]
        begin, end = t.variables[depth, CHECKS], t.variables[depth, CHECKS_END]
        if fits and holds(t.fact_of, t.literals, facts, begin, end, chosen):
            depth += 1
            if depth < n_variables:
                tried[depth] = t.variables[depth, CANDIDATES]
    return bool(depth == n_variables)


@compiled
def worth(horizon: int, steps: int) -> float:
    """The score of a goal that is reached after so many steps."""
    return 1.0 + max(1.0 - steps / horizon, 0.0)


@compiled
def score(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.RobotouilleEncoding.score``."""
    counted = r.counted[e]
    return worth(t.horizon, counted[STEPS]) if counted[ENDED] == COMPLETED else 0.0


@compiled
def potential(t: Tables, r: Rows, e: int) -> float:
    """See ``encoding.RobotouilleEncoding.potential``, and ``encoding.Outlook.steps``."""
    if r.counted[e, ENDED] != RUNNING:
        return 0.0
    parts = 0
    for lack in range(t.lacks.shape[0]):
        missing = lacking(t.lacks, t.lack_facts, r.facts[e], lack)
        for slot in range(r.running.shape[1]):
            effect = r.running[e, slot, EFFECT]
            if effect == NOTHING:
                break
            missing -= t.lacks[lack, COMING + effect]
        parts += max(missing, 0) * t.lacks[lack, COST]
    whole = t.unit * t.acting
    earliest = r.counted[e, STEPS] + max((parts + whole - 1) // whole, 1)
    return 0.0 if earliest > t.step_limit else worth(t.horizon, earliest)
