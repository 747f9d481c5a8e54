"""A user's scenario file, or the scenario of a record: read, and checked once; then the rules trust it.

Most of the checks stand beside the structs (see ``kernel.checks``). Here is what verbs and tasks must be
besides, so that they can be told apart, read back and done.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import UNSET, Struct, UnsetType

from backburner.kernel.checks import FileId, circle, refers_to
from backburner.kernel.errors import shorten
from backburner.kernel.files import Place, converted
from backburner.worlds.timearena.game.scenarios import (
    NUMBER_OF_TASKS,
    TOGETHER,
    Action,
    KitNames,
    Limit,
    Role,
    RoleName,
    Scenario,
    Task,
    Thing,
    ThingName,
    Verb,
    VerbName,
    Verbs,
    scenario_of,
    shipped_tasks,
    shipped_verbs,
)

ShippedTask = Annotated[str, refers_to("task", shipped_tasks)]


class ScenarioFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Tasks of ours by id or written out in full, and verbs of the user's own.

    ``kit_names``: the things that any task may use and that may stand several times in one, in place of pot,
    fryer and oven. ``limit``: the minute at which play ends, in place of the article's 40 minutes a task.
    """

    world: str
    id: FileId
    tasks: Annotated[tuple[ShippedTask | Task, ...], NUMBER_OF_TASKS, TOGETHER]
    verbs: Verbs = ()
    kit: Literal["own", "one"] = "own"
    kit_names: KitNames | None = None
    limit: Limit | UnsetType = UNSET

    @property
    def known_verbs(self) -> dict[VerbName, Verb]:
        """The shipped verbs, and the user's own in place of those of the same name."""
        return {**shipped_verbs(), **{verb.name: verb for verb in self.verbs}}


FILE_TYPES: Mapping[str, Any] = {"scenario": ScenarioFile}
"""The files that users write, by the name of their schema."""


def read_file(raw: Mapping[str, Any], source: str) -> tuple[str, Scenario]:
    """(path, scenario) of a user's scenario file; raises ``BadFile`` naming item and field."""
    place = Place(source)
    file = converted(raw, ScenarioFile, place)
    tasks = [item if isinstance(item, Task) else shipped_tasks()[item] for item in file.tasks]
    scenario = scenario_of(tasks, file.kit, file.known_verbs, file.kit_names, file.limit)
    check_verbs(file.verbs, place)
    _check_tasks(tasks, file.known_verbs, scenario.kit_names, place)
    return file.id, scenario


def check_scenario(scenario: Scenario, place: Place) -> None:
    """Whether the rules can trust a scenario that was written down elsewhere; raises ``BadFile``."""
    check_verbs(scenario.verbs, place)
    _check_tasks(scenario.tasks, scenario.known_verbs, scenario.kit_names, place)


def check_verbs(verbs: Sequence[Verb], place: Place) -> None:
    """Whether the verbs can be told apart and read back; raises ``BadFile`` naming verb and field."""
    for here, verb in place.entries("verbs", verbs):
        words = re.fullmatch(r"([a-z_]+) OBJ(?:1 ([a-z_]+) OBJ2)?", verb.form)
        if words is None or verb.name != " ".join(filter(None, words.groups())):
            raise here.field("form").wrong(f"{verb.form!r} is not this verb with OBJ, or with OBJ1 and OBJ2")
        if {"wait", "quit", "exit"} & set(re.split("[ _]", verb.name)):
            raise here.field("name").wrong("wait, quit and exit have meanings of their own")


def _check_tasks(
    tasks: Sequence[Task], verbs: Mapping[VerbName, Verb], kit: Sequence[ThingName], place: Place
) -> None:
    by_id = {task.id: task for task in tasks}
    for here, task in place.entries("tasks", tasks):
        if by_id[task.id] != task:
            raise here.wrong("two different tasks have this id")
        check_task(task, verbs, kit, here)


def check_task(task: Task, verbs: Mapping[VerbName, Verb], kit: Sequence[ThingName], place: Place) -> None:
    """Whether everything that a task names fits together; raises ``BadFile`` naming the field."""
    check = _Check(task, verbs, kit, place)
    check.verbs_say_who_is_busy()
    for here, thing in place.entries("things", task.things):
        check.thing(thing, here)
    for here, action in place.entries("actions", task.actions):
        check.action(action, here)
    check.each_role_with_minutes_has_one_action()
    check.scripts_name_actions()
    check.needs_can_be_met()
    check.what_is_spare_is_needed_by_nobody()


