"""A user's scenario file, or the scenario of a record: read, and checked once; then the rules trust it.

What is wrong is told in one line that names file, task (or verb) and field. Sizes come first, so that the
other checks and the rules are quick whatever somebody has written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Any, Literal

import msgspec
from msgspec import Struct

from backburner.kernel.errors import BadFile, UnknownName, shorten
from backburner.kernel.files import CONTROL
from backburner.worlds.timearena.game.scenarios import (
    MOST_TASKS,
    Action,
    Role,
    RoleName,
    Scenario,
    Task,
    Thing,
    ThingName,
    Verb,
    VerbName,
    kit_names,
    scenario_of,
    shipped_tasks,
    shipped_verbs,
)

MOST_VERBS = 200
MOST_KIT_NAMES = 20
MOST_THINGS, MOST_ROLES, MOST_NEEDS, MOST_ACTIONS = 250, 1_000, 3_000, 1_000
"""In all tasks together: thirty of the published tasks have less, whichever they are."""
LONGEST_NAME = 60
LONGEST_TEXT = 1_000
"""Characters of a goal, title, gloss or state."""


def check_sizes(
    tasks: Sequence[Task], verbs: Sequence[Verb], kit: Sequence[ThingName], source: str, number_of_tasks: int
) -> None:
    """Whether nothing is too long or too many to be looked at; raises ``BadFile``."""
    if not number_of_tasks:
        raise BadFile(source, "field 'tasks'", "at least one task is needed")
    _few(source, "field 'tasks'", "tasks", number_of_tasks, MOST_TASKS)
    _few(source, "field 'verbs'", "verbs", len(verbs), MOST_VERBS)
    _few(source, "field 'kit_names'", "kit names", len(kit), MOST_KIT_NAMES)
    for verb in verbs:
        where = f"verb {cut(verb.name)}"
        _short(source, where, (verb.name, verb.form), (verb.gloss,))
    _short(source, "field 'kit_names'", kit, ())
    things = [thing for task in tasks for thing in task.things]
    roles = [role for thing in things for role in thing.roles]
    _few(source, "all tasks", "things", len(things), MOST_THINGS)
    _few(source, "all tasks", "roles", len(roles), MOST_ROLES)
    _few(source, "all tasks", "needs", sum(len(r.needs) + len(r.needs_left_out) for r in roles), MOST_NEEDS)
    _few(source, "all tasks", "actions", sum(len(task.actions) for task in tasks), MOST_ACTIONS)
    for task in tasks:
        where = f"task {cut(task.id)}"
        _few(source, where, "verbs", len(task.verbs), MOST_VERBS)
        _short(source, where, (task.id, task.scenario, *task.verbs), (task.title, task.goal))
        for thing in task.things:
            _check_sizes_of(thing, source, where)
        for action in task.actions:
            after = action.script_after or ()
            _few(source, where, "texts of 'script_after'", len(after), MOST_ACTIONS)
            _few(source, where, "things of an action", len(action.things), 2)
            _short(source, where, (action.verb, *action.things), after)


def _check_sizes_of(thing: Thing, source: str, task: str) -> None:
    where = f"{task}, thing {cut(thing.name)}"
    _short(source, where, (thing.name,), ())
    for role in thing.roles:
        names = (name for need in (*role.needs, *role.needs_left_out) for name in need[:2])
        _short(source, where, (role.verb, *names), (role.before or "", role.after or ""))


def _few(source: str, where: str, what: str, number: int, most: int) -> None:
    if number > most:
        raise BadFile(source, where, f"{number} {what}; at most {most} are allowed")


def _short(source: str, where: str, names: Iterable[str], texts: Iterable[str]) -> None:
    """Names and texts are one line each, and not too long."""
    for most, written in ((LONGEST_NAME, names), (LONGEST_TEXT, texts)):
        for text in written:
            if len(text) > most:
                raise BadFile(source, where, f"{cut(text)} has {len(text)} characters; at most {most}")
            if CONTROL.search(text):
                raise BadFile(source, where, f"{cut(text)} has a line break or another control character")


def cut(name: object) -> str:
    """A name in quotes, for messages."""
    return repr(shorten(name if isinstance(name, str) else repr(name)))


LONGEST_MESSAGE = 300
"""Characters of a reason that lists names."""


class _ScenarioFile(Struct, forbid_unknown_fields=True):
    """Tasks of ours by id or written out in full, and verbs of the user's own."""

    world: str
    id: str
    tasks: tuple[str | Task, ...]
    verbs: tuple[Verb, ...] = ()
    kit: Literal["own", "one"] = "own"


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming item and field."""
    try:
        found = msgspec.convert(raw, _ScenarioFile)
    except msgspec.ValidationError as error:
        why, _, place = str(error).partition(" - at ")
        raise BadFile(source, _place(raw, place.strip("`")), shorten(why, LONGEST_MESSAGE)) from error
    if not re.fullmatch(r"[A-Za-z0-9_.+-]{1,200}", found.id):
        raise BadFile(source, "field 'id'", "use letters, digits and _ . + - only")
    written = [item for item in found.tasks if isinstance(item, Task)]
    check_sizes(written, found.verbs, (), source, len(found.tasks))
    check_verbs(found.verbs, source)
    verbs = {**shipped_verbs(), **{verb.name: verb for verb in found.verbs}}
    tasks = [_task(item, verbs, source) for item in found.tasks]
    _check_copies(tasks, source)
    return found.id, scenario_of(tasks, found.kit, verbs)


def check_scenario(scenario: Scenario, source: str) -> None:
    """Whether the rules can trust a scenario that was written down elsewhere; raises ``BadFile``."""
    check_sizes(scenario.tasks, scenario.verbs, scenario.kit_names, source, len(scenario.tasks))
    verbs = {verb.name: verb for verb in scenario.verbs}
    check_verbs(scenario.verbs, source)
    _check_copies(scenario.tasks, source)
    for task in scenario.tasks:
        check_task(task, verbs, scenario.kit_names, source)


def _check_copies(tasks: Sequence[Task], source: str) -> None:
    by_id = {task.id: task for task in tasks}
    for task in tasks:
        if by_id[task.id] != task:
            raise BadFile(source, f"task {cut(task.id)}", "two different tasks have this id")


def _place(raw: Mapping[str, Any], path: str) -> str:
    """``$.tasks[1].things`` as ``task 'soup', field 'things'``, as far as names are known."""
    match = re.match(r"\$\.(task|verb)s\[(\d+)\]\.?(.*)", path)
    if not match:
        return f"field {cut(path.removeprefix('$.'))}" if path else ""
    kind, number, field = match.groups()
    item = raw[f"{kind}s"][int(number)]
    name = item.get("id" if kind == "task" else "name", number) if isinstance(item, dict) else item
    return f"{kind} {cut(name)}{f', field {cut(field)}' if field else ''}"


def _task(item: str | Task, verbs: Mapping[VerbName, Verb], source: str) -> Task:
    if isinstance(item, Task):
        check_task(item, verbs, kit_names(), source)
        return item
    if item not in shipped_tasks():
        raise BadFile(source, "field 'tasks'", str(UnknownName("task", item, shipped_tasks())))
    return shipped_tasks()[item]


def check_verbs(verbs: Sequence[Verb], source: str) -> None:
    """Whether the verbs can be told apart and read back; raises ``BadFile`` naming verb and field."""
    for number, verb in enumerate(verbs):
        where = f"verb {verb.name!r}"
        words = re.fullmatch(r"([a-z_]+) OBJ(?:1 ([a-z_]+) OBJ2)?", verb.form)
        if words is None or verb.name != " ".join(filter(None, words.groups())):
            why = f"{verb.form!r} is not this verb with OBJ, or with OBJ1 and OBJ2"
            raise BadFile(source, f"{where}, field 'form'", why)
        if {"wait", "quit", "exit"} & set(re.split("[ _]", verb.name)):
            raise BadFile(source, f"{where}, field 'name'", "wait, quit and exit have meanings of their own")
        if any(other.name == verb.name for other in verbs[:number]):
            raise BadFile(source, where, "stands twice")


def check_task(task: Task, verbs: Mapping[VerbName, Verb], kit: Sequence[ThingName], source: str) -> None:
    """Whether everything that a task names exists and fits; raises ``BadFile`` naming the field."""
    check = _Check(task, verbs, kit, source)
    check.verbs_are_known()
    for thing in task.things:
        check.thing(thing)
    for name, role in check.roles.items():
        check.role(name, role)
    for number, action in enumerate(task.actions):
        check.action(number, action)
    check.each_role_with_minutes_has_an_action()
    check.scripts_name_actions()
    check.needs_can_be_met()


class _Check:
    """The checks of one task; each raises ``BadFile``."""

    def __init__(
        self, task: Task, verbs: Mapping[VerbName, Verb], kit: Sequence[ThingName], source: str
    ) -> None:
        self.task = task
        self.verbs = verbs
        self.kit = kit
        self.source = source
        self.roles: dict[RoleName, Role] = {
            (thing.name, role.verb, role.slot): role for thing in task.things for role in thing.roles
        }

    def wrong(self, where: str, why: object) -> BadFile:
        return BadFile(self.source, f"task {self.task.id!r}, {where}", str(why))

    def verbs_are_known(self) -> None:
        for verb in self.task.verbs:
            if verb not in self.verbs:
                raise self.wrong("field 'verbs'", UnknownName("verb", verb, self.verbs))
            if self.verbs[verb].occupies_agent is None:
                raise self.wrong("field 'verbs'", f"nothing says whether {verb!r} occupies the agent")

    def thing(self, thing: Thing) -> None:
        where = f"thing {thing.name!r}"
        if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", thing.name) or re.search(r"_\d+$", thing.name):
            why = (
                "a name is small letters and digits, joined by single _, with no number of its own at the end"
            )
            raise self.wrong(where, why)
        if thing.name not in self.kit and sum(other.name == thing.name for other in self.task.things) > 1:
            raise self.wrong(where, f"stands twice; only {', '.join(self.kit)} may")
        names = [(role.verb, role.slot) for role in thing.roles]
        for verb, slot in names:
            if names.count((verb, slot)) > 1:
                raise self.wrong(f"{where}, role {verb!r}", "stands twice")

    def role(self, name: RoleName, role: Role) -> None:
        thing, verb, slot = name
        where = f"thing {thing!r}, role {verb!r}"
        if verb not in self.task.verbs:
            raise self.wrong(where, UnknownName("verb", verb, self.task.verbs, "the task's verbs"))
        if self.verbs[verb].takes_two == (slot == 0):
            raise self.wrong(where, f"slot {slot} does not fit the form {self.verbs[verb].form!r}")
        if thing in self.kit and (slot != 2 or role.needs or role.needs_left_out):
            raise self.wrong(where, f"any task may use a {thing}: it has slot 2 only, and no needs")
        if slot != 2 and (role.minutes < 1 or role.after is None or role.before is None):
            raise self.wrong(where, "needs at least 1 minute, and the states 'before' and 'after'")
        if slot == 2 and role.minutes:
            raise self.wrong(where, "a second object has 0 minutes")
        for need in (*role.needs, *role.needs_left_out):
            if need not in self.roles or need[2] == 2:
                known = [" ".join(map(str, name)) for name in self.roles if name[2] != 2]
                unknown = UnknownName("role", " ".join(map(str, need)), known)
                raise self.wrong(f"{where}, field 'needs'", unknown)

    def action(self, number: int, action: Action) -> None:
        where = f"action {' '.join((action.verb, *action.things))!r}"
        if action.verb not in self.task.verbs:
            raise self.wrong(where, UnknownName("verb", action.verb, self.task.verbs, "the task's verbs"))
        verb = self.verbs[action.verb]
        if len(action.things) != 1 + verb.takes_two:
            raise self.wrong(
                where, f"the form {verb.form!r} takes {'2 things' if verb.takes_two else '1 thing'}"
            )
        if len(set(action.things)) < len(action.things):
            raise self.wrong(where, "two different things are needed")
        for thing, _, slot in self.filled_by(action):
            if (thing, action.verb, slot) not in self.roles:
                raise self.wrong(where, f"{thing!r} has no role {action.verb!r} with slot {slot}")
        if any(self.filled_by(other)[0] == self.filled_by(action)[0] for other in self.task.actions[:number]):
            raise self.wrong(where, "stands twice")

    def each_role_with_minutes_has_an_action(self) -> None:
        if not self.task.actions:
            raise self.wrong("field 'actions'", "at least one action is needed")
        led = {self.filled_by(action)[0] for action in self.task.actions}
        for thing, verb, slot in self.roles:
            if slot != 2 and (thing, verb, slot) not in led:
                raise self.wrong("field 'actions'", f"no action for '{verb} {thing}'")

    def scripts_name_actions(self) -> None:
        texts = [self.text(action) for action in self.task.actions]
        for action, named in zip(self.task.actions, texts, strict=True):
            for text in action.script_after or ():
                if text not in texts:
                    unknown = UnknownName("action", text, texts)
                    raise self.wrong(f"action {named!r}, field 'script_after'", unknown)

    def needs_can_be_met(self) -> None:
        needs: dict[RoleName, set[RoleName]] = {}
        for action in self.task.actions:
            roles = [self.roles[name] for name in self.filled_by(action)]
            needs[self.filled_by(action)[0]] = {
                need for role in roles for need in (*role.needs, *role.needs_left_out)
            }
        try:
            TopologicalSorter(needs).prepare()
        except CycleError as error:
            texts = {self.filled_by(action)[0]: self.text(action) for action in self.task.actions}
            circle = shorten(", ".join(texts[name] for name in error.args[1]), LONGEST_MESSAGE)
            raise self.wrong("field 'needs'", f"goes round in a circle: {circle}") from error

    def filled_by(self, action: Action) -> list[RoleName]:
        """The roles of an action's things; the first one carries the minutes."""
        slots = (1, 2) if len(action.things) == 2 else (0,)
        return [(thing, action.verb, slot) for thing, slot in zip(action.things, slots, strict=False)]

    def text(self, action: Action) -> str:
        return self.verbs[action.verb].words(*action.things)
