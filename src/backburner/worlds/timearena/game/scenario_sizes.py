"""How much a scenario may hold, and how long what is written in it may be.

Checked before anything else, so that the other checks and the rules are quick whatever somebody has written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backburner.kernel.errors import BadFile, shorten
from backburner.kernel.files import CONTROL
from backburner.worlds.timearena.game.scenarios import MOST_TASKS, Task, Thing, ThingName, Verb

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