class _Check:
    """The checks of one task; each raises ``BadFile``."""

    def __init__(
        self, task: Task, verbs: Mapping[VerbName, Verb], kit: Sequence[ThingName], place: Place
    ) -> None:
        self.task = task
        self.verbs = verbs
        self.kit = kit
        self.place = place
        self.roles: dict[RoleName, Role] = {
            (thing.name, role.verb, role.slot): role for thing in task.things for role in thing.roles
        }

    def verbs_say_who_is_busy(self) -> None:
        for here, verb in self.place.entries("verbs", self.task.verbs):
            if self.verbs[verb].occupies_agent is None:
                raise here.wrong("nothing says whether it occupies the agent")

    def thing(self, thing: Thing, here: Place) -> None:
        if thing.name not in self.kit and sum(other.name == thing.name for other in self.task.things) > 1:
            raise here.wrong(f"stands twice; only {', '.join(self.kit)} may")
        for of_role, role in here.entries("roles", thing.roles):
            self.role(thing.name, role, of_role)

    def role(self, thing: ThingName, role: Role, here: Place) -> None:
        slot, form = role.slot, self.verbs[role.verb].form
        if self.verbs[role.verb].takes_two == (slot == 0):
            raise here.field("slot").wrong(f"slot {slot} does not fit the form {form!r}")
        if thing in self.kit and (slot != 2 or role.needs or role.needs_left_out):
            raise here.wrong(f"any task may use a {thing}: it has slot 2 only, and no needs")
        if slot != 2 and (role.minutes < 1 or role.after is None or role.before is None):
            raise here.wrong("needs at least 1 minute, and the states 'before' and 'after'")
        if slot == 2 and role.minutes:
            raise here.field("minutes").wrong("a second object has 0 minutes")

    def action(self, action: Action, here: Place) -> None:
        verb = self.verbs[action.verb]
        if len(action.things) != 1 + verb.takes_two:
            takes = "2 things" if verb.takes_two else "1 thing"
            raise here.field("things").wrong(f"the form {verb.form!r} takes {takes}")
        for thing, _, slot in self.filled_by(action):
            if (thing, action.verb, slot) not in self.roles:
                raise here.field("things").wrong(f"{thing!r} has no role {action.verb!r} with slot {slot}")

    def each_role_with_minutes_has_one_action(self) -> None:
        led: dict[RoleName, Action] = {}
        for here, action in self.place.entries("actions", self.task.actions):
            if self.filled_by(action)[0] in led:
                raise here.wrong(f"{self.text(action)!r} stands here twice")
            led[self.filled_by(action)[0]] = action
        for thing, verb, slot in self.task.led_roles:
            if (thing, verb, slot) not in led:
                raise self.place.field("actions").wrong(f"no action for '{verb} {thing}'")

    def scripts_name_actions(self) -> None:
        texts = [self.text(action) for action in self.task.actions]
        for here, action in self.place.entries("actions", self.task.actions):
            for text in action.script_after or ():
                if text not in texts:
                    raise here.field("script_after").unknown("action", text, texts)

    def needs_can_be_met(self) -> None:
        needs: dict[RoleName, list[RoleName]] = {}
        for action in self.task.actions:
            roles = [self.roles[name] for name in self.filled_by(action)]
            needs[self.filled_by(action)[0]] = [
                need for role in roles for need in (*role.needs, *role.needs_left_out)
            ]
        if found := circle(needs):
            texts = {self.filled_by(action)[0]: self.text(action) for action in self.task.actions}
            told = shorten(" needs ".join(texts[name] for name in found), 300)
            raise self.place.field("actions").wrong(f"a circle: {told}")

    def what_is_spare_is_needed_by_nobody(self) -> None:
        spare = {self.filled_by(action)[0]: self.text(action) for action in self.task.actions if action.spare}
        if len(spare) == len(self.task.actions):
            raise self.place.field("actions").wrong("every action is spare; at least one is required")
        for here, action in self.place.entries("actions", self.task.actions):
            roles = [self.roles[name] for name in self.filled_by(action) if not action.spare]
            for need in (need for role in roles for need in (*role.needs, *role.needs_left_out)):
                if need in spare:
                    raise here.wrong(f"{self.text(action)!r} needs {spare[need]!r}, which is spare")

    def filled_by(self, action: Action) -> list[RoleName]:
        """The roles of an action's things; the first one carries the minutes."""
        slots = (1, 2) if len(action.things) == 2 else (0,)
        return [(thing, action.verb, slot) for thing, slot in zip(action.things, slots, strict=False)]

    def text(self, action: Action) -> str:
        return self.verbs[action.verb].words(*action.things)
