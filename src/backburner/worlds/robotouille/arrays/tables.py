"""A kitchen of Robotouille compiled into tables, from what the compiled domain and problem say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.arrays.batch import Batch, compiled_batch
from backburner.arrays.jit import no_draws, padded
from backburner.kernel.errors import Refused
from backburner.worlds.robotouille.arrays import step as steps
from backburner.worlds.robotouille.arrays.codes import Verb
from backburner.worlds.robotouille.arrays.encoding import Lack, RobotouilleEncoding
from backburner.worlds.robotouille.arrays.rows import (
    ALWAYS,
    ARGS,
    CONDITIONAL,
    CREATION,
    DELAYED,
    EFFECT,
    ENDED,
    ENDLESS,
    NEVER,
    NOTHING,
    REPETITIVE,
    Ints,
    Rows,
    Tables,
)
from backburner.worlds.robotouille.game import Robotouille
from backburner.worlds.robotouille.game.domain import LiftedLiteral
from backburner.worlds.robotouille.game.schema import PLAYER
from backburner.worlds.robotouille.game.state import State

ENDINGS = ("", "completed", "step_limit", "attempts")
"""As ``rows`` counts them."""

KINDS = {
    "conditional": CONDITIONAL,
    "delayed": DELAYED,
    "repetitive": REPETITIVE,
    "creation": CREATION,
}

COUNTING = ("delayed", "repetitive")

UNCOVERED = (
    "skipped_ticks",
    "timers_stay_at_station",
    "nested_once",
    "goal_names_in_part",
)
"""Rules that ask for tables of another kind; each is a defect of the release."""


def batch(world: Robotouille) -> Batch:
    """The batch of a world; raises ``Refused`` with what it does not cover."""
    _check(world)
    return compiled_batch(Compiler(world), steps, draws=no_draws)


def _check(world: Robotouille) -> None:
    rules, domain, robots = world.rules, world.compiled.domain, len(world.robots)
    uncovered = [f"rules with {name}=true" for name in UNCOVERED if getattr(rules, name)]
    if rules.joint_step_breaks_off and robots > 1:
        uncovered.append("rules with joint_step_breaks_off=true")
    if any(len(predicate.types) > 2 for predicate in domain.predicates):
        uncovered.append("predicates about more than two things")
    if any(action.types.count(PLAYER) > 1 for action in domain.actions):
        uncovered.append("actions of several robots")
    nodes = [node for effect in domain.special_effects for node in effect.root.walk()]
    if any(node.type == "creation" and node.nested for node in nodes):
        uncovered.append("effects that wait for a thing to be made")
    if uncovered:
        raise Refused(f"{world.id}: a batch does not cover {uncovered[0]}; the exact world does")


class Compiler:
    """Makes the tables of one world, and says what the row of a state of it holds."""

    def __init__(self, world: Robotouille) -> None:
        self.world = world
        self.encoding = RobotouilleEncoding(world)
        self.compiled, self.full = world.compiled, self.encoding.full
        self.domain = self.compiled.domain
        self.effects = self.domain.special_effects
        self.n_things = len(self.compiled.layout(self.compiled.start).objects)
        self._literals: list[tuple[int, int, int, int]] = []
        self._number = {bit: number for number, bit in enumerate(self.encoding.bits)}
        self.n_args = max((effect.n_given + effect.n_made for effect in self.effects), default=0)
        self.order = self._order()
        self.n_running = max(len(set(self._owners())), 1)

    def tables(self) -> Tables:
        """The tables; see ``rows.Tables``."""
        world, compiled, encoding, limits = self.world, self.compiled, self.encoding, self.world.limits
        n_things = len(self.full.objects)
        facts: list[int] = []
        lacks = [self._lack(lack, facts) for lack in encoding.outlook.lacks]
        candidates: list[int] = []
        variables = [self._variable(depth, candidates) for depth in range(len(self.order))]
        return Tables(
            fact_of=self._fact_of(),
            start=np.array([compiled.start.facts >> bit & 1 for bit in encoding.bits], np.uint8),
            codes=padded((verb, *named) for verb, named in encoding.codes.things),
            verbs=padded(map(self._verb, encoding.codes.verbs)),
            follows=_blocks(
                (
                    [(f.param, f.known, f.predicate, int(f.known_place == 0)) for f in verb.following]
                    for verb in encoding.codes.verbs
                ),
                4,
            ),
            starts=self._starts(),
            specials=_ints(self._specials(), 5),
            nodes=_ints(self._nodes(), 8),
            full=_ints(
                (
                    [
                        compiled.count_of(node, thing.kind) if node.type in COUNTING else 1
                        for thing in self.full.objects
                    ]
                    for effect in self.effects
                    for node in effect.root.walk()
                ),
                n_things,
            ),
            bodies=_ints(((robot, self._seat_of(robot)) for robot in encoding.robots), 2),
            variables=_ints(variables, 4),
            candidates=_ints(candidates),
            lacks=_ints(lacks, 4 + len(self.effects)),
            lack_facts=_ints(facts),
            n_things=self.n_things,
            most_made=n_things - self.n_things,
            counts_at=ARGS + self.n_args,
            reached_at_start=int(compiled.reached(compiled.start)),
            in_turns=int(world.seating.play == "turns"),
            dispatched=int(world.seating.play == "dispatcher"),
            guarded=int(not world.rules.missing_guards),
            unit=encoding.outlook.unit,
            acting=encoding.outlook.acting,
            step_limit=limits.steps or ENDLESS,
            most_attempts=limits.attempts or ENDLESS,
            most_failed_calls=limits.failed_calls or ENDLESS,
            horizon=encoding.horizon,
            literals=_ints(self._literals, 4),  # the last, as the others list them
        )

    def _verb(self, verb: Verb) -> tuple[int, ...]:
        action = verb.action
        needs, effects = self._listed(action.preconditions), self._listed(action.effects)
        return (verb.robot, len(action.params), *needs, *effects, *verb.free)

    def _specials(self) -> Iterator[tuple[int, ...]]:
        first = 0
        for effect in self.effects:
            timed, last = int(effect.takes_time), first + effect.n_nodes
            yield effect.root.owner, effect.n_given, timed, first, last
            first = last

    def _nodes(self) -> Iterator[tuple[int, ...]]:
        first = 0
        for effect in self.effects:
            for node in effect.root.walk():
                behind = first + node.index + sum(1 for _ in node.walk())
                conditions, brings = self._listed(node.conditions), self._listed(node.effects)
                yield KINDS[node.type], behind, node.owner, *conditions, *brings, node.made
            first += effect.n_nodes

    def _seat_of(self, robot: int) -> int:
        seats = self.world.seats
        return next(n for n, seat in enumerate(seats) if robot in self.encoding.robots_of[seat])

    def _fact_of(self) -> Ints:
        n_things = len(self.full.objects)
        table = np.full((len(self.full.predicates), n_things, n_things), NEVER, np.int32)
        for bit, (predicate, args) in enumerate(self.full.atoms):
            first, second = (*args, 0, 0)[:2]
            is_true = self.compiled.start.facts >> bit & 1
            table[predicate, first, second] = self._number.get(bit, ALWAYS if is_true else NEVER)
        return table

    def _listed(self, literals: Sequence[LiftedLiteral]) -> tuple[int, int]:
        """Where these literals are in the table of all, and where they end."""
        begin = len(self._literals)
        for literal in literals:
            first, second = (*literal.params, NOTHING, NOTHING)[:2]
            self._literals.append((literal.predicate, first, second, int(literal.is_true)))
        return begin, len(self._literals)

    def _starts(self) -> Ints:
        """For each verb rows (effect, the action's parameters that it is given)."""
        width = 1 + max((effect.n_given for effect in self.effects), default=0)
        rows = [
            [
                (start.effect, *start.params, *[NOTHING] * (width - 1 - len(start.params)))
                for start in verb.action.starts
            ]
            for verb in self.encoding.codes.verbs
        ]
        return _blocks(rows, width)

    # --- the goal ------------------------------------------------------------------------------------------

    def _order(self) -> list[int]:
        """The goal's variables, so that the one of the fewest candidates comes first, and then always one
        that a literal ties to those before it, if there is any."""
        goal, order = self.compiled.goal, list[int]()
        left = {
            variable: len(list(goal.candidates(self.full, variable)))
            for variable in range(len(goal.variables))
        }
        while left:
            tied = [
                variable
                for literal in goal.positive
                if set(literal.variables) & set(order)
                for variable in literal.variables
                if variable in left
            ]
            best = min(tied or left, key=lambda variable: left[variable])
            order.append(best)
            del left[best]
        return order

    def _variable(self, depth: int, candidates: list[int]) -> tuple[int, ...]:
        """A row of ``variables``: the things that it may stand for go behind ``candidates``, its literals are
        those that can be looked at once the variables up to this depth are chosen."""
        goal, place = self.compiled.goal, {variable: at for at, variable in enumerate(self.order)}
        begin = len(candidates)
        candidates += goal.candidates(self.full, self.order[depth])
        terms = [(term, True) for term in goal.positive] + [(term, False) for term in goal.negative]
        checks = [
            LiftedLiteral(term.predicate, tuple(place[variable] for variable in term.variables), is_true)
            for term, is_true in terms
            if max((place[variable] for variable in term.variables), default=0) == depth
        ]
        return (begin, len(candidates), *self._listed(checks))

    def _lack(self, lack: Lack, facts: list[int]) -> tuple[int, ...]:
        """A row of ``lacks``: the facts that change go behind ``facts``, the others are counted here."""
        bits = [bit for bit in range(len(self.full.atoms)) if lack.mask >> bit & 1]
        fixed = sum(self.compiled.start.facts >> bit & 1 for bit in bits if bit not in self._number)
        begin = len(facts)
        facts += [self._number[bit] for bit in bits if bit in self._number]
        coming = dict(lack.coming)
        by_effect = (coming.get(effect.index, 0) for effect in self.effects)
        return (lack.needed - fixed, lack.cost, begin, len(facts), *by_effect)

    # --- rows ----------------------------------------------------------------------------------------------

    def _owners(self) -> Iterator[tuple[int, int]]:
        """(effect, thing) of all that may be at work."""
        for verb in self.encoding.codes.verbs:
            for start in verb.action.starts:
                param = start.params[self.effects[start.effect].root.owner]
                fixed = [
                    literal
                    for literal in verb.action.preconditions
                    if literal.params == (param,) and literal.predicate not in self.domain.changing
                ]
                for thing, each in enumerate(self.full.objects):
                    bits = (self.full.bit(literal.predicate, (thing,)) for literal in fixed)
                    holds = (bool(self.compiled.start.facts & bit) for bit in bits)
                    wanted = (literal.is_true for literal in fixed)
                    if each.type == verb.action.types[param] and list(holds) == list(wanted):
                        yield start.effect, thing

    def rows(self, count: int) -> Rows:
        """So many rows, of zeros."""
        n_nodes = max((effect.n_nodes for effect in self.effects), default=0)
        n_params = max(len(verb.action.params) for verb in self.encoding.codes.verbs)
        return Rows(
            facts=np.zeros((count, len(self.encoding.bits)), np.uint8),
            running=np.zeros((count, self.n_running, ARGS + self.n_args + n_nodes), np.int32),
            counted=np.zeros((count, ENDED + 1), np.int32),
            refused=np.zeros((count, len(self.world.seats)), np.int32),
            scratch=np.zeros((count, max(n_params, 2 * len(self.order)) + 1), np.int32),
        )

    def fields(self, state: State) -> Mapping[str, Any]:
        """What the row of a state holds, but for the scratch paper."""
        kitchen = state.kitchen
        running = np.zeros_like(self.rows(1).running[0])
        running[:, : ARGS + self.n_args] = NOTHING
        for slot, each in enumerate(kitchen.effects):
            running[slot, EFFECT] = each.effect
            running[slot, ARGS : ARGS + len(each.args)] = each.args
            running[slot, ARGS + self.n_args :][: len(each.counts)] = each.counts
        refused = {refusal.seat for refusal in state.feedback.refusals}
        counted = (state.turn, state.steps, state.attempts, state.failed_calls, len(kitchen.made))
        return {
            "facts": [kitchen.facts >> bit & 1 for bit in self.encoding.bits],
            "running": running,
            "counted": (*counted, ENDINGS.index(state.ended)),
            "refused": [int(seat in refused) for seat in self.world.seats],
        }


def _ints(values: Iterable[Any], width: int = 0) -> Ints:
    """Numbers, or rows of so many of them, also where there is none."""
    listed: NDArray[np.int32] = np.array(list(values), np.int32)
    return listed.reshape(-1, width) if width else listed


def _blocks(lists: Iterable[Sequence[Sequence[int]]], width: int) -> Ints:
    """Lists of rows as blocks of equal height; rows of -1 behind the last."""
    blocks = [list(block) for block in lists]
    height = max(1, *map(len, blocks))
    filled = [[*block, *[[NOTHING] * width] * (height - len(block))] for block in blocks]
    return np.array(filled, np.int32).reshape(len(blocks), height, width)
