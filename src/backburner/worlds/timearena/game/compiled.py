"""A scenario compiled for its rules: its things, their roles, what each role needs, the required actions.

How things are named, as released: they are listed task by task, and a name that occurs more than once
gets ``_1``, ``_2`` ... at *all* of its occurrences. With ``kit="one"`` only the first pot, fryer and
oven stay. Things that were renamed, the kit aside, are *owned* by their task, and the briefing says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.worlds.timearena.game.rule_set import Rules
from backburner.worlds.timearena.game.scenarios import (
    Action,
    Role,
    RoleName,
    Scenario,
    Thing,
    ThingName,
    Verb,
    VerbName,
)
from backburner.worlds.timearena.game.state import Act

NEVER = 10_000
"""Number of a role that does not exist; its bit is never set."""


# --- things and their names ------------------------------------------------------------------------

Listed = list[tuple[int, Thing]]
"""(index of the task, thing) in the order of the tasks."""


class Item(NamedTuple):
    """A thing as it is called here (``name``) and in its task (``base``).

    ``task``: index of its task in the scenario. ``group``: things of one group belong together: those of
    a task, or of all its copies if it is given more than once and they share requirements. ``renamed``:
    it bears a number and is not kit.
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
    group = [ids.index(id) if rules.copies_share_requirements else task for task, id in enumerate(ids)]
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
    listed = [(index, thing) for index, task in enumerate(scenario.tasks) for thing in task.things]
    kit = _kit(scenario, listed)
    first: dict[ThingName, int] = {}
    for position, (_, thing) in enumerate(listed):
        first.setdefault(thing.name, position)
    return [
        (task, kit.get(thing.name, thing))
        for position, (task, thing) in enumerate(listed)
        if scenario.kit == "own" or thing.name not in kit or first[thing.name] == position
    ]


def _kit(scenario: Scenario, listed: Listed) -> dict[ThingName, Thing]:
    """A pot for each task or one for all: every pot can do what any pot of the scenario can."""
    roles: dict[ThingName, dict[tuple[VerbName, int], Role]] = {}
    for _, thing in listed:
        if thing.name in scenario.kit_names:
            for role in thing.roles:
                roles.setdefault(thing.name, {}).setdefault((role.verb, role.slot), role)
    return {name: Thing(name, tuple(by_name.values())) for name, by_name in roles.items()}


# --- roles and required actions --------------------------------------------------------------------


class ItemRole(NamedTuple):
    """A role of an item, the ``number``-th of all.

    ``bit`` stands for it in sets of finished roles: 8 for number 3, and 0 for slot 2, which carries no
    progress. ``needs``: numbers of the roles that must be finished, in the order in which they are looked
    at (``NEVER`` for one that can never be), and ``mask`` the set of them: 0b101 for numbers 0 and 2.
    ``on_itself``: all needs are roles of the same item.
    """

    item: Item
    role: Role
    number: int
    bit: int
    needs: tuple[int, ...]
    mask: int
    on_itself: bool


class Required(NamedTuple):
    """One action of a task: its acts (several where kit may be chosen), what it waits for.

    ``after`` and ``script_after`` hold names of actions: under these rules, and in the graph of the released
    oracle script. ``kit``: the kind of kit that it takes one of. ``spare``: nobody requires it.
    """

    name: str
    acts: tuple[Act, ...]
    minutes: int
    occupies_agent: bool
    after: tuple[str, ...]
    script_after: tuple[str, ...]
    kit: str | None
    spare: bool


class _Led(NamedTuple):
    """A task's action and the role that leads it, which carries its minutes."""

    task: int
    action: Action
    lead: ItemRole
    seconds: tuple[str, ...]
    name: str
    kit: str | None


