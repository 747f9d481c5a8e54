"""How far a kitchen has come towards its goal, and which things had best stand for the goal's variables.

A first assignment of things is improved step by step: another thing for one variable, or things between which
one of the goal's literals holds already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from backburner.worlds.robotouille.game.schema import PLAYER, STATION
from backburner.worlds.robotouille.game.state import Atom, Kitchen, Running
from backburner.worlds.robotouille.oracle.recipe_follower.achievers import CARRY, Achievers
from backburner.worlds.robotouille.oracle.recipe_follower.assembly import Assembly, Indices

Choice = tuple[int, ...]
"""For each variable of the goal the index of a thing, or ``UNMADE``."""

UNMADE = -1
HOPELESS = 1000
"""Steps for what nothing can bring about."""


class Situation:
    """``held``: the goal's literals that hold; ``unready``: the variables on which work is left to be done;
    ``sound``: the relations that hold and may stay so."""

    def __init__(self, achievers: Achievers, assembly: Assembly, kitchen: Kitchen, choice: Choice) -> None:
        self.achievers = achievers
        self.assembly = assembly
        self.kitchen = kitchen
        self.choice = choice
        self.layout = achievers.compiled.layout(kitchen)
        literals = achievers.compiled.goal.positive
        self.held: Indices = frozenset(
            term for term in range(len(literals)) if self.bit(term) & kitchen.facts
        )
        open_work = assembly.work - self.held
        self.unready: Indices = frozenset(
            variable for term in open_work for variable in literals[term].variables
        )
        self.sound = assembly.sound(self.held, self.unready)

    def atom(self, term: int) -> Atom | None:
        """The fact that a literal asks for, if all its things are there."""
        literal = self.achievers.compiled.goal.positive[term]
        things = tuple([self.choice[variable] for variable in literal.variables])
        return None if UNMADE in things else (literal.predicate, things)

    def bit(self, term: int) -> int:
        """The bit of a literal's fact; 0 if a thing of it is not there."""
        atom = self.atom(term)
        return self.layout.bit(*atom) if atom is not None else 0

    def bits(self, literals: Indices) -> int:
        """The bits of the facts of several literals."""
        found = 0
        for term in literals:
            found |= self.bit(term)
        return found

    def neighbours(self, thing: int) -> set[int]:
        """What a thing is related to by a fact that may change: where it lies, what is on it, who has it."""
        tied = self.kitchen.facts & self.layout.about[thing] & ~self.achievers.static(self.layout)
        return {other for _, args in self.layout.true_atoms(tied) for other in args} - {thing}

    def goes_on(self, atom: Atom) -> bool:
        """Whether the work for a fact goes on by itself."""
        bit, effects = self.layout.bit(*atom), self.achievers.compiled.effects
        return any(
            any(part.adds & bit for part in effects.ground_nodes(self.layout, one.effect, one.args))
            for one in self.running()
        )

    def running(self) -> Iterator[Running]:
        """The effects that go on by themselves."""
        effects, kitchen = self.achievers.compiled.effects, self.kitchen
        for one in kitchen.effects:
            given = one.args[: effects.effects[one.effect].n_given]
            if effects.runs(self.layout, kitchen, one.effect, given):
                yield one

    def missing(self) -> Counter[str]:
        """How many things of each kind have yet to be made."""
        variables = zip(self.achievers.compiled.goal.variables, self.choice, strict=True)
        return Counter(variable.kind for variable, thing in variables if thing == UNMADE)

    def being_made(self, kind: str) -> int:
        """How many things of a kind are made at the moment."""
        effects = self.achievers.compiled.effects.effects
        return sum(
            any(
                node.made_name == kind and not one.counts[node.index]
                for node in effects[one.effect].root.walk()
            )
            for one in self.running()
        )

    def kept(self) -> int:
        """Facts not to be undone: sound relations, looks of what is done, conditions of what goes on."""
        effects = self.achievers.compiled.effects
        done = self.assembly.looks & self.held if not self.assembly.relations - self.sound else frozenset()
        kept = self.bits(self.sound | done)
        for one in self.running():
            for part in effects.ground_nodes(self.layout, one.effect, one.args):
                kept |= part.needs
        return kept

    def finished(self) -> frozenset[int]:
        """Things that have been carried to where they stay."""
        return frozenset(self.choice[variable] for variable in self.assembly.carried(self.sound))

    def misplaced(self) -> frozenset[int]:
        """Things that are to be carried somewhere, and are not there yet."""
        assembly = self.assembly
        carried = assembly.carried(assembly.relations) - assembly.carried(self.sound)
        return frozenset(self.choice[variable] for variable in carried)

    def cost(self) -> int:
        """About how many steps are left to be done."""
        goal, facts = self.achievers.compiled.goal, self.kitchen.facts
        total = CARRY * len(self.assembly.relations - self.sound) + len(self.assembly.looks - self.held)
        for term in range(len(goal.positive)):
            atom = self.atom(term)
            if atom is not None and term not in self.held and term not in self.assembly.looks:
                steps = self.achievers.steps(self.layout, facts, atom)
                total += HOPELESS if steps is None else steps if term in self.assembly.work else 0
            elif atom is None:
                total += CARRY
        for literal in goal.negative:
            things = tuple([self.choice[variable] for variable in literal.variables])
            total += HOPELESS if facts & self.layout.bit(literal.predicate, things) else 0
        for variable, thing in enumerate(self.choice):
            if thing != UNMADE:
                total += self._in_the_way(thing)
            else:
                total += CARRY if goal.variables[variable].kind in self.achievers.making else HOPELESS
        return total

    def _in_the_way(self, thing: int) -> int:
        """About how many steps it takes to clear away what is on a thing and has no business there."""
        things = self.layout.objects
        settled = {other for term in self.sound for other in self._things(term)}
        is_place = things[thing].type == STATION
        foreign = sum(
            things[other].type not in (PLAYER, STATION) and other not in settled
            for other in self.neighbours(thing)
        )
        return foreign * (CARRY - 1 if is_place else 1)

    def _things(self, term: int) -> tuple[int, ...]:
        atom = self.atom(term)
        return () if atom is None else atom[1]


