"""Many states take all their steps at once.

What a deed's effects and a step's tick make of a rest is asked of the engine itself, once for each
combination of rest, deed and the facts that conditions look at. So a state here has exactly the
future that the world gives it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from backburner.planning.factors import Change, Flags, Ids
from backburner.planning.space import Choice, Numbers, Rest, Space, States, Successors
from backburner.worlds.robotouille.game.state import Kitchen

Test = tuple[int, int, int]
Moves = list[tuple[int, Change]]
WORD = 60
"""Bits of a number that fit into a machine's word."""


class Steps:
    """The steps of a space."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self._for_pattern: dict[tuple[int, int, int], list[tuple[Choice, list[Test]]]] = {}
        self._looks: dict[tuple[int, int], _Look] = {}
        self._known: dict[tuple[int, int, int], tuple[int, Moves] | None] = {}

    def successors(self, states: States) -> Successors:
        """All states one choice further, those that differ only in how they came about included."""
        rows: list[Ids] = []
        parents: list[NDArray[np.int64]] = []
        choices: list[Choice] = []
        for choice, tests, which, part in self._candidates(states):
            passed = _all_hold(tests, part)
            if passed is False:
                continue
            new = part.rows.copy() if passed is True else part.rows[:, passed]
            for place, change in choice.changes:
                new[place] = self.space.factors[place].changed(new[place], change)
            rows.append(new)
            parents.append(which if passed is True else which[passed])
            choices.append(choice)
        if not rows:
            nothing = np.zeros(0, dtype=np.int64)
            return Successors(states.pick(nothing), nothing, nothing.astype(np.int32))
        sizes = [len(one) for one in parents]
        numbers = np.repeat(np.array([choice.number for choice in choices], dtype=np.int32), sizes)
        starts = np.repeat(np.array([choice.start for choice in choices], dtype=np.int64), sizes)
        parent = np.concatenate(parents)
        after, kept = self._rests_follow(np.concatenate(rows, axis=1), states.rests[parent], starts)
        return Successors(after.pick(kept), parent[kept], numbers[kept])

    def _candidates(self, states: States) -> Iterator[tuple[Choice, list[Any], NDArray[np.int64], States]]:
        """Choices that the acting robot's own facts allow, the tests that are left, and for whom."""
        space = self.space
        regimes = np.array(space.regimes, dtype=np.int32)[states.rests]
        for regime in np.unique(regimes):
            here = np.nonzero(regimes == regime)[0]
            for robot in (-1, *space.engine.robots):
                keys = states.rows[robot + 1, here] if robot >= 0 else np.zeros(len(here), dtype=np.uint16)
                for pattern, which in _equal_parts(keys, here):
                    part = states.pick(which)
                    held: dict[Test, Flags | bool] = {}
                    for choice, tests in self._choices(int(regime), robot, pattern):
                        yield choice, [self._holds(test, part, held) for test in tests], which, part

    def _choices(self, regime: int, robot: int, pattern: int) -> list[tuple[Choice, list[Test]]]:
        key = (regime, robot, pattern)
        known = self._for_pattern.get(key)
        if known is None:
            space = self.space
            own = space.factors[robot + 1].patterns[pattern] if robot >= 0 else 0
            known = self._for_pattern[key] = []
            for choice in space.of_regime[regime]:
                mine = [test for test in choice.tests if robot >= 0 and test[0] == robot + 1]
                if choice.robot == robot and all(own & on == on and not own & off for _, on, off in mine):
                    known.append((choice, [test for test in choice.tests if test not in mine]))
        return known

    def _holds(self, test: Test, part: States, held: dict[Test, Flags | bool]) -> Flags | bool:
        known = held.get(test)
        if known is None:
            place, on, off = test
            flags = self.space.factors[place].test(on, off)[part.rows[place]]
            known = held[test] = True if flags.all() else flags if flags.any() else False
        return known

    # Rests

    def _rests_follow(self, rows: Ids, rests: Numbers, starts: NDArray[np.int64]) -> tuple[States, Flags]:
        """The states after effects and ticks, and which of them exist: a guard may forbid some."""
        space = self.space
        kept = np.ones(len(rests), dtype=np.bool_)
        rests = rests.copy()
        still = np.array([not rest.effects for rest in space.rests], dtype=np.bool_)
        several = len(space.phases.robots) > 1
        n_starts = len(space.starts)
        quiet = np.array([not start.effects for start in space.starts], dtype=np.bool_)
        busy = np.nonzero(np.ones_like(kept) if several else ~(still[rests] & quiet[starts]))[0]
        for key, those in _equal_parts(rests[busy].astype(np.int64) * n_starts + starts[busy], busy):
            rest, start = divmod(key, n_starts)
            look = self._look(rest, start)
            for seen, which in look.parts(space, rows, those):
                follows = self._follows(rest, start, seen, look)
                if follows is None:
                    kept[which] = False
                    continue
                rests[which] = follows[0]
                rows = space.widened(States(rows, rests)).rows
                for place, change in follows[1]:
                    rows[place, which] = space.factors[place].changed(rows[place, which], change)
        return States(rows, rests), kept

    def _look(self, rest: int, start: int) -> _Look:
        known = self._looks.get((rest, start))
        if known is None:
            known = self._looks[rest, start] = _Look(self.space, rest, start)
        return known

    def _follows(self, rest: int, start: int, seen: int, look: _Look) -> tuple[int, Moves] | None:
        """The rest and the changes of facts that follow; ``None`` if the deed is refused."""
        key = (rest, start, seen)
        if key not in self._known:
            self._known[key] = self._ask(self.space.rests[rest], start, look.facts(seen), look)
        return self._known[key]

    def _ask(self, rest: Rest, start: int, facts: int, look: _Look) -> tuple[int, Moves] | None:
        """Asks the engine twice, with all facts false that no condition looks at, and with all true.

        What is true after the first is set, what is false after the second is cleared.
        """
        space, engine = self.space, self.space.engine
        layout = engine.layout_of(rest.made)
        begin = space.starts[start]
        kitchen = Kitchen(facts, rest.made, rest.gone, rest.effects)
        if (
            begin.deed
            and not engine.rules.missing_guards
            and engine.runs_already(layout, kitchen, begin.deed)
        ):
            return None
        phase, passes = space.phases.after(rest.phase, begin.robot)
        others = ((1 << len(layout.atoms)) - 1) & ~look.mask
        after: list[Kitchen] = []
        for fill in (0, others):
            kitchen = Kitchen(facts | fill, rest.made, rest.gone, rest.effects)
            for effect, args in begin.effects:
                kitchen = engine.effects.push(kitchen, effect, args)
            after.append(engine.effects.tick(kitchen) if passes else kitchen)
        low, high = after
        number = space.rest_id(Rest(low.made, low.gone, low.effects, phase))
        becomes_set, becomes_clear = low.facts & ~facts, (facts | others) & ~high.facts
        return number, [
            (place, (becomes_set & factor.mask, becomes_clear & factor.mask))
            for place, factor in enumerate(space.factors)
            if (becomes_set | becomes_clear) & factor.mask
        ]