class Compiled:
    """A scenario under its rules, as tables that never change.

    ``params``: what the things of each verb are called on menus. ``items``, and ``item`` by name;
    ``thing_bit``: the bit of each in sets of things, 4 for the third. ``roles``, by number, and ``role`` by
    (verb, slot, name of the item). ``everything``: the set of all roles that carry progress,
    ``total_minutes`` what they take; both without what is spare. ``allow_lists``: second thing to the first
    things that it accepts, where the rules go by them. ``actions``: those of the tasks, ``required`` the ones
    that are not spare, ``pairs`` all acts that may do any of them.
    """

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.verbs: Mapping[str, Verb] = {verb.name: verb for verb in scenario.verbs}
        self.params: Mapping[str, Sequence[str]] = {
            verb.name: ("first", "second") if verb.takes_two else ("thing",) for verb in scenario.verbs
        }
        self.items = tuple(items_of(scenario, rules))
        self.item = {item.name: item for item in self.items}
        self.thing_bit = {item.name: 1 << index for index, item in enumerate(self.items)}
        self.roles = self._roles()
        self.role: Mapping[tuple[str, int, str], ItemRole] = {
            (each.role.verb, each.role.slot, each.item.name): each for each in self.roles
        }
        self.allow_lists = self._allow_lists() if rules.allow_lists_leave_out_unrenamed else None
        led = [self._led(index, a) for index, task in enumerate(scenario.tasks) for a in task.actions]
        spare = sum({each.lead.bit for each in led if each.action.spare})
        self.everything = sum(each.bit for each in self.roles) & ~spare
        self.total_minutes = sum(each.role.minutes for each in self.roles if each.bit & self.everything)
        self.actions = tuple(self._actions(led))
        self.required = tuple(action for action in self.actions if not action.spare)
        self.pairs = frozenset(act for action in self.actions for act in action.acts)

    # --- roles and what they need ----------------------------------------------------------------

    def _roles(self) -> tuple[ItemRole, ...]:
        roles = [(item, role) for item in self.items for role in item.thing.roles]
        numbers: dict[RoleName, int] = {
            (item.name, role.verb, role.slot): number for number, (item, role) in enumerate(roles)
        }
        compiled = []
        for number, (item, role) in enumerate(roles):
            named = role.needs if self.rules.requirements_left_out else (*role.needs, *role.needs_left_out)
            on_itself = all(thing == item.base for thing, _, _ in named)
            if on_itself:
                needs = tuple(numbers[item.name, verb, slot] for _, verb, slot in named)
            else:
                needs = tuple(numbers.get(need, NEVER) for need in self._renamed(named, item))
            compiled.append(
                ItemRole(
                    item=item,
                    role=role,
                    number=number,
                    bit=1 << number if role.slot != 2 else 0,
                    needs=needs,
                    mask=sum(1 << need for need in set(needs)),
                    on_itself=on_itself,
                )
            )
        return tuple(compiled)

    def _renamed(self, needs: Iterable[RoleName], item: Item) -> list[RoleName]:
        """A list of needs with the names that things have here: first those that kept their names.

        The order decides only which reason is told first.
        """
        position = {other.name: index for index, other in enumerate(self.items)}
        renamed = [(self._name_for(base, item), verb, slot) for base, verb, slot in needs]
        return sorted(renamed, key=lambda need: position[need[0]] if self.item[need[0]].renamed else -1)

    def _name_for(self, base: str, item: Item) -> str:
        """What a list of ``item``'s needs calls the thing that its task knows as ``base``."""
        group = [other for other in self.items if other.group == item.group]
        if self.rules.copies_share_requirements:
            # The release looks for the old name inside the new ones and takes the first: the first
            # copy's thing, or, for water and iron of doubled tasks, a watering can or an ironing board.
            return next((i.name for i in group if i.renamed and base in i.name), base)
        return next(i.name for i in group if i.base == base)

    # --- what goes together ----------------------------------------------------------------------

    def _allow_lists(self) -> dict[str, frozenset[str]]:
        """Second thing to the first things it accepts. The released lists hold renamed things only."""
        lists: dict[str, set[str]] = {}
        for first in (item for item in self.items if item.renamed):
            verbs = {role.verb for role in first.thing.roles if role.slot == 1}
            for second in self.items:
                takes = any(role.slot == 2 and role.verb in verbs for role in second.thing.roles)
                if takes and second.group == first.group and not self._sounds_like_kit(second.name):
                    lists.setdefault(second.name, set()).add(first.name)
        return {name: frozenset(firsts) for name, firsts in lists.items()}

    def _sounds_like_kit(self, name: str) -> bool:
        """The release looks for the kit's names anywhere in a name, so a teapot passes for a pot."""
        return any(kit in name for kit in self.scenario.kit_names)

    def kept_apart(self, first: str, second: str) -> bool:
        """Whether the rules refuse the pair because the second thing is another task's."""
        if self.allow_lists is not None:
            return second in self.allow_lists and first not in self.allow_lists[second]
        one, two = self.item[first], self.item[second]
        return not (one.kit or two.kit) and one.group != two.group

    # --- what is required, and what can be done besides --------------------------------------------

    def _actions(self, led: Sequence[_Led]) -> Iterator[Required]:
        """One for each action of each task, in their order."""
        name_of = {each.lead.number: each.name for each in led}
        plainly = {(e.task, self.verbs[e.action.verb].words(*e.action.things)): e.name for e in led}
        for task, action, lead, seconds, name, kit in led:
            needs = lead.needs + (self.role[action.verb, 2, seconds[0]].needs if seconds[0] else ())
            after = tuple(name_of[need] for need in dict.fromkeys(needs) if need != NEVER)
            script = action.script_after
            yield Required(
                name=name,
                acts=tuple(Act(action.verb, lead.item.name, second) for second in seconds),
                minutes=lead.role.minutes,
                occupies_agent=bool(self.verbs[action.verb].occupies_agent),
                after=after,
                script_after=after if script is None else tuple(plainly[task, text] for text in script),
                kit=kit,
                spare=action.spare,
            )

    def _led(self, task: int, action: Action) -> _Led:
        first, *rest = (self._names_in(task, thing) for thing in action.things)
        seconds = rest[0] if rest else ("",)
        kit = action.things[1] if rest and action.things[1] in self.scenario.kit_names else None
        name = self.verbs[action.verb].words(first[0], kit or seconds[0])
        lead = self.role[action.verb, len(rest), first[0]]
        return _Led(task, action, lead, seconds, name, kit)

    def _names_in(self, task: int, base: str) -> tuple[str, ...]:
        """What a task's thing is called here; a piece of kit has the names of all of its kind."""
        kit = base in self.scenario.kit_names
        return tuple(item.name for item in self.items if item.base == base and (kit or item.task == task))
