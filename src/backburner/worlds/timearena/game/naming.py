"""How the things of a combination are named, and whose they are.

As released: things are listed task by task; a name that occurs more than once gets ``_1``, ``_2`` ...
at *all* of its occurrences. With ``kit="one"`` only the first pot, fryer and oven stay. Things that
were renamed, the kit aside, are *owned* by their task and the briefing says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from backburner.worlds.timearena.game.rule_set import Rules
from backburner.worlds.timearena.game.scenarios import Role, Scenario, Thing, ThingName, VerbName

Listed = list[tuple[int, Thing]]
"""(place of the task, thing) in the order of the tasks."""


class Item(NamedTuple):
    """A thing of the combination. ``renamed``: it bears a number and is not kit.

    ``task``: place of its task in the scenario. ``group``: things of one group belong together; that
    is the task, or all copies of a task that is given more than once and shares its requirements.
    """

    name: str
    base: str
    task: int
    group: int
    kit: bool
    renamed: bool
    thing: Thing


def items_of(scenario: Scenario, rules: Rules) -> Iterator[Item]:
    """The things of all tasks under their names."""
    ids = [task.id for task in scenario.tasks]
    group = [ids.index(id) if rules.copies_share_requirements else place for place, id in enumerate(ids)]
    # Copies that share a group are listed together, where the first of them stands.
    listed = sorted(_listed(scenario), key=lambda entry: group[entry[0]])
    times = Counter(thing.name for _, thing in listed)
    number: Counter[str] = Counter()
    for task, thing in listed:
        number[thing.name] += 1
        repeated = times[thing.name] > 1
        kit = thing.name in scenario.kit_names
        yield Item(
            name=f"{thing.name}_{number[thing.name]}" if repeated else thing.name,
            base=thing.name,
            task=task,
            group=group[task],
            kit=kit,
            renamed=repeated and not kit,
            thing=thing,
        )


def _listed(scenario: Scenario) -> Listed:
    """The things of all tasks; if there is one kit for all, of each kind of it only the first."""
    listed = [(place, thing) for place, task in enumerate(scenario.tasks) for thing in task.things]
    kit = _kit(scenario, listed)
    first: dict[ThingName, int] = {}
    for at, (_, thing) in enumerate(listed):
        first.setdefault(thing.name, at)
    return [
        (place, kit.get(thing.name, thing))
        for at, (place, thing) in enumerate(listed)
        if scenario.kit == "own" or thing.name not in kit or first[thing.name] == at
    ]


def _kit(scenario: Scenario, listed: Listed) -> dict[ThingName, Thing]:
    """A pot for each task or one for all: every pot can do what any pot of the scenario can."""
    roles: dict[ThingName, dict[tuple[VerbName, int], Role]] = {}
    for _, thing in listed:
        if thing.name in scenario.kit_names:
            for role in thing.roles:
                roles.setdefault(thing.name, {}).setdefault((role.verb, role.slot), role)
    return {name: Thing(name, tuple(found.values())) for name, found in roles.items()}
