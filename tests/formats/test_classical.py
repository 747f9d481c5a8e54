"""Planning tasks as classical PDDL: unified-planning's own simulator judges them, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from unified_planning.exceptions import UPInvalidActionError
from unified_planning.io import PDDLReader
from unified_planning.shortcuts import SequentialSimulator

from backburner.formats.classical import PROBLEM, exported_task, planned_names, triggering
from backburner.formats.running import Machines
from backburner.kernel.errors import Refused
from backburner.planning.astar import Limits
from backburner.planning.facts import Operator
from backburner.planning.grounding import ground
from backburner.planning.planner import Planner
from backburner.planning.task import Phase, State, Task
from backburner.worlds.robotouille.game.scenarios import domain_of
from backburner.worlds.robotouille.game.world import Robotouille
from backburner.worlds.robotouille.oracle.planning_task import task_of
from support.planning.checks import kitchen, term
from support.planning.laundry import laundry
from support.robotouille.kitchens import with_rule, world_in


class Simulated:
    """A task's file in the simulator of unified-planning, beside the task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        files = exported_task(task)
        texts = (files.content.decode(), files.beside[PROBLEM].decode())
        self.up = PDDLReader().parse_problem_string(*texts)
        self.simulator = SequentialSimulator(self.up)
        self.codes = {one.name: code for code, one in triggering(Machines(task)).items()}
        self.phases = {
            kind: {str(f.args[0]): str(f.args[1]) for f, on in self.up.initial_values.items()
                   if f.fluent().name == kind and on.is_true()}
            for kind in ("decides", "ticks")
        }  # fmt: skip

    def start(self) -> Any:
        return self.simulator.get_initial_state()

    def now(self, state: Any) -> str:
        return next(f"f{n}" for n in range(1, 99) if self.holds(state, "now", f"f{n}"))

    def holds(self, state: Any, predicate: str, *args: str) -> bool:
        fluent = self.up.fluent(predicate)
        return bool(state.get_value(fluent(*map(self.up.object, args))).bool_constant_value())

    def after(self, state: Any, name: str, *args: str) -> Any:
        try:
            return self.simulator.apply(state, self.up.action(name), tuple(map(self.up.object, args)))
        except UPInvalidActionError:  # what never changes rules it out
            return None

    def decided(self, state: Any, operator: Operator | None) -> Any:
        """The state after a decision and, at the end of a step, a tick; ``None`` where nothing goes on."""
        now = self.now(state)
        then = self.phases["decides"].get(now, now)
        if operator is None:
            after = self.after(state, "idle", now, then)
        elif operator.name in self.codes:
            after = self.after(state, self.codes[operator.name], now, then)
        else:
            args = [f"a{arg + 1}" for arg in operator.args]
            after = self.after(state, f"d{operator.schema + 1}", *args, now, then)
        if after is not None and then in self.phases["ticks"]:
            after = self.after(after, "tick", then, self.phases["ticks"][then])
        return after if after is not None and self.holds(after, "going") else None

    def facts(self, state: Any, table: Any) -> set[tuple[int, tuple[int, ...]]]:
        """The atoms over the objects of a table that are true."""
        return {
            (p, args) for p, args in table.atoms
            if self.holds(state, f"p{p + 1}", *(f"a{arg + 1}" for arg in args))
        }  # fmt: skip

    def is_goal(self, state: Any) -> bool:
        """Whether there is a way to finish."""
        goal, finish = self.task.goal, self.up.action("finish")
        table = Machines(self.task).table
        things = [list(goal.candidates(table, each)) for each in range(len(goal.variables))]
        for chosen in product(*things):
            args = (*(f"a{one + 1}" for one in chosen), self.now(state))
            if self.simulator.is_applicable(state, finish, tuple(map(self.up.object, args))):
                return True
        return False


