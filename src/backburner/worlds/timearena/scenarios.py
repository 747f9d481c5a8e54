"""TimeArena's scenarios: tasks as data, loaded and checked once; combinations; suites.

A scenario is a list of tasks in order (the order decides how repeated names are numbered), the
verbs they use, and whether every task brings its own pots, fryers and ovens (``kit="own"``) or
there is one of each (``kit="one"``, the article's resource constraint, section 4.4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile, Refused, UnknownName

SCENARIOS = ("cooking", "household", "lab")
"""The article's three settings: cooking, household activity, laboratory work."""

ThingName = str
VerbName = str
RoleName = tuple[ThingName, VerbName, int]


class Verb(Struct, frozen=True, forbid_unknown_fields=True):
    """``cook in`` is written ``cook OBJ1 in OBJ2``; some verbs hold the agent until they end."""

    name: VerbName
    form: str
    occupies_agent: bool | None
    gloss: str

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

    verb: VerbName
    slot: Literal[0, 1, 2]
    minutes: int
    before: str | None = None
    after: str | None = None
    needs: tuple[RoleName, ...] = ()
    needs_left_out: tuple[RoleName, ...] = ()


class Thing(Struct, frozen=True, forbid_unknown_fields=True):
    """An object of a task. Its first role's ``before`` is its initial state."""

    name: ThingName
    roles: tuple[Role, ...]


