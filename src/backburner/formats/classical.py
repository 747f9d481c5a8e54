"""Classical PDDL with conditional effects: a planning task as a domain and a problem file, and plans back.

Decisions are actions, and ``tick`` ends each step: it moves on what runs (see ``running``). So every plan for
S steps has as many actions: S times the decisions of a step and a tick, and ``finish``, whose parameters are
the goal's variables. A shortest plan there is a shortest one here. Actions that trigger effects are written
for certain objects each. Where one turns out not to be applicable, or the stock of objects that are made in
play is empty, nothing goes on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from backburner.formats.files import Exported, check_lost
from backburner.formats.running import Machines, Part, Stage
from backburner.kernel.errors import Refused
from backburner.planning.facts import ActionSchema, Literal, Object, Operator, bits
from backburner.planning.task import Goal, Task

MOST_CHANGES = 50_000
"""Conditional effects of a file."""

REQUIREMENTS = ":strips :typing :negative-preconditions :equality :conditional-effects"

_PHASE = "?k ?k2 - phase"
_NEXT = "(not (now ?k)) (now ?k2)"


PROVEN = "optimal"
"""A comment in a plan that its planner has proven a shortest one."""

PROBLEM = "-problem.pddl"
"""How the name of the problem file ends, where that of the domain ends in .pddl."""


def exported_task(task: Task, *, strict: bool = False) -> Exported:
    """The task as a domain with its problem; raises ``Refused`` where it cannot be said, or with ``strict``
    for plans that are lost."""
    found = _Writer(task).files()
    check_lost("pddl", found.lost, strict)
    return found


class _Writer:
    """What of a task is called what: objects ``a1`` ..., predicates ``p1`` ..., types ``t1`` ..., actions
    ``d1`` ..., those for certain objects ``e1`` ..., stages of effects ``x1`` ..."""

    def __init__(self, task: Task) -> None:
        self.task, self.machines = task, Machines(task)
        self.machines.explore()
        self.table = self.machines.table
        types = [
            *(thing.type for thing in self.table.objects),
            *(t for one in task.actions for t in one.types),
        ]
        self.types = {type: f"t{n}" for n, type in enumerate(dict.fromkeys(types), 1)}
        self.mortal = task.deleted_types | {kind.type for kind in self.machines.stock}
        self.stages: dict[tuple[int, Stage], str] = {}
        for number, part in enumerate(self.machines.parts):
            for stage in part.stages:
                self.stages[number, stage] = f"(x{len(self.stages) + 1})"
        turns = task.turns
        self.agents = [] if turns.any_agent else list(turns.agents)
        self.rests = bool(self.agents) and turns.order == "free"

    # Words

    def atom(self, bit: int) -> str:
        """A fact."""
        predicate, args = self.table.atom(bit)
        return f"({' '.join((f'p{predicate + 1}', *(f'a{arg + 1}' for arg in args)))})"

    def facts(self, mask: int) -> list[str]:
        """Facts, in the order of their bits."""
        return [self.atom(bit) for bit in bits(mask)]

    def typed(self, prefix: str, types: Iterable[str]) -> str:
        """Parameters."""
        return " ".join(f"{prefix}{n} - {self.types[type]}" for n, type in enumerate(types, 1))

    def literals(self, literals: Iterable[Literal]) -> list[str]:
        """Literals over parameters; of several about one fact the last one counts."""
        last = {(one.predicate, one.positions): one.is_true for one in literals}
        return [
            _true(f"({' '.join((f'p{predicate + 1}', *(f'?x{place + 1}' for place in places)))})", is_true)
            for (predicate, places), is_true in last.items()
        ]

    # Files

    def files(self) -> Exported:
        """Both files."""
        changes = [line for part in enumerate(self.machines.parts) for line in self.changes(*part)]
        lines = [
            *self.comments(),
            "(define (domain task)",
            f"  (:requirements {REQUIREMENTS})",
            f"  (:types {' '.join(self.types.values())} - thing phase)",
            f"  (:constants {' '.join(self.objects())})",
            f"  (:predicates {' '.join(self.predicates())})",
            *self.decisions(),
            *(
                line
                for number, part in enumerate(self.machines.parts)
                for line in self.triggers(number, part)
            ),
            *_action(
                "tick", _PHASE, ["(now ?k)", "(ticks ?k ?k2)", "(going)"], [_NEXT, *self.rested(), *changes]
            ),
            *self.finish(),
            ")\n",
        ]
        if sum("(when" in line for line in lines) > MOST_CHANGES:
            raise Refused(f"more than {MOST_CHANGES} conditional effects")
        return Exported("\n".join(lines).encode(), tuple(self.lost()), {PROBLEM: self.problem().encode()})

    def lost(self) -> Iterator[str]:
        """What plans cannot have."""
        makes = any(part.first.made for part in self.machines.parts)
        for kind, n in self.machines.stock.items() if makes else ():
            yield f"plans in which more than {n} of what is made in play is {kind.kind}"

    def comments(self) -> Iterator[str]:
        """What everything is called, and how plans are counted."""
        n = self.task.turns.per_step
        yield f"; a step is {n} decision{'s' * (n > 1)} and a tick; behind the last one comes finish"
        yield from (
            f"; no plan has {json.dumps(line.removeprefix('plans in which '))}" for line in self.lost()
        )
        for n, thing in enumerate(self.table.objects, 1):
            yield f"; a{n} = {json.dumps(thing.name)}{' (may be made)' * (n > self.machines.n_given)}"
        yield from (f"; p{n} = {json.dumps(one.name)}" for n, one in enumerate(self.task.predicates, 1))
        yield from (f"; {code} = {json.dumps(type)}" for type, code in self.types.items())
        yield from (f"; d{n} = {json.dumps(one.name)}" for n, one in enumerate(self.task.actions, 1))
        yield from (f"; {code} = {json.dumps(one.name)}" for code, one in triggering(self.machines).items())

    def objects(self) -> Iterator[str]:
        """Objects with their types."""
        return (f"a{n} - {self.types[thing.type]}" for n, thing in enumerate(self.table.objects, 1))

    def predicates(self) -> Iterator[str]:
        """Declarations."""
        for n, one in enumerate(self.task.predicates, 1):
            yield f"({' '.join((f'p{n}', self.typed('?x', one.types))).strip()})"
        yield "(going) (done) (now ?k - phase) (first ?k - phase)"
        yield "(decides ?k ?k2 - phase) (ticks ?k ?k2 - phase) (whose ?k - phase ?x - thing)"
        yield "(rested ?x - thing) (there ?x - thing)"
        yield from (f"(stands{n} ?x - thing)" for n, _ in enumerate(self.task.goal.variables, 1))
        yield from self.stages.values()

    def decisions(self) -> Iterator[str]:
        """Actions that trigger nothing, over parameters, and idleness where none of them is that."""
        when = ["(now ?k)", "(decides ?k ?k2)"]
        idle = [
            one
            for one in self.task.actions
            if not (one.types or one.preconditions or one.effects or one.triggers)
        ]
        if not idle:
            yield from _action("idle", _PHASE, when, [_NEXT])
        for n, one in enumerate(self.task.actions, 1):
            if not one.triggers:
                conditions = [
                    *when,
                    *self.turn(self._agent(one)),
                    *self._apart(one),
                    *self.literals(one.preconditions),
                ]
                then = [_NEXT, *self.acted(self._agent(one)), *self.literals(one.effects)]
                yield from _action(
                    f"d{n}", f"{self.typed('?x', one.types)} {_PHASE}".strip(), conditions, then
                )

    def _agent(self, action: ActionSchema) -> str:
        own = (place for place, type in enumerate(action.types, 1) if type == self.task.agent_type)
        return next((f"?x{place}" for place in own), "")

    def _apart(self, action: ActionSchema) -> Iterator[str]:
        """That its objects are there, and different."""
        for place, type in enumerate(action.types, 1):
            if type in self.mortal:
                yield f"(there ?x{place})"
        for (n, one), (m, other) in combinations(enumerate(action.types, 1), 2):
            if one == other:
                yield f"(not (= ?x{n} ?x{m}))"

    def turn(self, agent: str) -> list[str]:
        """That an agent may act now."""
        if not agent or not self.agents:
            return []
        return [f"(rested {agent})"] if self.rests else [f"(whose ?k {agent})"]

    def acted(self, agent: str) -> list[str]:
        """That an agent has acted."""
        return [f"(not (rested {agent}))"] if agent and self.rests else []

    def rested(self) -> list[str]:
        """That all agents may act again."""
        return [f"(rested a{agent + 1})" for agent in self.agents if self.rests]

    def triggers(self, number: int, part: Part) -> Iterator[str]:
        """Actions that trigger effects of a part, each over certain objects."""
        codes = {one: code for code, one in triggering(self.machines).items()}
        for operator in part.operators:
            agent = f"a{operator.agent + 1}" if operator.agent >= 0 else ""
            changing = self.machines.changing
            when = ["(now ?k)", "(decides ?k ?k2)", *self.turn(agent)]
            when += [
                f"(there a{arg + 1})" for arg in operator.args if self.table.objects[arg].type in self.mortal
            ]
            when += self.facts(operator.pre & changing)
            when += [_true(fact, False) for fact in self.facts(operator.neg & changing)]
            then = [_NEXT, *self.acted(agent), *self.facts(operator.adds)]
            then += [_true(fact, False) for fact in self.facts(operator.deletes)]
            yield from _action(codes[operator], _PHASE, when, [*then, *self.changes(number, part, operator)])

    def changes(self, number: int, part: Part, operator: Operator | None = None) -> Iterator[str]:
        """What comes of an operator or a tick, for each stage of a part."""
        for stage, outcomes in part.stages.items():
            here = self.stages[number, stage]
            for on, off, end in next(moves for one, moves in outcomes if one is operator):
                when = [here, *self.facts(on), *(_true(fact, False) for fact in self.facts(off))]
                then = ["(not (going))"]
                if end.after is not None:
                    if operator and end.clears & operator.adds:
                        raise Refused(f"{operator.name} makes true at once what its effect makes false")
                    after = self.stages[number, end.after]
                    then = [_true(here, False), after] if after != here else []
                    then += [_true(fact, False) for fact in self.facts(end.clears)] + self.facts(end.sets)
                    then += [f"(there a{one + 1})" for one in end.made]
                    then += [f"(not (there a{one + 1}))" for one in end.gone]
                yield f"(when {_all(when)} {_all(then)})"

    def finish(self) -> Iterator[str]:
        """The goal, between two steps."""
        goal = self.task.goal
        said = [("", one) for one in goal.literals] + [("not", one) for one in goal.negative]
        when = [
            "(now ?k)",
            "(first ?k)",
            "(going)",
            *(f"(stands{n} ?g{n})" for n, _ in enumerate(goal.variables, 1)),
        ]
        when += [f"(not (= ?g{n} ?g{m}))" for n, m in _different(goal)]
        for no, one in said:
            fact = f"({' '.join((f'p{one.predicate + 1}', *(f'?g{v + 1}' for v in one.variables)))})"
            when.append(_true(fact, not no))
        types = {
            variable: self.types[type]
            for one in goal.literals
            for variable, type in zip(one.variables, self.task.predicates[one.predicate].types, strict=True)
        }
        things = [f"?g{n + 1} - {types.get(n, 'thing')}" for n, _ in enumerate(goal.variables)]
        yield from _action("finish", " ".join((*things, "?k - phase")), when, ["(done)"])

    def problem(self) -> str:
        """What is true in the beginning."""
        facts = self.facts(self.task.initial.facts)
        for n, _ in enumerate(self.task.goal.variables, 1):
            facts += [f"(stands{n} a{thing + 1})" for thing in self._candidates(n - 1)]
        for n, thing in enumerate(self.table.objects[: self.machines.n_given]):
            if thing.type in self.mortal and not self.task.initial.deleted >> n & 1:
                facts.append(f"(there a{n + 1})")
        facts += [self.stages[n, part.first] for n, part in enumerate(self.machines.parts)]
        phases, clock = self._phases()
        return (
            f"(define (problem one) (:domain task)\n  (:objects {' '.join(phases)} - phase)\n"
            f"  (:init (going) {' '.join((*clock, *facts))})\n  (:goal (done)))\n"
        )

    def _candidates(self, variable: int) -> list[int]:
        found = list(self.task.goal.candidates(self.table, variable))
        for kind, n in self.machines.stock.items():
            made = {self.machines.placeholder(kind, one) for one in range(n)}
            if len(made.intersection(found)) not in (0, n):
                raise Refused(
                    "the goal names things that are made in play by the order in which they are made"
                )
        return found

    def _phases(self) -> tuple[list[str], list[str]]:
        """Moments between decisions and ticks, and facts that say which follows upon which."""
        turns, phase = self.task.turns, self.task.phase
        n = max(1, len(turns.agents)) if turns.per_step > 1 or turns.are_own else 1
        facts = [f"(now f{phase.taken + 1})"]
        for k in range(1, n + 1):
            if turns.order == "alternating":
                facts += [f"(first f{k})", f"(decides f{k} f{n + k})", f"(ticks f{n + k} f{k % n + 1})"]
            else:
                facts.append(f"(decides f{k} f{k + 1})")
            if self.agents and not self.rests:
                facts.append(f"(whose f{k} a{self.agents[k - 1] + 1})")
        if turns.order != "alternating":
            facts += ["(first f1)", f"(ticks f{n + 1} f1)"]
        facts += [f"(rested a{one + 1})" for one in self.agents if self.rests and one not in phase.acted]
        return [f"f{k}" for k in range(1, (2 * n if turns.order == "alternating" else n + 1) + 1)], facts


def _true(fact: str, is_true: bool) -> str:
    return fact if is_true else f"(not {fact})"


def _all(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"(and {' '.join(parts)})"


def _action(name: str, parameters: str, when: Iterable[str], then: Iterable[str]) -> Iterator[str]:
    first, *rest = then
    yield f"  (:action {name} :parameters ({parameters})"
    yield f"    :precondition (and {' '.join(when)})"
    yield f"    :effect (and {first}"
    yield from (f"      {one}" for one in rest)
    yield "    ))"


def _different(goal: Goal) -> Iterator[tuple[int, int]]:
    for (n, one), (m, other) in combinations(enumerate(goal.variables, 1), 2):
        if not goal.may_share or one.kind == other.kind:
            yield n, m


def triggering(machines: Machines) -> dict[str, Operator]:
    """The operators that are written for certain objects, by their codes."""
    every = (one for part in machines.parts for one in part.operators)
    return {f"e{n}": one for n, one in enumerate(every, 1)}


# --- back --------------------------------------------------------------------------------------------------

_STEP = re.compile(r"\(([a-z0-9 \t]{1,500})\)", re.IGNORECASE)
_CODE = re.compile(r"[ade][1-9]\d{0,6}")


def planned_names(plan: str, task: Task) -> tuple[str, ...]:
    """The decisions in a plan as planners write it (``(d1 a3 a4 f1 f2)``): names of operators, "" for
    idleness. Raises ``Refused`` for an action that is not in the file, or not applicable."""
    machines, names = Machines(task), list[str]()
    codes, state, phase = triggering(machines), task.initial, task.phase
    for number, line in enumerate(_STEP.findall(plan), 1):
        code, *words = line.lower().split() or [""]
        if code in ("tick", "finish"):
            continue
        operator = None
        if code != "idle":
            schema, things = _said(machines, codes, code, words)
            args = tuple(_in_play(machines, state.created, thing) for thing in things)
            table = task.table(state.created)
            if -1 not in args and [table.objects[arg].type for arg in args] == [*task.actions[schema].types]:
                operator = task.operator(table, schema, args)
            if operator is None or not task.is_applicable(state, operator):
                raise Refused(f"action {number} of its plan, {code!r}, is not applicable")
            state = task.apply(state, operator)
        phase, is_over = task.turns.after(phase, operator.agent if operator else -1)
        state = task.semantics.tick(state) if is_over else state
        names.append(operator.name if operator else "")
    if not names:
        raise Refused("it has no plan")
    return tuple(names)


def _said(
    machines: Machines, codes: Mapping[str, Operator], code: str, words: Sequence[str]
) -> tuple[int, Sequence[int]]:
    """An action and its objects, with those of the stock."""
    if code in codes:
        return codes[code].schema, codes[code].args
    number = int(code[1:]) - 1 if _CODE.fullmatch(code) and code[0] == "d" else -1
    if not 0 <= number < len(machines.task.actions):
        raise Refused(f"its plan has an unknown action {code!r}")
    things = words[: len(machines.task.actions[number].types)]
    return number, [int(one[1:]) - 1 if _CODE.fullmatch(one) and one[0] == "a" else -1 for one in things]


def _in_play(machines: Machines, created: Sequence[Object], thing: int) -> int:
    """The object that a thing of the stock stands for, -1 before it is made: the first of a kind is the one
    that is made first."""
    if thing < machines.n_given:
        return thing
    for kind, n in machines.stock.items():
        for number in range(n):
            if machines.placeholder(kind, number) == thing:
                made = [i for i, one in enumerate(created) if (one.type, one.kind) == (kind.type, kind.kind)]
                made = made[
                    sum((o.type, o.kind) == (kind.type, kind.kind) for o in machines.task.initial.created) :
                ]
                return (
                    machines.n_given - len(machines.task.initial.created) + made[number]
                    if number < len(made)
                    else -1
                )
    return -1
