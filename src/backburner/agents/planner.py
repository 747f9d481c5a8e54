"""Planners at the table: ``planner:NAME`` plays any world that states its scenario as one scheduling problem,
or as a planning task.

Whoever plans is given what is left, and answers with the start of each activity, or with what to do in each
step. The world has the last word: what it refuses is planned again. Whoever crashes, takes too long, cannot
be read or has no plan lets time pass from then on, and the record says why.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.in_play import InPlay, decided
from backburner.agents.models.method import Option, joined, settled, split_name
from backburner.agents.programs import answer_of
from backburner.agents.spec import PLANNER
from backburner.formats import decisions, engines
from backburner.formats.classical import exported_task
from backburner.formats.engines import ENGINES, classical_for, task_for
from backburner.formats.files import FORMATS, Exported, exported
from backburner.formats.plans import Plan, read_plan
from backburner.kernel.errors import BackburnerError, PolicyStops, Refused, UnknownName
from backburner.kernel.files import decoded, read_regular
from backburner.kernel.menu import Menus
from backburner.kernel.oracle import Planning, oracle_of
from backburner.kernel.policy import Reply, Turn
from backburner.kernel.schedule import Problem, Remaining, Schedulable, problem_of
from backburner.kernel.values import Thought
from backburner.scheduling.makespan import solve_problem
from backburner.scheduling.model import cp_sat

COMMAND = "command:"
OURS = "ours"

PLANNED, FAULT = "planned", "planner fault"
"""Purposes of thoughts: a plan as its planner tells it, and why there is none."""

MOST_REFUSALS = 3
"""In a row, of plans of one planner; then it is not asked again."""

MOST_PASSES = 1000
"""Turns in which time passes after a fault; where the world's limits do not end play before, this does."""

OPTIONS: Mapping[str, Option] = {
    "limit": Option("20", "seconds that each plan may take; of ours, of the solver's own count", most=86_400),
    "replan": Option("refusal", "when it plans again", ("always", "refusal", "never")),
}
FORMAT: Mapping[str, Option] = {
    "format": Option("problem", "what a program is given", tuple(FORMATS)),
}

SECONDS_TO_START = 10
"""For engines of unified-planning, beside the limit of each plan."""


class Asked(NamedTuple):
    """A planner as it is asked for."""

    name: str
    chosen: Mapping[str, str]
    choices: Mapping[str, str]

    @property
    def file(self) -> Path | None:
        """The file with the command of a program of one's own."""
        return Path(self.name.removeprefix(COMMAND)) if self.name.startswith(COMMAND) else None

    @property
    def seconds(self) -> int:
        """How long each plan may take."""
        return int(self.choices["limit"])


def asked(name: str) -> Asked:
    """The planner that ``planner:NAME@KEY=VALUE,...`` asks for; raises ``Refused``, ``UnknownName``."""
    planner, chosen = split_name(name.removeprefix(PLANNER))
    is_program = planner.startswith(COMMAND)
    if planner not in (OURS, *ENGINES) and not is_program:
        raise UnknownName("planner", planner, (OURS, *ENGINES, f"{COMMAND}FILE"))
    options = {**OPTIONS, **(FORMAT if is_program else {})}
    return Asked(planner, chosen, settled(f"{PLANNER}{planner}", options, {}, chosen))


def check_planner(name: str) -> None:
    """Raises ``UnknownName`` or ``Refused`` for no planner of ours, ``BadFile`` for a command that cannot be
    read, ``MissingExtra``."""
    planner = asked(name)
    if planner.name == OURS:
        cp_sat()
    elif planner.file is not None:
        _command(planner.file)


def _command(file: Path) -> list[str]:
    command: list[str] = decoded(read_regular(file), file, list[str], "a list of words, the program first")
    if not command or not any("{problem}" in word for word in command):
        raise Refused(f"{file}: the command has no {{problem}}, the file that is to be planned")
    return command


def planner_policy(name: str, world: Any) -> PlannerPolicy:
    """Whoever plays a world by plans of this planner; raises ``Refused`` where it cannot, and like
    ``check_planner``."""
    planner, stated = asked(name), _stated(world)
    if len(world.seats) > 1:
        raise Refused(f"{world.id}: a planner plays one seat, and this world has several")
    if isinstance(stated, Planning):
        return _policy_of_tasks(planner, world, stated)
    if planner.choices["replan"] == "always" and not world.is_told(world.seats[0]):
        world.remaining(world.start())
    if planner.name == OURS:
        return PlannerPolicy(planner, world, {}, lambda left: _ours(left, planner.seconds))
    format = planner.choices.get("format", "problem")
    if planner.file is None:
        task_for(planner.name, stated)
    else:
        exported(stated, format, strict=True)
    program = _Program(planner)

    def plan(left: Problem) -> Plan:
        return read_plan(program.answer(exported(left, format)), left, format)

    return PlannerPolicy(planner, world, program.settings, plan)