def decisions(task: Task, state: State, phase: Phase) -> Iterator[tuple[Operator, bool]]:
    """Every operator over what is there, and whether it may be decided on now."""
    for one in ground(task, task.table(state.created), state.deleted):
        yield one, task.is_applicable(state, one) and task.turns.may_act(phase, one.agent)


def first_goal(task: Task, most: int) -> int | None:
    """Decisions to the first goal, by breadth-first search in the simulator through all that the task says is
    possible, ``most`` states or fewer. In each both agree on what is possible, and on what comes of it."""
    up, found = Simulated(task), None
    idle = "idle" in {action.name for action in up.up.actions}
    first = (task.initial, task.phase)
    waiting, seen = [(first, up.start(), 0)], {first}
    for (state, phase), there, depth in waiting:
        table = task.table(state.created)
        assert up.facts(there, table) == set(table.true_atoms(state.facts))
        is_goal = task.semantics.is_goal(state) and not (task.turns.per_step > 1 and phase.taken)
        assert up.is_goal(there) == is_goal
        if is_goal and found is None:
            found = depth
        for one, possible in [*decisions(task, state, phase), *([(None, True)] if idle else [])]:
            after = up.decided(there, one)
            assert (after is not None) == possible, one
            if possible:
                following, over = task.turns.after(phase, one.agent if one else -1)
                new = task.apply(state, one) if one else state
                node = (task.semantics.tick(new) if over else new, following)
                if node not in seen and len(seen) < most:
                    seen.add(node)
                    waiting.append((node, after, depth + 1))
    return found


COOKED = {"goal": [term("iscooked", ("patty", 1)), term("item_on", ("patty", 1), ("table", 2))]}
FRIED = {"goal": [term("isfried", ("potato", 1))]}
NOT_THERE = [
    term("iscut", ("lettuce", 1)),
    term("loc", ("robot", 3), ("table", 2)),
    {**term("item_at", ("lettuce", 1), ("table", 2)), "is_true": False},
]
TWO = {"robots": (0, 1), "goal": [term("iscooked", ("patty", 1)), term("loc", ("robot", 3), ("table", 2))]}
ROW = ["stove patty", "sink", "table"]
FAST = {"config": {"cook_time": {"default": 1}, "num_cuts": {"default": 2}}}


def vanishing() -> Task:
    """A kitchen in which a lettuce is gone as soon as it is cut."""
    world = world_in(["board lettuce", "table onion"])
    domain = domain_of(world.scenario)
    actions = [
        replace(one, sfx=(replace(one.sfx[0], type="deletion", fx=()),)) if one.name == "cut" else one
        for one in domain.action_defs
    ]
    scenario = replace(world.scenario, domain=replace(domain, action_defs=tuple(actions)))
    return task_of(Robotouille(world.id, scenario, world.rules, world.limits).compiled, "turns")


def drawn(seed: int) -> Task:
    """A small kitchen at random, with one or two robots in any order."""
    random = Random(seed)
    things = [random.choice(["", " patty", " potato", " pot", " lettuce cheese"]) for _ in range(3)]
    stations = [f"{random.choice(['table', 'stove', 'board', 'fryer', 'sink'])}{each}" for each in things]
    robots = (0, 1)[: random.randint(1, 2)]
    play = random.choice(["turns", "together", "dispatcher"])
    goal = [term("loc", ("robot", 1), (stations[2].split()[0], 2))]
    return kitchen(stations, robots=robots, play=play, goal=goal, **FAST)


def later() -> Task:
    """In the middle of it: a patty is cooking, and the second of two robots decides."""
    task = kitchen(ROW, **TWO)
    cook = next(one for one, may in decisions(task, task.initial, task.phase) if may and one.triggers)
    phase, _ = task.turns.after(task.phase, cook.agent)
    task.initial, task.phase = task.step(task.initial, [cook]), phase
    return task


