"""How far a kitchen has come towards its goal, with certain things standing for the goal's variables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from backburner.worlds.robotouille.game.layout import Atom
from backburner.worlds.robotouille.game.schema import PLAYER, STATION
from backburner.worlds.robotouille.game.state import Kitchen, Running
from backburner.worlds.robotouille.oracle.recipe_follower.assembly import Assembly
from backburner.worlds.robotouille.oracle.recipe_follower.dish import Terms
from backburner.worlds.robotouille.oracle.recipe_follower.means import CARRY, Means

Choice = tuple[int, ...]
"""For each variable of the goal the index of a thing, or ``UNMADE``."""

UNMADE = -1
HOPELESS = 1000
"""Steps for what nothing can bring about."""


class Situation:
    """``held``: the goal's terms that hold; ``unready``: the variables on which work is left to be done;
    ``sound``: the ties that hold and may stay so."""

    def __init__(self, means: Means, assembly: Assembly, kitchen: Kitchen, choice: Choice) -> None:
        self.means = means
        self.assembly = assembly
        self.kitchen = kitchen
        self.choice = choice
        self.layout = means.engine.layout(kitchen)
        wishes = means.engine.goal.positive
        self.held: Terms = frozenset(term for term in range(len(wishes)) if self.bit(term) & kitchen.facts)
        open_work = assembly.work - self.held
        self.unready: Terms = frozenset(variable for term in open_work for variable in wishes[term].variables)
        self.sound = assembly.sound(self.held, self.unready)

    def atom(self, term: int) -> Atom | None:
        """The fact that a term asks for, if all its things are there."""
        wish = self.means.engine.goal.positive[term]
        things = tuple([self.choice[variable] for variable in wish.variables])
        return None if UNMADE in things else (wish.predicate, things)

    def bit(self, term: int) -> int:
        """The bit of that fact."""
        atom = self.atom(term)
        return self.layout.bit(*atom) if atom is not None else 0

    def bits(self, terms: Terms) -> int:
        """The bits of the facts of several terms."""
        found = 0
        for term in terms:
            found |= self.bit(term)
        return found

    def neighbours(self, thing: int) -> set[int]:
        """What a thing is tied to by a fact that may change: where it lies, what lies on it, who has it."""
        tied = self.kitchen.facts & self.layout.about[thing] & ~self.means.static(self.layout)
        return {other for _, args in self.layout.true_atoms(tied) for other in args} - {thing}

    def goes_on(self, atom: Atom) -> bool:
        """Whether the work for a fact goes on by itself."""
        bit, effects = self.layout.bit(*atom), self.means.engine.effects
        return any(
            any(part.adds & bit for part in effects.ground_nodes(self.layout, one.effect, one.args))
            for one in self.running()
        )

    def running(self) -> Iterator[Running]:
        """The effects that go on by themselves."""
        effects, kitchen = self.means.engine.effects, self.kitchen
        for one in kitchen.effects:
            given = one.args[: effects.effects[one.effect].n_given]
            if effects.runs(self.layout, kitchen, one.effect, given):
                yield one

    def missing(self) -> Counter[str]:
        """How many things of each kind have yet to be made."""
        variables = zip(self.means.engine.goal.variables, self.choice, strict=True)
        return Counter(variable.kind for variable, thing in variables if thing == UNMADE)

    def being_made(self, kind: str) -> int:
        """How many things of a kind are made at the moment."""
        effects = self.means.engine.effects.effects
        return sum(
            any(
                node.made_name == kind and not one.counts[node.index]
                for node in effects[one.effect].root.walk()
            )
            for one in self.running()
        )

    def kept(self) -> int:
        """Facts that are not to be undone: sound ties, looks of what is done, conditions of what goes on."""
        effects = self.means.engine.effects
        done = self.assembly.looks & self.held if not self.assembly.ties - self.sound else frozenset()
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
        carried = assembly.carried(assembly.ties) - assembly.carried(self.sound)
        return frozenset(self.choice[variable] for variable in carried)

    def cost(self) -> int:
        """About how many steps are left to be done."""
        goal, facts = self.means.engine.goal, self.kitchen.facts
        total = CARRY * len(self.assembly.ties - self.sound) + len(self.assembly.looks - self.held)
        for term in range(len(goal.positive)):
            atom = self.atom(term)
            if atom is not None and term not in self.held and term not in self.assembly.looks:
                steps = self.means.steps(self.layout, facts, atom)
                total += HOPELESS if steps is None else steps if term in self.assembly.work else 0
            elif atom is None:
                total += CARRY
        for wish in goal.negative:
            things = tuple([self.choice[variable] for variable in wish.variables])
            total += HOPELESS if facts & self.layout.bit(wish.predicate, things) else 0
        for variable, thing in enumerate(self.choice):
            if thing != UNMADE:
                total += self._in_the_way(thing)
            else:
                total += CARRY if goal.variables[variable].kind in self.means.making else HOPELESS
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
