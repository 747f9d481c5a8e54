"""TimeArena's scenarios: tasks as data; combinations; suites.

A scenario is a list of tasks in order (the order decides how repeated names are numbered), the
verbs they use, and whether every task brings its own pots, fryers and ovens (``kit="own"``) or
there is one of each (``kit="one"``, the article's resource constraint, section 4.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from backburner.kernel.catalogue import check_options
from backburner.kernel.checks import ONE_LINE, in_all, refers_to, unique
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused, UnknownName
from backburner.kernel.files import shipped

SCENARIOS = ("cooking", "household", "lab")
"""The article's three settings: cooking, household activity, laboratory work."""

MOST_TASKS = 30
"""In one scenario."""

SHORT = Meta(max_length=60)
"""Characters of a name."""

ThingName = Annotated[str, ONE_LINE, SHORT]
VerbName = Annotated[str, ONE_LINE, SHORT]
Words = Annotated[str, ONE_LINE, Meta(max_length=1_000)]
"""A goal, title, gloss or state."""

OwnName = Annotated[
    str,
    SHORT,
    Meta(
        pattern=r"^(?![a-z0-9_]*_\d+\Z)[a-z][a-z0-9]*(_[a-z0-9]+)*\Z",
        description="use small letters and digits, joined by single _, with no number of its own at the end",
    ),
]
"""What a thing is called: where things have the same name, numbers tell them apart."""

RoleName = tuple[ThingName, VerbName, int]
Need = Annotated[RoleName, refers_to("role", "led_roles")]
TaskVerb = Annotated[VerbName, refers_to("verb", "verbs")]


class Verb(Struct, frozen=True, forbid_unknown_fields=True):
    """``cook in`` is written ``cook OBJ1 in OBJ2``; some verbs hold the agent until they end."""

    name: Annotated[
        str,
        SHORT,
        Meta(pattern=r"^[a-z_]+( [a-z_]+)?\Z", description="use one or two words in small letters"),
    ]
    form: VerbName
    occupies_agent: bool | None
    gloss: Words

    @property
    def takes_two(self) -> bool:
        """Whether the form has two objects."""
        return "OBJ2" in self.form

    def words(self, first: str, second: str = "") -> str:
        """The form with the things in place of OBJ, OBJ1 and OBJ2."""
        if second:
            return self.form.replace("OBJ1", first).replace("OBJ2", second)
        return self.form.replace("OBJ", first)