TASKS: dict[str, Callable[[], Task]] = {
    "cook": lambda: kitchen(["stove patty", "table"], **COOKED),
    "two stoves": lambda: kitchen(["stove patty", "stove"], goal=[term("iscooked", ("patty", 1))], **FAST),
    "cut and fry": lambda: kitchen(["board potato", "fryer"], **FRIED, **FAST),
    "water": lambda: kitchen(["sink pot", "stove"], goal=[term("isboiling", ("water", 1))]),
    "not there": lambda: kitchen(["board lettuce", "table"], goal=NOT_THERE, **FAST),
    "in turns": lambda: kitchen(ROW, **TWO, **FAST),
    "together": lambda: kitchen(ROW, play="together", **TWO, **FAST),
    "in any order": lambda: kitchen(ROW, play="dispatcher", **TWO, **FAST),
    "it vanishes": vanishing,
    "in the middle": later,
    "no kitchen": lambda: laundry(shirts=2, n_folded=1),
    "by two": lambda: laundry(robots=2, order="joint"),
    "by either": lambda: laundry(robots=2, lines=2, order="free"),
    "by anybody": lambda: laundry(robots=2, lines=1, any_agent=True),
}


@pytest.mark.parametrize("name", [*TASKS, *range(4)])
def test_a_simulator_of_others_goes_on_as_the_task_does_to_the_same_optimum(name: Any) -> None:
    task = TASKS[name]() if name in TASKS else drawn(name)
    planner = Planner(task)
    planner.run(Limits(60))
    depth = first_goal(task, 150 if name in TASKS else 40)
    assert depth is None or depth == planner.bound > 0 or task.semantics.is_goal(task.initial)
    assert depth is not None or name in ("it vanishes", "by two", "by either", *range(4))


def test_a_plan_comes_back_as_operators_that_the_task_can_carry_out() -> None:
    task = laundry()
    plan = Planner(task)
    plan.run(Limits(60))
    assert plan.plan is not None
    assert planned_names(said(task, plan.plan), task) == plan.plan
    with pytest.raises(Refused, match="action 1 of its plan, 'd2', is not applicable"):
        planned_names("(d2 a1 a2 a5)", task)
    for wrong in ("(d2 a1 a99 a5)", "(d2 a1)", "(d2 one two three)"):
        with pytest.raises(Refused, match="not applicable"):
            planned_names(wrong, task)
    with pytest.raises(Refused, match="unknown action 'd9'"):
        planned_names("(d9 a1)", task)
    with pytest.raises(Refused, match="it has no plan"):
        planned_names("; unsolvable", task)


def said(task: Task, plan: tuple[str, ...]) -> str:
    """A plan as a planner would print it."""
    codes = {one.name: code for code, one in triggering(Machines(task)).items()}
    table, lines = task.table(()), list[str]()
    for number, name in enumerate(plan):
        operator = task.named(table, name)
        if operator is None:
            words = ["idle"]
        elif name in codes:
            words = [codes[name]]
        else:
            words = [f"d{operator.schema + 1}", *(f"a{arg + 1}" for arg in operator.args)]
        lines.append(f"{number}.000: ({' '.join(words).upper()} f1 f2) [1]")
        lines.append("(tick f2 f1)")
    return "\n".join([*lines, "(finish a1 f1)"])


def test_what_is_made_in_play_comes_from_a_stock_of_which_the_file_tells() -> None:
    """The goal names one water, so that there is one to be made."""
    task = TASKS["water"]()
    file = exported_task(task)
    assert file.lost == ("plans in which more than 1 of what is made in play is water",)
    assert '; a5 = "water1" (may be made)' in file.content.decode().splitlines()
    with pytest.raises(Refused, match="--format pddl leaves out plans in which more than 1"):
        exported_task(task, strict=True)
    assert exported_task(TASKS["cook"](), strict=True).lost == ()


def test_rules_under_which_effects_disturb_each_other_are_refused() -> None:
    task = task_of(world_in(["stove patty"], rules=with_rule("skipped_ticks", True)).compiled, "turns")
    with pytest.raises(Refused, match="disturb each other"):
        exported_task(task)