REMEMBERED = 256
"""Choices that are kept in mind."""


class Chooser:
    """Chooses things for the goal of one problem."""

    def __init__(self, achievers: Achievers, assembly: Assembly) -> None:
        self._achievers = achievers
        self._assembly = assembly
        self._goal = achievers.compiled.goal
        self._in_agreement = len(achievers.compiled.robots) > 1
        self.choices = lru_cache(maxsize=REMEMBERED)(self._choices)
        """``_choices``, with its answers kept."""

    def _choices(self, kitchen: Kitchen, before: Choice | None = None) -> tuple[Choice, ...]:
        """A choice that no single change makes better, then those that are as good and a change away.

        ``before``: where to begin. Robots in a team have to agree: of choices as good as each other they
        take the one that sorts first.
        """
        fitting = self._fitting(kitchen)
        choice = before or self._first(fitting)
        best = self._cost(kitchen, choice)
        while True:
            better, as_good = False, [choice]
            for changes in self._changes(kitchen, fitting):
                other = _changed(choice, changes, fitting)
                if other is not None and other not in as_good:
                    cost = self._cost(kitchen, other)
                    if cost < best or (self._in_agreement and cost == best and other < choice):
                        choice, best, better = other, cost, True
                    elif cost == best:
                        as_good.append(other)
            if not better:
                return tuple(as_good)

    def _fitting(self, kitchen: Kitchen) -> list[list[int]]:
        """For each variable the things that may stand for it."""
        layout = self._achievers.compiled.layout(kitchen)
        return [
            [thing for thing in self._goal.candidates(layout, variable) if not kitchen.gone >> thing & 1]
            for variable in range(len(self._goal.variables))
        ]

    def _cost(self, kitchen: Kitchen, choice: Choice) -> int:
        return Situation(self._achievers, self._assembly, kitchen, choice).cost()

    def _first(self, fitting: list[list[int]]) -> Choice:
        """The first thing that is free for each variable."""
        choice: Choice = ()
        for things in fitting:
            choice += (next((thing for thing in things if thing not in choice), UNMADE),)
        return choice

    def _changes(self, kitchen: Kitchen, fitting: list[list[int]]) -> Iterator[dict[int, int]]:
        """Things for variables: for those of a literal that holds of them, then also for what hangs on it;
        for each variable by itself."""
        layout = self._achievers.compiled.layout(kitchen)
        facts = [
            (literal.variables, things)
            for literal in self._goal.positive
            if len(literal.variables) > 1
            for _, things in layout.true_atoms(kitchen.facts & layout.of_predicate[literal.predicate])
            if all(
                thing in fitting[variable] for variable, thing in zip(literal.variables, things, strict=True)
            )
        ]
        for variables, things in facts:
            changes = dict(zip(variables, things, strict=True))
            yield changes
            yield _grown(changes, facts)
        for variable, candidates in enumerate(fitting):
            for thing in candidates:
                yield {variable: thing}


def _changed(choice: Choice, changes: dict[int, int], fitting: list[list[int]]) -> Choice | None:
    """The choice with these changes; who loses a thing by it takes the one that was there, if that fits."""
    new = list(choice)
    for variable, thing in changes.items():
        if thing not in fitting[variable]:
            return None
        if thing in new:
            other = new.index(thing)
            if new[variable] not in (UNMADE, *fitting[other]):
                return None
            new[other] = new[variable]
        new[variable] = thing
    return tuple(new)


def _grown(changes: dict[int, int], facts: list[tuple[tuple[int, ...], tuple[int, ...]]]) -> dict[int, int]:
    """Changes with further literals that hold of the same things."""
    grown = dict(changes)
    for variables, things in (*facts, *facts):
        pairs = dict(zip(variables, things, strict=True))
        shared = [variable for variable in variables if variable in grown]
        fits = all(grown[variable] == pairs[variable] for variable in shared)
        free = [thing for variable, thing in pairs.items() if variable not in grown]
        if shared and fits and not set(free) & set(grown.values()):
            grown.update(pairs)
    return grown