class _Look:
    """The facts that conditions look at in a rest, with the effects that a deed starts."""

    def __init__(self, space: Space, rest: int, start: int) -> None:
        engine, what = space.engine, space.rests[rest]
        layout = engine.layout_of(what.made)
        running = [(one.effect, one.args) for one in what.effects]
        for effect, args in space.starts[start].effects:
            running.append((effect, args + (-1,) * engine.domain.special_effects[effect].n_made))
        self.mask = 0
        for effect, args in running:
            for part in engine.effects.ground_nodes(layout, effect, args):
                self.mask |= part.needs | part.forbids
        self.fixed = space.fixed & self.mask
        self.bits: list[tuple[int, int]] = []
        for place, factor in enumerate(space.factors):
            inside = self.mask & factor.mask
            while inside:
                low = inside & -inside
                self.bits.append((place, low))
                inside ^= low

    def parts(
        self, space: Space, rows: Ids, which: NDArray[np.int64], begin: int = 0
    ) -> Iterator[tuple[int, NDArray[np.int64]]]:
        """These states by the facts that are looked at, as a number with one bit for each."""
        codes = np.zeros(len(which), dtype=np.int64)
        for shift, (place, bit) in enumerate(self.bits[begin : begin + WORD]):
            if place < len(rows):
                codes |= space.factors[place].test(bit, 0)[rows[place, which]].astype(np.int64) << shift
        for code, part in _equal_parts(codes, which):
            if begin + WORD < len(self.bits):
                for rest, smaller in self.parts(space, rows, part, begin + WORD):
                    yield code | rest << WORD, smaller
            else:
                yield code, part

    def facts(self, code: int) -> int:
        """The facts of a code, as bits of the layout."""
        facts = self.fixed
        for shift, (_, bit) in enumerate(self.bits):
            if code >> shift & 1:
                facts |= bit
        return facts


def _all_hold(tests: list[Any], part: States) -> Any:
    """Which states pass all tests: ``True`` for all, ``False`` for none, else their places."""
    together: Any = True
    for flags in tests:
        if flags is False:
            return False
        if flags is not True:
            together = flags if together is True else together & flags
    if together is True:
        return True
    places = np.nonzero(together)[0]
    return places if len(places) else False


def _equal_parts(keys: NDArray[Any], which: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """``which`` in parts of equal keys, with the key of each."""
    if not len(which):
        return
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    for part in np.split(order, np.nonzero(np.diff(ordered))[0] + 1):
        yield int(keys[part[0]]), which[part]
