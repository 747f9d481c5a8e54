"""What each part of the planner claims, checked in every state of a small task by brute force.

A check raises ``AssertionError``; tests run it as it is, and again with a fault planted in the part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from typing import Any

import numpy as np

from backburner.planning.astar import AStar, Limits
from backburner.planning.facts import Operator, bits
from backburner.planning.grounding import GroundTask, exactly_one_groups, ground
from backburner.planning.heuristic import GoalHeuristic, HeuristicFactory
from backburner.planning.mutexes import Mutexes, Succession
from backburner.planning.pattern_database import UNREACHABLE, Projection
from backburner.planning.planner import Planner, without_no_ops
from backburner.planning.successors import SuccessorGenerator
from backburner.planning.symmetry import Symmetry
from backburner.planning.task import Phase, State, Task, in_steps
from backburner.planning.variables import States, StateSpace
from backburner.worlds.robotouille.oracle.planning_task import task_of
from support.robotouille.kitchens import world_in

Node = tuple[State, Phase]
Transition = tuple[Operator | None, Node]

ENOUGH = Limits(seconds=600, states=300_000)


def kitchen(stations: Sequence[str], *, play: Any = "turns", **more: Any) -> Task:
    """A small kitchen as a task; see ``support.robotouille.kitchens.world_in``."""
    return task_of(world_in(stations, play=play, **more).compiled, play)


def term(predicate: str, *pairs: tuple[str, int]) -> dict[str, Any]:
    """A goal term of a kitchen: a predicate over kinds with their ids."""
    return {"predicate": predicate, "args": [kind for kind, _ in pairs], "ids": [id for _, id in pairs]}


class Space:
    """All states of a task with their transitions, and h*: the decisions left where the goal can be reached.

    Operators are tried one by one, over all objects: nothing of the planner but the task is in it.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self._operators: dict[Any, list[Operator]] = {}
        first = (task.initial, task.phase)
        self.after: dict[Node, list[Transition]] = {}
        waiting = deque([first])
        while waiting:
            node = waiting.popleft()
            if node not in self.after:
                self.after[node] = list(self._transitions(node))
                waiting.extend(after for _, after in self.after[node])
        self.h = self._perfect_heuristic()

    @property
    def states(self) -> list[State]:
        """The states, whosever decision comes next in them."""
        return list(dict.fromkeys(state for state, _ in self.after))

    def operators(self, state: State) -> list[Operator]:
        """All operators over the objects of a state, whether they are applicable or not."""
        task = self.task
        if state.created not in self._operators:
            table = task.table(state.created)
            self._operators[state.created] = [
                task.operator(table, schema, args)
                for schema, action in enumerate(task.actions)
                for args in permutations(range(len(table.objects)), len(action.types))
                if tuple(table.objects[arg].type for arg in args) == action.types
            ]
        return self._operators[state.created]

    def applicable(self, state: State) -> list[Operator]:
        """The operators that are applicable in a state, whosever turn it is."""
        return [one for one in self.operators(state) if self.task.is_applicable(state, one)]

    def _transitions(self, node: Node) -> Iterator[Transition]:
        (state, phase), task = node, self.task
        for operator in (*self.applicable(state), None):
            agent = operator.agent if operator else -1
            if task.turns.may_act(phase, agent):
                following, is_over = task.turns.after(phase, agent)
                after = task.apply(state, operator) if operator else state
                yield operator, (task.semantics.tick(after) if is_over else after, following)

    def _perfect_heuristic(self) -> dict[Node, int]:
        before: dict[Node, list[Node]] = {}
        for node, transitions in self.after.items():
            for _, after in transitions:
                before.setdefault(after, []).append(node)
        within = self.task.turns.per_step > 1
        h = {
            (state, phase): 0
            for state, phase in self.after
            if self.task.semantics.is_goal(state) and not (within and phase.taken)
        }
        waiting = deque(h)
        while waiting:
            after = waiting.popleft()
            for node in before.get(after, ()):
                if node not in h:
                    h[node] = h[after] + 1
                    waiting.append(node)
        return h


@lru_cache(maxsize=8)
def space_of(task: Task) -> Space:
    """Kept for a few tasks, as several checks need it."""
    return Space(task)


def together(space: StateSpace, nodes: Sequence[Node]) -> States:
    """States and phases as rows."""
    each = [space.encode(state, phase) for state, phase in nodes]
    rows = np.concatenate([space.widened(one).rows for one in each], axis=1)
    return States(rows, np.concatenate([one.residuals for one in each]))


def check_grounding(task: Task) -> None:
    """What is applicable in a reachable state is grounded, and cost owners take part in their operators."""
    space = space_of(task)
    for state in space.states:
        grounded = set(ground(task, task.table(state.created), state.deleted))
        assert grounded.issuperset(space.applicable(state))
    for operator, owner in GroundTask(task).cost_owner.items():
        assert owner is None or owner in operator.args


