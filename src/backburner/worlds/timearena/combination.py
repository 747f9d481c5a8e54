"""The tables of one scenario: names, owners, roles and requirements, compiled once.

Naming (released program): things are listed task by task; a name that occurs more than once gets
``_1``, ``_2`` ... at *all* of its occurrences. With ``kit="one"`` only the first pot, fryer and oven
stay. Things that were renamed, the kit aside, are *owned* by their task and the briefing says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from backburner.worlds.timearena.actions import Act
from backburner.worlds.timearena.rule_set import Rules
from backburner.worlds.timearena.scenarios import Role, RoleName, Scenario, Task, Thing, Verb


class Item(NamedTuple):
    """A thing of the combination. ``renamed``: it bears a number and is not kit."""

    name: str
    base: str
    task: int
    group: int
    kit: bool
    renamed: bool
    thing: Thing


class Part(NamedTuple):
    """A role of an item. ``bit`` is 0 for slot 2, which carries no progress.

    ``needs`` are the parts (by index) that must be finished, in the order in which they are looked
    at; a need that names a role which is not there can never be met and has index ``NEVER``.
    ``on_itself``: the need is on the same thing (it only matters for the reason that is given).
    """

    item: Item
    role: Role
    index: int
    bit: int
    needs: tuple[int, ...]
    mask: int
    on_itself: bool


class Required(NamedTuple):
    """One required action of a task: its acts (several where kit may be chosen), what it waits for.

    ``after`` and ``script_after`` hold names of required actions: under the bound rules, and in the
    graph of the released oracle script.
    """

    name: str
    acts: tuple[Act, ...]
    minutes: int
    occupies_agent: bool
    after: tuple[str, ...]
    script_after: tuple[str, ...]
    kit: str | None


class Combination:
    """A scenario under its rules, as tables. Never changes."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.verbs: Mapping[str, Verb] = {verb.name: verb for verb in scenario.verbs}
        self.items = tuple(_items(scenario, rules))
        self.item = {item.name: item for item in self.items}
        self.place = {item.name: 1 << position for position, item in enumerate(self.items)}
        self.parts, self.part = self._compile_parts()
        self.total_minutes = sum(part.role.minutes for part in self.parts if part.bit)
        self.everything = sum(part.bit for part in self.parts)
        self.partners = self._allow_lists() if rules.allow_lists_leave_out_unrenamed else None
        self.required = tuple(self._required())
        self.pairs = frozenset(act for required in self.required for act in required.acts)

    def _compile_parts(self) -> tuple[tuple[Part, ...], dict[tuple[str, int, str], Part]]:
        slots = [(item, role) for item in self.items for role in item.thing.roles]
        index = {(item.name, role.verb, role.slot): i for i, (item, role) in enumerate(slots)}
        parts = []
        for number, (item, role) in enumerate(slots):
            names = role.needs if self.rules.requirements_left_out else (*role.needs, *role.needs_left_out)
            on_itself = all(need[0] == item.base for need in names)
            needs = tuple(index.get(self._rename(need, item), NEVER) for need in self._order(names, item))
            mask = sum(1 << need for need in dict.fromkeys(needs))
            bit = 1 << number if role.slot != 2 else 0
            parts.append(Part(item, role, number, bit, needs, mask, on_itself))
        return tuple(parts), {(p.role.verb, p.role.slot, p.item.name): p for p in parts}

    def _order(self, needs: Iterable[RoleName], item: Item) -> list[RoleName]:
        """Rewritten requirements come last; this decides only which reason is named first."""
        return sorted(needs, key=lambda need: self._rename(need, item)[0] != need[0])

    def _rename(self, need: RoleName, item: Item) -> RoleName:
        """The need with the name that its thing has in this combination."""
        base, verb, slot = need
        if base == item.base:
            return item.name, verb, slot
        mine = [other for other in self.items if other.group == item.group and other.renamed]
        if self.rules.copies_share_requirements:
            # The release looks for the old name anywhere inside a new one and takes the first.
            name = next((other.name for other in mine if base in other.name), base)
        else:
            name = next((other.name for other in mine if base == other.base), base)
        return name, verb, slot

    def _allow_lists(self) -> dict[str, frozenset[str]]:
        """Second thing to the first things it accepts. The released lists hold renamed things only."""
        lists: dict[str, set[str]] = {}
        for first in (item for item in self.items if item.renamed):
            verbs = {role.verb for role in first.thing.roles if role.slot == 1}
            for second in self.items:
                takes = any(role.slot == 2 and role.verb in verbs for role in second.thing.roles)
                if takes and second.group == first.group and not second.kit:
                    lists.setdefault(second.name, set()).add(first.name)
        return {name: frozenset(firsts) for name, firsts in lists.items()}

    def kept_apart(self, first: str, second: str) -> bool:
        """Whether the rules refuse the pair because the second thing is another task's."""
        if self.partners is not None:
            return second in self.partners and first not in self.partners[second]
        one, two = self.item[first], self.item[second]
        return not (one.kit or two.kit) and one.group != two.group

    def _required(self) -> Iterable[Required]:
        for position, task in enumerate(self.scenario.tasks):
            names = self._task_names(position, task)
            for action in task.actions:
                verb = self.verbs[action.verb]
                first = names[action.things[0]][0]
                seconds = names[action.things[1]] if len(action.things) > 1 else ("",)
                part = self.part[action.verb, 1 if verb.takes_two else 0, first]
                second_parts = [self.part[action.verb, 2, name] for name in seconds if name]
                needs = dict.fromkeys((*part.needs, *(n for p in second_parts[:1] for n in p.needs)))
                after = tuple(self._required_name(self.parts[n]) for n in needs if n != NEVER)
                script = self._script_names(task, names, action.script_after)
                yield Required(
                    name=self._required_name(part),
                    acts=tuple(Act(action.verb, first, second) for second in seconds),
                    minutes=part.role.minutes,
                    occupies_agent=bool(verb.occupies_agent),
                    after=after,
                    script_after=after if script is None else script,
                    kit=self.item[seconds[0]].base if seconds[0] and self.item[seconds[0]].kit else None,
                )

    def _task_names(self, position: int, task: Task) -> dict[str, tuple[str, ...]]:
        """A task's thing by its plain name to its names here; kit stands for all of its kind."""
        names: dict[str, tuple[str, ...]] = {}
        for thing in task.things:
            if thing.name in self.scenario.kit_names:
                names[thing.name] = tuple(item.name for item in self.items if item.base == thing.name)
            else:
                mine = (i.name for i in self.items if i.base == thing.name and i.task == position)
                names[thing.name] = tuple(mine)
        return names

    def _required_name(self, part: Part) -> str:
        """A role with minutes is one required action; this is what that action is called."""
        verb = self.verbs[part.role.verb]
        if part.role.slot == 0:
            return verb.words(part.item.name)
        task = self.scenario.tasks[part.item.task]
        plain = next(
            a.things[1] for a in task.actions if a.verb == verb.name and a.things[0] == part.item.base
        )
        mine = [i.name for i in self.items if i.base == plain and i.task == part.item.task]
        return verb.words(part.item.name, plain if plain in self.scenario.kit_names else mine[0])

    def _script_names(
        self, task: Task, names: Mapping[str, tuple[str, ...]], after: tuple[str, ...] | None
    ) -> tuple[str, ...] | None:
        if after is None:
            return None
        plain = {self.verbs[a.verb].words(*a.things): a for a in task.actions}
        waited_for = (plain[text] for text in after)
        return tuple(
            self._required_name(
                self.part[a.verb, 1 if len(a.things) > 1 else 0, names[a.things[0]][0]]
            )
            for a in waited_for
        )


NEVER = 10_000
"""Index of a role that does not exist; its bit is never set."""


def _items(scenario: Scenario, rules: Rules) -> Iterable[Item]:
    listed = [(task, thing) for task in range(len(scenario.tasks)) for thing in scenario.tasks[task].things]
    if scenario.kit == "one":
        seen: set[str] = set()
        kept = []
        for task, thing in listed:
            if thing.name not in scenario.kit_names or thing.name not in seen:
                kept.append((task, thing))
            seen.add(thing.name)
        listed = kept
    counts = Counter(thing.name for _, thing in listed)
    number: Counter[str] = Counter()
    first_of = {task.id: scenario.tasks.index(task) for task in scenario.tasks}
    for task, thing in listed:
        repeated = counts[thing.name] > 1
        number[thing.name] += 1
        kit = thing.name in scenario.kit_names
        yield Item(
            name=f"{thing.name}_{number[thing.name]}" if repeated else thing.name,
            base=thing.name,
            task=task,
            group=first_of[scenario.tasks[task].id] if rules.copies_share_requirements else task,
            kit=kit,
            renamed=repeated and not kit,
            thing=thing,
        )
