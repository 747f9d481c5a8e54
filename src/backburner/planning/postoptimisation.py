"""Known plans, improved: no-ops taken out, and operators like theirs for a search in their neighbourhood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from backburner.planning.facts import FactTable, Operator
from backburner.planning.grounding import OperatorSubset
from backburner.planning.task import State, Task

Step = tuple[str, ...]
"""The names of a step's operators; "" is idleness."""

Likeness = tuple[str, ...]
"""An action and what takes part in it; objects created in play go by their kind."""


def in_steps(plan: Sequence[str], per_step: int) -> Iterator[Step]:
    """A plan's decisions, step by step."""
    for begin in range(0, len(plan), per_step):
        yield tuple(plan[begin : begin + per_step])


def without_no_ops(task: Task, plan: Sequence[Step]) -> list[Step]:
    """The plan without steps in which nobody does anything, as long as it reaches the goal without them.

    Where each step belongs to one agent, as many are left out at a time as there are agents. A plan with a
    step that is not applicable comes back as it is.
    """
    size = len(task.agents) if task.turns.are_own else 1
    done: list[Step] = []
    rest = list(plan)
    state = task.initial
    while rest and not task.semantics.is_goal(state):
        later = rest[size:]
        if later and _is_idle(task, state, rest[:size]) and _reaches_goal(task, state, later):
            rest = later
            continue
        after = _after(task, state, rest[0])
        if after is None:
            return list(plan)
        state = after
        done.append(rest.pop(0))
    return done


def _is_idle(task: Task, state: State, steps: Sequence[Step]) -> bool:
    table = task.table(state.created)
    operators = [task.named(table, name) for names in steps for name in names if name]
    return all(operator is not None and operator.is_no_op for operator in operators)


def _reaches_goal(task: Task, state: State, plan: Sequence[Step]) -> bool:
    for names in plan:
        after = _after(task, state, names)
        if after is None:
            return False
        state = after
        if task.semantics.is_goal(state):
            return True
    return False


def _after(task: Task, state: State, names: Step) -> State | None:
    """The state after a step; ``None`` if an operator of it is not applicable."""
    for name in filter(None, names):
        operator = task.named(task.table(state.created), name)
        if operator is None or not task.is_applicable(state, operator):
            return None
        state = task.apply(state, operator)
    return task.semantics.tick(state)


class PlanNeighbourhood(OperatorSubset):
    """Operators like those of a plan; with ``any_agent`` other agents may apply them, too.

    Operators over agents and locations alone, such as going somewhere, are in it if the plan names the
    locations for that agent, or it is there in the beginning. A search among these takes a fraction of the
    time. What it finds is a plan like any other; that it finds none says nothing of other operators.
    """

    is_complete = False

    def __init__(self, task: Task, plan: Sequence[Step], any_agent: bool) -> None:
        """Raises ``KeyError`` for the name of an operator that there is not."""
        self.any_agent = any_agent
        self._task = task
        table, state = task.table(task.initial.created), task.initial
        self._n_given = len(table.objects)
        self._likenesses: set[Likeness] = set()
        self._locations: dict[int, set[int]] = {agent: set() for agent in task.agents}
        for agent in task.agents:
            for _, args in table.true_atoms(state.facts & table.about[agent]):
                self._take_in((agent,), table, args)
        for names in plan:
            table = task.table(state.created)
            operators = []
            for name in filter(None, names):
                operator = task.named(table, name)
                if operator is None:
                    raise KeyError(name)
                operators.append(operator)
                self._likenesses.add(self._likeness(table, operator))
                self._take_in(operator.agents, table, operator.args)
            state = task.step(state, operators)

    def has(self, table: FactTable, operator: Operator) -> bool:
        """Whether it is like one of the plan."""
        locations = self._locations_among(table, operator.args)
        if len(locations) + len(operator.agents) == len(operator.args):
            return all(self._locations[agent].issuperset(locations) for agent in operator.agents)
        return self._likeness(table, operator) in self._likenesses

    def _likeness(self, table: FactTable, operator: Operator) -> Likeness:
        things = (arg for arg in operator.args if not (self.any_agent and arg in operator.agents))
        names = (
            table.objects[one].name if one < self._n_given else f"a {table.objects[one].kind}"
            for one in things
        )
        return (self._task.actions[operator.schema].name, *names)

    def _locations_among(self, table: FactTable, args: Iterable[int]) -> list[int]:
        types = {*self._task.portable_types, self._task.agent_type}
        return [arg for arg in args if table.objects[arg].type not in types]

    def _take_in(self, agents: Iterable[int], table: FactTable, args: Iterable[int]) -> None:
        for agent in self._locations if self.any_agent else agents:
            self._locations[agent].update(self._locations_among(table, args))