def check_groups(task: Task) -> None:
    """Exactly one atom of each group is true in every state, of objects of which one is in the beginning."""
    table = task.table(task.initial.created)
    for index, thing in enumerate(table.objects):
        for group in exactly_one_groups(task, thing.type):
            mask = sum(table.rows.get((predicate, place, index), 0) for predicate, place in group)
            if (task.initial.facts & mask).bit_count() == 1:
                for state in space_of(task).states:
                    larger = task.table(state.created)
                    mask = sum(larger.rows.get((predicate, place, index), 0) for predicate, place in group)
                    assert (state.facts & mask).bit_count() == 1


def check_mutexes(task: Task) -> None:
    """No mutex pair is true in any state, and every fluent that becomes true is said to be reachable."""
    ground_task = GroundTask(task)
    mutexes = Mutexes(ground_task)
    known = (1 << len(ground_task.table.atoms)) - 1
    fluents = sum(ground_task.table.of_predicate[predicate] for predicate in task.fluents)
    for state in space_of(task).states:
        facts = mutexes.with_conjunctions(state.facts & known & fluents)
        for bit in bits(facts):
            assert bit in mutexes.never and not mutexes.never[bit] & facts


def check_succession(task: Task) -> None:
    """What an agent is said not to be able to do next it never does, whatever happens meanwhile."""
    space, ground_task = space_of(task), GroundTask(task)
    succession = Succession(ground_task, Mutexes(ground_task))
    known = set(ground_task.operators)
    for state in space.states:
        for first in space.applicable(state):
            if first.agents and first in known:
                assert not any(
                    succession.excludes(first, second)
                    for second in _next_of(space, first, task.step(state, [first]))
                    if second in known
                )


def _next_of(space: Space, first: Operator, state: State) -> set[Operator]:
    """The operators that the agent may apply next after one, while others act and ticks pass, not counting
    that it goes elsewhere in between."""
    seen, waiting, following = {state}, [state], set[Operator]()
    while waiting:
        state = waiting.pop()
        applicable = space.applicable(state)
        following.update(one for one in applicable if first.agent in one.agents)
        others = [[one] for one in applicable if first.agent not in one.agents]
        for after in (space.task.step(state, operators) for operators in ([], *others)):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return following


def check_distances(task: Task) -> None:
    """Distance tables agree with a plain search in the abstract space."""
    collection = HeuristicFactory(StateSpace(task)).collection
    assert collection is not None
    for location_goal in collection.assignments.location_goals():
        for key in collection.keys:
            projection = collection.projections[key[0]]
            table = collection.distances(key, location_goal)
            goals = {number for number, distance in enumerate(table) if distance == 0}
            free = _goals_reached_free(projection, goals)
            assert free == goals
            assert list(table) == plain_distances(projection, goals)


def _goals_reached_free(projection: Projection, goals: set[int]) -> set[int]:
    return {number for number, distance in enumerate(plain_distances(projection, goals)) if distance == 0}


def plain_distances(projection: Projection, goals: set[int]) -> list[int]:
    """Least costs to any of the goals, by relaxing every transition until nothing changes."""
    distances = [0 if number in goals else UNREACHABLE for number in range(len(projection.states))]
    changed = True
    while changed:
        changed = False
        for begin, end, cost in projection.transitions:
            if distances[end] + cost < distances[begin]:
                distances[begin] = distances[end] + cost
                changed = True
    return distances


def check_pattern_databases(task: Task) -> None:
    """Each pattern database alone, at its best over assignments and goals, is at most h* in every state, and
    so is their sum for the best goal."""
    factory = HeuristicFactory(StateSpace(task))
    if factory.is_unsolvable:
        assert not space_of(task).h
        return
    collection = factory.collection
    assert collection is not None
    goals = [goal for _, goal in factory.goals]
    for state, h in _least_h(task).items():
        numbers = {one: projection.number_of(state) for one, projection in enumerate(collection.projections)}
        for number in collection.used:
            keys = [key for key in collection.keys if key[0] == number]
            assert min(_alone(goal, key, numbers) for goal in goals for key in keys) <= h
        assert min(goal.at(numbers) for goal in goals) <= h


def _alone(goal: GoalHeuristic, key: Any, numbers: dict[int, int]) -> int:
    table = goal.tables[key]
    return int(table[numbers[key[0]]]) if numbers[key[0]] < len(table) else 0


def _least_h(task: Task) -> dict[State, int]:
    least: dict[State, int] = {}
    for (state, _), h in space_of(task).h.items():
        least[state] = min(h, least.get(state, h))
    return least


