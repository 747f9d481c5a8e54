"""The kitchens behind a beginning, as rows of small numbers, and what can be done in them.

A state is a row with one pattern for each thing (``factors``) and the number of its *rest*: what was
made, what is gone, the effects at work in their order, and whose deed comes next.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from backburner.planning.factors import Change, Factor, Ids
from backburner.planning.grounding import ground, mask_of
from backburner.planning.phases import Phase, Phases
from backburner.planning.repertoire import Repertoire
from backburner.worlds.robotouille.game.actions import GroundAction
from backburner.worlds.robotouille.game.compiled import Compiled
from backburner.worlds.robotouille.game.layout import Layout, Object
from backburner.worlds.robotouille.game.state import Kitchen, Running

Numbers = NDArray[np.int32]


class Rest(NamedTuple):
    """What of a state is not a thing's facts."""

    made: tuple[Object, ...]
    gone: int
    effects: tuple[Running, ...]
    phase: Phase


class Start(NamedTuple):
    """What a deed does to a rest: the effects it pushes, who acts, and whether a run forbids it."""

    effects: tuple[tuple[int, tuple[int, ...]], ...]
    robot: int
    deed: GroundAction | None


class Choice:
    """A deed, or idleness, as tests and changes of factors."""

    def __init__(self, number: int, deed: GroundAction | None, start: int) -> None:
        self.number = number
        self.deed = deed
        self.start = start
        self.robot = deed.robots[0] if deed and deed.robots else -1
        self.tests: list[tuple[int, int, int]] = []
        self.changes: list[tuple[int, Change]] = []


class States(NamedTuple):
    """Many states: ``rows[factor, state]`` and ``rests[state]``."""

    rows: Ids
    rests: Numbers

    def pick(self, which: NDArray[np.int64] | NDArray[np.bool_] | NDArray[np.int32]) -> States:
        """Some of them."""
        return States(self.rows[:, which], self.rests[which])


class Successors(NamedTuple):
    """States, and for each the place of the one it comes from and the number of the choice."""

    states: States
    parents: NDArray[np.int64]
    choices: Numbers


class Space:
    """The states behind ``start`` in the order of deeds that ``phases`` give, by deeds of a repertoire."""

    def __init__(
        self,
        engine: Compiled,
        phases: Phases,
        start: Kitchen,
        phase: Phase,
        repertoire: Repertoire | None = None,
    ) -> None:
        self.engine = engine
        self.repertoire = repertoire or Repertoire()
        self.phases = phases
        self.start = start
        self.changing = engine.domain.changing
        layout = engine.layout_of(start.made)
        self.fixed = start.facts & ~mask_of(layout, self.changing)
        self.factors: list[Factor] = []
        self.choices: list[Choice] = []
        self.rests: list[Rest] = []
        self.layouts: list[Layout] = []
        self._rest_ids: dict[Rest, int] = {}
        self.regimes: list[int] = []
        self._regimes: dict[tuple[tuple[Object, ...], int, Phase], int] = {}
        self.of_regime: list[list[Choice]] = []
        self._starts: dict[Start, int] = {}
        self.starts: list[Start] = []
        self._choice_of: dict[tuple[Any, ...], Choice] = {}
        self._idle = Choice(0, None, self._start_id(Start((), -1, None)))
        self.choices.append(self._idle)
        self.first = self.encode(start, phase)

    # Numbering

    def encode(self, kitchen: Kitchen, phase: Phase) -> States:
        """One kitchen as a state."""
        rest = self.rest_id(Rest(kitchen.made, kitchen.gone, kitchen.effects, phase))
        row = [factor.id(kitchen.facts) for factor in self.factors]
        return States(np.array(row, dtype=np.uint16)[:, None], np.array([rest], dtype=np.int32))

    def widened(self, states: States) -> States:
        """The states with a pattern, that of no facts, for things made elsewhere since."""
        missing = len(self.factors) - len(states.rows)
        if not missing:
            return states
        more = np.zeros((missing, len(states.rests)), dtype=np.uint16)
        return States(np.concatenate([states.rows, more]), states.rests)

    def decode(self, states: States, which: int) -> tuple[Kitchen, Phase]:
        """One of these states as a kitchen, and whose deed comes next in it."""
        facts = self.fixed
        for factor, pattern in zip(self.factors, states.rows[:, which], strict=False):
            facts |= factor.patterns[pattern]
        rest = self.rests[states.rests[which]]
        return Kitchen(facts, rest.made, rest.gone, rest.effects), rest.phase

    def rest_id(self, rest: Rest) -> int:
        """The number of a rest; what can be done in it is then known, too."""
        known = self._rest_ids.get(rest)
        if known is None:
            known = self._rest_ids[rest] = len(self.rests)
            self.rests.append(rest)
            self.regimes.append(self._regime(rest.made, rest.gone, rest.phase))
        return known

    def _regime(self, made: tuple[Object, ...], gone: int, phase: Phase) -> int:
        """Things that are there and who may act: what the list of choices depends on."""
        known = self._regimes.get((made, gone, phase))
        if known is None:
            known = self._regimes[made, gone, phase] = len(self.of_regime)
            layout = self.engine.layout_of(made)
            self._take_in(layout)
            deeds = ground(self.engine, layout, self.start.facts, gone, self.changing)
            may = (deed for deed in deeds if self.phases.may(phase, deed.robots[0] if deed.robots else -1))
            choices = [self._choice(deed) for deed in may if self.repertoire.has(layout, deed)]
            waits = any(not choice.tests and not choice.changes for choice in choices)
            self.of_regime.append(choices if waits else [*choices, self._idle])
        return known

    def _take_in(self, layout: Layout) -> None:
        """Factors for the facts of this layout: a thing has those in which it comes first."""
        self.layouts.append(layout)
        masks = [0] * (len(layout.objects) + 1)
        for bit, (predicate, args) in enumerate(layout.atoms):
            if predicate in self.changing:
                masks[args[0] + 1 if args else 0] |= 1 << bit
        for place, mask in enumerate(masks):
            if place < len(self.factors):
                self.factors[place].mask |= mask
            else:
                self.factors.append(Factor(mask))

    def _choice(self, deed: GroundAction) -> Choice:
        key = (deed.name, deed.args, deed.needs, deed.forbids, deed.adds, deed.deletes)
        known = self._choice_of.get(key)
        if known is None:
            robot = deed.robots[0] if deed.robots else -1
            guarded = None if deed.adds or deed.deletes or not deed.starts else deed
            start = Start(deed.starts, robot if self.phases.per_step > 1 else -1, guarded)
            known = Choice(len(self.choices), deed, self._start_id(start))
            self.choices.append(known)
            for place, factor in enumerate(self.factors):
                needs, forbids = deed.needs & factor.mask, deed.forbids & factor.mask
                if needs or forbids:
                    known.tests.append((place, needs, forbids))
                adds, clears = deed.adds & factor.mask, deed.deletes & factor.mask
                if adds or clears:
                    known.changes.append((place, (adds, clears)))
            self._choice_of[key] = known
        return known

    def _start_id(self, start: Start) -> int:
        known = self._starts.get(start)
        if known is None:
            known = self._starts[start] = len(self.starts)
            self.starts.append(start)
        return known