def _policy_of_tasks(planner: Asked, world: Any, stated: Planning) -> PlannerPolicy:
    """Whoever plays a world that is a planning task."""
    if planner.name == OURS:
        return TaskPolicy(planner, world, {}, lambda left: decisions.ours(left, planner.seconds))
    if planner.choices.get("format", "pddl") != "pddl":
        raise Refused(f"{world.id} is a planning task: say {PLANNER}{planner.name}@format=pddl")
    files = exported_task(stated.task)
    if planner.file is None:
        classical_for(planner.name, files)
    program = _Program(planner, "{domain}")

    def plan(left: Planning) -> decisions.Steps:
        return decisions.read_steps(program.answer(exported_task(left.task)), left)

    return TaskPolicy(planner, world, program.settings, plan)


def _stated(world: Any) -> Problem | Planning:
    """The problem or the task that stands for a scenario; raises ``Refused`` if there is none."""
    try:
        return problem_of(world)
    except Refused:
        with suppress(Refused):
            return oracle_of(world).planning(world)
        raise


class _Program:
    """An engine, or a program of one's own, that is given files and answers; see ``programs``."""

    def __init__(self, planner: Asked, *more: str) -> None:
        limit = planner.choices["limit"]
        engine = [
            sys.executable,
            "-P",
            "-m",
            engines.__name__,
            planner.name,
            limit,
            "{problem}",
            "{plan}",
            *more,
        ]
        self._command = engine if planner.file is None else _command(planner.file)
        self._seconds = planner.seconds + (SECONDS_TO_START if planner.file is None else 0)
        self._folder = None if planner.file is None else planner.file.resolve().parent
        self.settings: Mapping[str, Any] = {} if planner.file is None else {"command": self._command}

    def answer(self, files: Exported) -> bytes:
        """What it says to these files."""
        names = ("domain", "problem") if files.beside else ("problem",)
        named = dict(zip(names, (files.content, *files.beside.values()), strict=True))
        return answer_of(self._command, named, self._seconds, self._folder)


def _ours(problem: Problem, effort: float) -> Plan:
    found = solve_problem(problem, effort=effort)
    if found.starts is None:
        raise Refused(f"no plan ({found.status}): {found.note}")
    return Plan({**found.starts}, found.objective, found.status == "optimal")


class Notes(Struct, frozen=True):
    """What a planner remembers.

    ``decisions``: of a plan for everything, those that are left; ``play``: another plan, and what is begun.
    ``refusals`` in a row; ``acted``: whether the last decision was more than a wait; ``passes`` since it
    failed.
    """

    decisions: tuple[Any, ...] = ()
    play: InPlay = InPlay()
    refusals: int = 0
    acted: bool = False
    passes: int = 0