class Role(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What can happen to a thing: being the object of ``verb``.

    ``slot`` 0: the only object; 1: the first of two; 2: the second (container or tool). Slots 0 and
    1 carry the ``minutes`` and the progress. ``needs`` are (thing, verb, slot) that must be
    finished before. ``needs_left_out`` are needs that the article has and the release lacks.
    """

    verb: TaskVerb
    slot: Literal[0, 1, 2]
    minutes: Annotated[int, Meta(ge=0, le=10_000)]
    before: Words | None = None
    after: Words | None = None
    needs: tuple[Need, ...] = ()
    needs_left_out: tuple[Need, ...] = ()


class Thing(Struct, frozen=True, forbid_unknown_fields=True):
    """An object of a task. Its first role's ``before`` is its initial state."""

    name: OwnName
    roles: Annotated[tuple[Role, ...], unique("verb", "slot")]


class Action(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One required action; ``script_after`` overrides what the released oracle script waits for.

    One that is ``spare`` can be done and takes its time, but nobody requires it and it counts for nothing.
    """

    verb: TaskVerb
    things: Annotated[tuple[ThingName, ...], Meta(max_length=2), unique()]
    script_after: Annotated[tuple[Words, ...], Meta(max_length=1_000)] | None = None
    spare: bool = False


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the tasks: its goal in a sentence, the verbs the agent is told, actions and things."""

    id: VerbName
    scenario: VerbName
    number: int
    title: Words
    goal: Words
    verbs: Annotated[tuple[Annotated[VerbName, refers_to("verb", "known_verbs")], ...], Meta(max_length=200)]
    actions: Annotated[tuple[Action, ...], Meta(min_length=1)]
    things: tuple[Thing, ...]

    @property
    def led_roles(self) -> list[RoleName]:
        """The roles that carry minutes: all but those of second objects."""
        roles = ((thing.name, role) for thing in self.things for role in thing.roles)
        return [(thing, role.verb, role.slot) for thing, role in roles if role.slot != 2]


Verbs = Annotated[tuple[Verb, ...], Meta(max_length=200), unique("name")]

NUMBER_OF_TASKS = Meta(min_length=1, max_length=MOST_TASKS)

KitNames = Annotated[tuple[ThingName, ...], Meta(max_length=20)]

Limit = Annotated[int, Meta(ge=1, le=1_000_000)]
"""The minute at which play ends."""

TOGETHER = in_all(
    {"things": 250, "things.roles": 1_000, "things.roles.needs": 3_000, "actions": 1_000}
    | {"things.roles.needs_left_out": 3_000, "actions.script_after": 1_000}
)
"""Of all tasks together: thirty of the published tasks have less, whichever they are."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """Tasks to be done together. ``limit``: the minute at which play ends, in place of the article's."""

    tasks: Annotated[tuple[Task, ...], NUMBER_OF_TASKS, TOGETHER]
    verbs: Verbs
    kit: Literal["own", "one"] = "own"
    kit_names: KitNames = ()
    limit: Limit | UnsetType = UNSET

    @property
    def known_verbs(self) -> dict[VerbName, Verb]:
        """The verbs by name."""
        return {verb.name: verb for verb in self.verbs}

    @property
    def kind(self) -> str:
        """``cooking``, ``household``, ``lab``, or ``mixed``."""
        kinds = {task.scenario for task in self.tasks}
        return kinds.pop() if len(kinds) == 1 else "mixed"


class _TaskFile(Struct, forbid_unknown_fields=True):
    source: str
    kit: tuple[ThingName, ...]
    tasks: tuple[Task, ...]


HERE = "backburner.worlds.timearena"


class _VerbFile(Struct, forbid_unknown_fields=True):
    source: str
    verbs: tuple[Verb, ...]


@cache
def shipped_tasks() -> dict[str, Task]:
    """The 30 tasks by id."""
    return {task.id: task for task in _task_file().tasks}


@cache
def shipped_verbs() -> dict[VerbName, Verb]:
    """The 45 verbs by name; ``wait``, the 46th action, belongs to the rules."""
    return {verb.name: verb for verb in shipped(HERE, "verbs", _VerbFile).verbs}


def kit_names() -> tuple[ThingName, ...]:
    """The things that any task may use, whoever brought them."""
    return _task_file().kit


def _task_file() -> _TaskFile:
    return shipped(HERE, "tasks", _TaskFile)


def combine(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path, such as ``cooking1+cooking2`` with ``kit=one``.

    Raises ``UnknownName`` for a task, option or value that is not there, ``Refused`` for too many tasks.
    """
    if not path:
        raise Refused("timearena: name a scenario, such as timearena/cooking1, or a suite")
    check_options("timearena", options, ["kit"], {"kit": ["own", "one"]})
    known = shipped_tasks()
    parts = path.split("+")
    if len(parts) > MOST_TASKS:
        raise Refused(f"timearena: {len(parts)} tasks; at most {MOST_TASKS} are played together")
    for part in parts:
        if part not in known:
            raise UnknownName("task", part, [*known, *suites()], "timearena")
    return scenario_of([known[part] for part in parts], options.get("kit", "own"))


def scenario_of(
    tasks: Sequence[Task],
    kit: str = "own",
    verbs: Mapping[VerbName, Verb] | None = None,
    kit_things: Sequence[ThingName] | None = None,
    limit: int | UnsetType = UNSET,
) -> Scenario:
    """These tasks in this order, with just the verbs they use."""
    known = verbs or shipped_verbs()
    used = dict.fromkeys(verb for task in tasks for verb in task.verbs)
    return Scenario(
        tasks=tuple(tasks),
        verbs=tuple(known[name] for name in used),
        kit="one" if kit == "one" else "own",
        kit_names=kit_names() if kit_things is None else tuple(kit_things),
        limit=limit,
    )


@cache
def suites() -> dict[str, tuple[str, ...]]:
    """Suite path to scenario paths. The published sets are rings: task i with the next one or two."""
    found: dict[str, tuple[str, ...]] = {}
    for size, name in ((1, "singles"), (2, "pairs"), (3, "triples")):
        by_kind = {kind: tuple(_ring(kind, size)) for kind in SCENARIOS}
        found[name] = tuple(path for kind in SCENARIOS for path in by_kind[kind])
        found |= {f"{name}/{kind}": paths for kind, paths in by_kind.items()}
    found["all"] = found["singles"] + found["pairs"] + found["triples"]
    found["quick"] = tuple(
        path for name in ("singles", "pairs") for kind in SCENARIOS for path in found[f"{name}/{kind}"][:3]
    )
    for size, name in ((2, "every-pair"), (3, "every-triple")):
        for kind in SCENARIOS:
            ids = [f"{kind}{number}" for number in range(1, 11)]
            found[f"{name}/{kind}"] = tuple("+".join(chosen) for chosen in combinations(ids, size))
    return found


def _ring(kind: str, size: int) -> list[str]:
    return ["+".join(f"{kind}{(first + step) % 10 + 1}" for step in range(size)) for first in range(10)]


def parts(world: World[Any, Any, Any]) -> list[str]:
    """What a world's scenario is built of: its tasks."""
    return [f"task {task.id}" for task in world.scenario.tasks]