def check_heuristic(task: Task) -> None:
    """The whole heuristic, with turn taking, is at most h* wherever the goal can be reached."""
    space = StateSpace(task)
    factory = HeuristicFactory(space)
    h = space_of(task).h
    assert not factory.is_unsolvable or not h
    heuristic = factory.below(None)
    nodes = list(h)
    values = heuristic(together(space, nodes)) if nodes else ()
    assert all(value <= h[node] for node, value in zip(nodes, values, strict=True))


def check_successors(task: Task) -> None:
    """Rows stepped at once are the states that the task's semantics give, and no others."""
    space = StateSpace(task)
    generator = SuccessorGenerator(space)
    nodes = list(space_of(task).after)
    found = generator.successors(together(space, nodes))
    after: list[set[tuple[str, Node]]] = [set() for _ in nodes]
    for which, (parent, number) in enumerate(zip(found.parents, found.decisions, strict=True)):
        operator = space.decisions[number].operator
        after[parent].add((operator.name if operator else "", space.decode(found.states, which)))
    for node, successors in zip(nodes, after, strict=True):
        expected = {(one.name if one else "", state) for one, state in space_of(task).after[node]}
        waits = any(name and name in {one.name for one in _no_ops(task, node)} for name, _ in expected)
        assert successors == {one for one in expected if one[0] or not waits}


def _no_ops(task: Task, node: Node) -> list[Operator]:
    return [one for one in space_of(task).operators(node[0]) if one.is_no_op and not one.pre | one.neg]


def check_symmetry(task: Task) -> None:
    """States with one hash have one h*."""
    space = StateSpace(task)
    symmetry = Symmetry(space)
    nodes = list(space_of(task).after)
    states = together(space, nodes)
    symmetry.make_room(len(states.rows))
    seen: dict[tuple[int, ...], int | None] = {}
    for node, code in zip(nodes, symmetry.hashes(states).tolist(), strict=True):
        h = space_of(task).h.get(node)
        assert seen.setdefault(tuple(code), h) == h


def n_orbits(task: Task) -> int:
    """The number of different hashes of a task's states."""
    space = StateSpace(task)
    symmetry = Symmetry(space)
    states = together(space, list(space_of(task).after))
    symmetry.make_room(len(states.rows))
    return len(set(map(tuple, symmetry.hashes(states).tolist())))


def check_astar(task: Task) -> None:
    """A* finds a shortest path with a heuristic that is admissible and as inconsistent as can be: every third
    state, by its facts, has h*, all others 0."""
    space = StateSpace(task)
    h = space_of(task).h

    def jagged(states: States) -> np.ndarray[Any, np.dtype[np.int64]]:
        nodes = [space.decode(states, which) for which in range(len(states.residuals))]
        values = [0 if hash(node[0].facts) % 3 else h.get(node, UNREACHABLE) for node in nodes]
        return np.array(values, dtype=np.int64)

    def is_goal(states: States, which: int) -> bool:
        return h.get(space.decode(states, which)) == 0

    search = AStar(SuccessorGenerator(space), jagged, is_goal, Symmetry(space))
    result = search.run(ENOUGH)
    expected = h.get((task.initial, task.phase))
    assert (None if result.path is None else len(result.path)) == expected
    assert result.bound == (expected or 0)


def check_planner(task: Task) -> None:
    """The plan is a shortest one and can be played, and the bound is its length."""
    planner = Planner(task)
    planner.run(ENOUGH)
    expected = space_of(task).h.get((task.initial, task.phase))
    assert planner.is_proven
    assert (None if planner.plan is None else len(planner.plan)) == expected
    if planner.plan is not None:
        assert planner.bound == expected and reaches_goal(task, planner.plan)


def check_post_optimisation(task: Task, plan: Sequence[str]) -> None:
    """The plan without no-ops reaches the goal, and is no longer."""
    steps = list(in_steps(plan, task.turns.per_step))
    shorter = without_no_ops(task, steps)
    assert len(shorter) <= len(steps)
    assert reaches_goal(task, [name for names in shorter for name in names])


def reaches_goal(task: Task, plan: Sequence[str]) -> bool:
    """Plays a plan by the task's semantics alone, each agent in its turn; whether it ends in the goal."""
    state, phase = task.initial, task.phase
    for name in plan:
        operator = task.named(task.table(state.created), name) if name else None
        assert bool(operator) == bool(name)
        agent = operator.agent if operator else -1
        assert task.turns.may_act(phase, agent)
        assert operator is None or task.is_applicable(state, operator)
        state = task.apply(state, operator) if operator else state
        phase, is_over = task.turns.after(phase, agent)
        state = task.semantics.tick(state) if is_over else state
    return task.semantics.is_goal(state)