class PlannerPolicy:
    """Plays the plans that somebody makes of what is left. It looks at the state unless its seat is told as
    much as the problem says."""

    def __init__(
        self, planner: Asked, world: Any, settings: Mapping[str, Any], plan: Callable[[Any], Any]
    ) -> None:
        self.name = joined(f"{PLANNER}{planner.name}", planner.chosen)
        (seat,) = world.seats
        self.informed = not (isinstance(world, Schedulable) and world.is_told(seat))
        self.settings: Mapping[str, Any] = {**planner.choices, **settings}
        self._world, self._plan, self._replan = world, plan, planner.choices["replan"]

    async def decide(self, turn: Turn, memory: Any) -> Reply:
        """The next decision of the plan, which is made at first and as often as it is to be made again."""
        notes: Notes = memory or Notes()
        thoughts: list[Thought] = []
        if notes.passes:
            return self._passed(turn, notes)
        try:
            notes = self._heard(turn, notes)
            again = self._replan == "always" or (turn.refused and self._replan == "refusal")
            if memory is None or again:
                notes = self._planned(turn, notes, thoughts)
            decision, notes = self._next(turn, notes)
        except BackburnerError as error:
            return self._passed(turn, notes, (*thoughts, Thought(FAULT, str(error))))
        return Reply(decision, notes, tuple(thoughts))

    def _heard(self, turn: Turn, notes: Notes) -> Notes:
        """The notes after what came of the last decision; raises ``Refused`` after too many refusals."""
        if not turn.refused:
            return replace(notes, refusals=0 if notes.acted else notes.refusals)
        if self._replan != "never" and notes.refusals + 1 >= MOST_REFUSALS:
            raise Refused(f"its plans are refused {MOST_REFUSALS} times in a row ({turn.refused[0].code})")
        return replace(notes, play=notes.play.refused(), refusals=notes.refusals + 1)

    def _planned(self, turn: Turn, notes: Notes, thoughts: list[Thought]) -> Notes:
        """The notes with a plan of what is left; of the whole scenario where nothing is begun."""
        problem, play = self._left(turn, notes.play)
        plan = self._plan(problem)
        thoughts.append(Thought(PLANNED, msgspec.json.encode(plan).decode()))
        if play is None:
            return replace(notes, decisions=tuple(self._world.plan(plan.whole_starts)))
        return replace(notes, decisions=(), play=play.following(problem, plan.whole_starts))

    def _left(self, turn: Turn, play: InPlay) -> tuple[Problem, InPlay | None]:
        """What is left, and what of it is begun; ``None`` if that is all there is to do."""
        whole = problem = problem_of(self._world)
        try:
            if self.informed:
                problem, begun, now = self._left_in(turn.state)
                play = replace(play, begun=begun, done={})
            else:
                now = self._now(turn)
        except Refused:
            if turn.index:
                raise
            return whole, None
        in_pieces = not self.informed and any(each.preemptive for each in whole.activities)
        if problem == whole and not (play.begun or now or in_pieces):
            return whole, None
        return play.left(problem, now), play

    def _left_in(self, state: Any) -> tuple[Problem, Mapping[str, int], int]:
        left: Remaining = self._world.remaining(state)
        return left.problem, left.begun, left.now

    def _now(self, turn: Turn) -> int:
        if turn.time is None:
            raise Refused("this world does not say what time it is, nor what is left to be done")
        return int(turn.time)

    def _next(self, turn: Turn, notes: Notes) -> tuple[Any, Notes]:
        """The next decision: of a whole plan in its order, of another one a start or a wait for it."""
        world, play = self._world, notes.play
        if notes.decisions:
            decision, *others = notes.decisions
            names = () if self.informed else world.begins(decision)
            play = play.beginning(names, self._now(turn) if names else 0)
            return decision, replace(notes, decisions=tuple(others), play=play, acted=True)
        now = self._now(turn)
        if (time := play.wait(now)) and (wait := world.waiting(time)) is not None:
            return wait, replace(notes, play=play.beginning((), now), acted=False)
        if not play.blocks:
            raise Refused("its plan is over, and play goes on")
        block, play = play.next(now)
        decision = decided(world, turn, world.beginning(block.name), block)
        return decision, replace(notes, play=play, acted=True)

    def _passed(self, turn: Turn, notes: Notes, thoughts: tuple[Thought, ...] = ()) -> Reply:
        """Time passes, if there is a decision for that; raises ``PolicyStops`` otherwise."""
        passing = turn.menu.passing if isinstance(self._world, Menus) else None
        waits = isinstance(self._world, Schedulable)
        decision = passing.decision if passing else self._world.waiting(1) if waits else None
        if decision is None or notes.passes >= MOST_PASSES:
            raise PolicyStops(": ".join((FAULT, *(thought.text for thought in thoughts[-1:]))))
        return Reply(decision, replace(notes, passes=notes.passes + 1), thoughts)


class TaskPolicy(PlannerPolicy):
    """Plays the plans that somebody makes of a planning task, step by step."""

    def _planned(self, turn: Turn, notes: Notes, thoughts: list[Thought]) -> Notes:
        plan = self._plan(self._left_now(turn))
        thoughts.append(Thought(PLANNED, msgspec.json.encode(plan).decode()))
        return replace(notes, decisions=plan.steps)

    def _left_now(self, turn: Turn) -> Planning:
        return oracle_of(self._world).planning(self._world, turn.state)

    def _next(self, turn: Turn, notes: Notes) -> tuple[Any, Notes]:
        if not notes.decisions:
            raise Refused("its plan is over, and play goes on")
        step, *others = notes.decisions
        decided = self._left_now(turn).decisions(turn.state, step)
        return decided[turn.seat], replace(notes, decisions=tuple(others), acted=True)
