"""The tables of one scenario under its rules: things, roles, requirements, required actions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from backburner.worlds.timearena.game.actions import Act
from backburner.worlds.timearena.game.naming import Item, items_of
from backburner.worlds.timearena.game.rule_set import Rules
from backburner.worlds.timearena.game.scenarios import Action, Role, RoleName, Scenario, Verb

NEVER = 10_000
"""Number of a role that does not exist; its bit is never set."""


class Part(NamedTuple):
    """A role of an item. ``bit`` is 0 for slot 2, which carries no progress.

    ``needs`` are the parts (by number) that must be finished, in the order in which they are looked
    at; a need that can never be met has the number ``NEVER``. ``on_itself``: they are all on the same
    thing.
    """

    item: Item
    role: Role
    number: int
    bit: int
    needs: tuple[int, ...]
    mask: int
    on_itself: bool


class Required(NamedTuple):
    """One required action of a task: its acts (several where kit may be chosen), what it waits for.

    ``after`` and ``script_after`` hold names of required actions: under the bound rules, and in the
    graph of the released oracle script. ``kit``: the kind of kit that it takes one of.
    """

    name: str
    acts: tuple[Act, ...]
    minutes: int
    occupies_agent: bool
    after: tuple[str, ...]
    script_after: tuple[str, ...]
    kit: str | None


class _Led(NamedTuple):
    """A task's action and the part that leads it, which carries its minutes."""

    task: int
    action: Action
    lead: Part
    seconds: tuple[str, ...]
    name: str
    kit: str | None


class Combination:
    """A scenario under its rules, as tables. Never changes."""

    def __init__(self, scenario: Scenario, rules: Rules) -> None:
        self.scenario = scenario
        self.rules = rules
        self.verbs: Mapping[str, Verb] = {verb.name: verb for verb in scenario.verbs}
        self.params: Mapping[str, Sequence[str]] = {
            verb.name: ("first", "second") if verb.takes_two else ("thing",) for verb in scenario.verbs
        }
        self.items = tuple(items_of(scenario, rules))
        self.item = {item.name: item for item in self.items}
        self.place = {item.name: 1 << position for position, item in enumerate(self.items)}
        self.parts = self._parts()
        self.part: Mapping[tuple[str, int, str], Part] = {
            (part.role.verb, part.role.slot, part.item.name): part for part in self.parts
        }
        self.total_minutes = sum(part.role.minutes for part in self.parts if part.bit)
        self.everything = sum(part.bit for part in self.parts)
        self.partners = self._allow_lists() if rules.allow_lists_leave_out_unrenamed else None
        self.required = tuple(self._required())
        self.pairs = frozenset(act for required in self.required for act in required.acts)

    # --- roles and what they need ----------------------------------------------------------------

    def _parts(self) -> tuple[Part, ...]:
        roles = [(item, role) for item in self.items for role in item.thing.roles]
        numbers: dict[RoleName, int] = {
            (item.name, role.verb, role.slot): number for number, (item, role) in enumerate(roles)
        }
        parts = []
        for number, (item, role) in enumerate(roles):
            named = role.needs if self.rules.requirements_left_out else (*role.needs, *role.needs_left_out)
            on_itself = all(thing == item.base for thing, _, _ in named)
            if on_itself:
                needs = tuple(numbers[item.name, verb, slot] for _, verb, slot in named)
            else:
                needs = tuple(numbers.get(need, NEVER) for need in self._renamed(named, item))
            parts.append(
                Part(
                    item=item,
                    role=role,
                    number=number,
                    bit=1 << number if role.slot != 2 else 0,
                    needs=needs,
                    mask=sum(1 << need for need in set(needs)),
                    on_itself=on_itself,
                )
            )
        return tuple(parts)

    def _renamed(self, needs: Iterable[RoleName], item: Item) -> list[RoleName]:
        """A list of needs with the names that things have here: first those that kept their names.

        The order decides only which reason is told first.
        """
        places = {other.name: place for place, other in enumerate(self.items)}
        found = [(self._name_for(base, item), verb, slot) for base, verb, slot in needs]
        return sorted(found, key=lambda need: places[need[0]] if self.item[need[0]].renamed else -1)

    def _name_for(self, base: str, item: Item) -> str:
        """What a list of ``item``'s needs calls the thing that its task knows as ``base``."""
        mine = [other for other in self.items if other.group == item.group]
        if self.rules.copies_share_requirements:
            # The release looks for the old name inside the new ones and takes the first: the first
            # copy's thing, or, for water and iron of doubled tasks, a watering can or an ironing board.
            return next((i.name for i in mine if i.renamed and base in i.name), base)
        return next(i.name for i in mine if i.base == base)

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
        if self.partners is not None:
            return second in self.partners and first not in self.partners[second]
        one, two = self.item[first], self.item[second]
        return not (one.kit or two.kit) and one.group != two.group

    # --- what is required ------------------------------------------------------------------------

    def _required(self) -> Iterator[Required]:
        """One for each action of each task, in their order."""
        led = [self._led(at, a) for at, task in enumerate(self.scenario.tasks) for a in task.actions]
        name_of = {each.lead.number: each.name for each in led}
        plainly = {(e.task, self.verbs[e.action.verb].words(*e.action.things)): e.name for e in led}
        for task, action, lead, seconds, name, kit in led:
            needs = lead.needs + (self.part[action.verb, 2, seconds[0]].needs if seconds[0] else ())
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
            )

    def _led(self, task: int, action: Action) -> _Led:
        first, *rest = (self._names_in(task, thing) for thing in action.things)
        seconds = rest[0] if rest else ("",)
        kit = action.things[1] if rest and action.things[1] in self.scenario.kit_names else None
        name = self.verbs[action.verb].words(first[0], kit or seconds[0])
        lead = self.part[action.verb, len(rest), first[0]]
        return _Led(task, action, lead, seconds, name, kit)

    def _names_in(self, task: int, base: str) -> tuple[str, ...]:
        """The names here of a task's thing; kit stands for all of its kind."""
        kit = base in self.scenario.kit_names
        return tuple(item.name for item in self.items if item.base == base and (kit or item.task == task))