class Action(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One required action; ``script_after`` overrides what the released oracle script waits for."""

    verb: VerbName
    things: tuple[ThingName, ...]
    script_after: tuple[str, ...] | None = None


class Task(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the tasks: its goal in a sentence, the verbs the agent is told, actions and things."""

    id: str
    scenario: str
    number: int
    title: str
    goal: str
    verbs: tuple[VerbName, ...]
    actions: tuple[Action, ...]
    things: tuple[Thing, ...]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """Tasks to be done together."""

    tasks: tuple[Task, ...]
    verbs: tuple[Verb, ...]
    kit: Literal["own", "one"] = "own"
    kit_names: tuple[ThingName, ...] = ()

    @property
    def kind(self) -> str:
        """``cooking``, ``household``, ``lab``, or ``mixed``."""
        kinds = {task.scenario for task in self.tasks}
        return kinds.pop() if len(kinds) == 1 else "mixed"


class _TaskFile(Struct, forbid_unknown_fields=True):
    source: str
    kit: tuple[ThingName, ...]
    tasks: tuple[Task, ...]


class _VerbFile(Struct, forbid_unknown_fields=True):
    source: str
    verbs: tuple[Verb, ...]


class _ScenarioFile(Struct, forbid_unknown_fields=True):
    """A user's scenario: tasks of ours by id or written out in full, and verbs of their own."""

    world: str
    id: str
    tasks: tuple[str | Task, ...]
    verbs: tuple[Verb, ...] = ()
    kit: Literal["own", "one"] = "own"


@cache
def shipped_tasks() -> dict[str, Task]:
    """The 30 tasks by id."""
    tasks = {task.id: task for task in _load("tasks.json", _TaskFile).tasks}
    for task in tasks.values():
        check_task(task, shipped_verbs(), kit_names(), "tasks.json")
    return tasks


@cache
def shipped_verbs() -> dict[VerbName, Verb]:
    """The 45 verbs by name; ``wait``, the 46th action, belongs to the rules."""
    return {verb.name: verb for verb in _load("verbs.json", _VerbFile).verbs}


@cache
def kit_names() -> tuple[ThingName, ...]:
    """The things that any task may use, whoever brought them."""
    return _load("tasks.json", _TaskFile).kit


def _load(name: str, kind: Any) -> Any:
    return msgspec.json.decode(files(__package__).joinpath("data", name).read_bytes(), type=kind)


def combine(path: str, options: Mapping[str, str]) -> Scenario:
    """The scenario of an id's path, such as ``cooking1+cooking2`` with ``kit=one``.

    Raises ``UnknownName`` for a task that is not there and ``Refused`` for an unknown option.
    """
    for key, value in options.items():
        if key != "kit":
            raise UnknownName("option", key, ["kit"], "timearena")
        if value not in ("own", "one"):
            raise UnknownName("value of option 'kit'", value, ["own", "one"], "timearena")
    known = shipped_tasks()
    parts = path.split("+")
    for part in parts:
        if part not in known:
            raise UnknownName("task", part, [*known, *suites()], "timearena")
    return scenario_of([known[part] for part in parts], options.get("kit", "own"))


def scenario_of(tasks: Sequence[Task], kit: str = "own", verbs: Mapping[VerbName, Verb] | None = None) -> Scenario:
    """These tasks in this order, with just the verbs they use."""
    known = verbs or shipped_verbs()
    used = dict.fromkeys(verb for task in tasks for verb in task.verbs)
    return Scenario(
        tasks=tuple(tasks),
        verbs=tuple(known[name] for name in used),
        kit="one" if kit == "one" else "own",
        kit_names=kit_names(),
    )


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming item and field."""
    try:
        found = msgspec.convert(raw, _ScenarioFile)
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at ")
        raise BadFile(source, _place(raw, place), why) from error
    if not re.fullmatch(r"[A-Za-z0-9_.+-]+", found.id):
        raise BadFile(source, "field 'id'", "use letters, digits and _ . + - only")
    if not found.tasks:
        raise BadFile(source, "field 'tasks'", "at least one task is needed")
    verbs = {**shipped_verbs(), **{verb.name: verb for verb in found.verbs}}
    tasks = []
    for item in found.tasks:
        if isinstance(item, Task):
            check_task(item, verbs, kit_names(), source)
            tasks.append(item)
        elif item in shipped_tasks():
            tasks.append(shipped_tasks()[item])
        else:
            raise BadFile(source, "field 'tasks'", str(UnknownName("task", item, shipped_tasks())))
    return found.id, scenario_of(tasks, found.kit, verbs)


def _place(raw: Mapping[str, Any], path: str) -> str:
    """``$.tasks[1].things`` as ``task 'soup', field 'things'``, as far as names are known."""
    match = re.match(r"`?\$\.tasks\[(\d+)\]\.?([^`]*)", path)
    if not match:
        return path.replace("$.", "field ").strip("`")
    item = raw["tasks"][int(match[1])]
    name = item.get("id", match[1]) if isinstance(item, dict) else item
    return f"task {name!r}{f', field {match[2]}' if match[2] else ''}"


def check_task(
    task: Task, verbs: Mapping[VerbName, Verb], kit: Sequence[ThingName], source: str
) -> None:
    """Whether everything that a task names exists and fits; raises ``BadFile`` naming the field."""

    def wrong(where: str, why: str) -> BadFile:
        return BadFile(source, f"task {task.id!r}, {where}", why)

    roles: dict[RoleName, Role] = {}
    for thing in task.things:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", thing.name):
            raise wrong(f"thing {thing.name!r}", "a name is one word of small letters, digits and _")
        if thing.name not in kit and sum(other.name == thing.name for other in task.things) > 1:
            raise wrong(f"thing {thing.name!r}", f"stands twice; only {', '.join(kit)} may")
        for role in thing.roles:
            roles[thing.name, role.verb, role.slot] = role
    for verb in task.verbs:
        if verb not in verbs:
            raise wrong("field 'verbs'", str(UnknownName("verb", verb, verbs)))
        if verbs[verb].occupies_agent is None:
            raise wrong("field 'verbs'", f"nothing says whether {verb!r} occupies the agent")
    _check_roles(roles, task, verbs, wrong)
    _check_actions(roles, task, verbs, wrong)


def _check_roles(roles: Mapping[RoleName, Role], task: Task, verbs: Mapping[VerbName, Verb], wrong: Any) -> None:
    for (thing, verb, slot), role in roles.items():
        where = f"thing {thing!r}, role {verb!r}"
        if verb not in task.verbs:
            raise wrong(where, str(UnknownName("verb", verb, task.verbs, "the task's verbs")))
        if verbs[verb].takes_two == (slot == 0):
            raise wrong(where, f"slot {slot} does not fit the form {verbs[verb].form!r}")
        if slot != 2 and (role.minutes < 1 or role.after is None or role.before is None):
            raise wrong(where, "needs at least 1 minute, and the states 'before' and 'after'")
        if slot == 2 and role.minutes:
            raise wrong(where, "a second object has 0 minutes")
        for need in (*role.needs, *role.needs_left_out):
            if need not in roles or need[2] == 2:
                names = [f"{t} {v} {s}" for t, v, s in roles if s != 2]
                known = UnknownName("role", " ".join(map(str, need)), names)
                raise wrong(f"{where}, field 'needs'", str(known))


def _check_actions(roles: Mapping[RoleName, Role], task: Task, verbs: Mapping[VerbName, Verb], wrong: Any) -> None:
    carried: set[RoleName] = set()
    for action in task.actions:
        where = f"action {action.verb} {' '.join(action.things)!r}"
        slots = (0,) if len(action.things) == 1 else (1, 2)
        for thing, slot in zip(action.things, slots, strict=False):
            if (thing, action.verb, slot) not in roles:
                raise wrong(where, f"{thing!r} has no role {action.verb!r} with slot {slot}")
        if action.verb not in verbs or verbs[action.verb].takes_two != (len(action.things) == 2):
            raise wrong(where, "the number of things does not fit the verb")
        carried.add((action.things[0], action.verb, slots[0]))
    left = [role for role in roles if role[2] != 2 and role not in carried]
    if left or len(carried) != len(task.actions):
        raise wrong("field 'actions'", f"one action for each role with minutes; off: {left or 'a role twice'}")


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


def refuse_empty(path: str) -> None:
    """Raises ``Refused`` for an id without a scenario."""
    if not path:
        raise Refused("timearena: name a scenario, such as timearena/cooking1, or a suite")
