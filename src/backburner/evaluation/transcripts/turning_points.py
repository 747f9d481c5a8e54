"""Where less could be reached after a decision than before, and what would have been better there.

What can be reached from a state on is proven by the world's oracle where it says how soon all can be done
(``Oracle.onward``); elsewhere it is estimated as what the world's guide comes to from there.
"""

from __future__ import annotations

import time
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice, pairwise
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

import msgspec

from backburner.agents.planned import guide
from backburner.agents.scripted import AsPredictedPolicy
from backburner.kernel import packs, registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError, Refused, one_line, shorten
from backburner.kernel.exact import maximised
from backburner.kernel.generating import Result, generator_of
from backburner.kernel.menu import listing, lists, said
from backburner.kernel.oracle import Solution, oracle_of
from backburner.kernel.policy import Policy
from backburner.kernel.replay import decisions_in, trajectory, world_of
from backburner.kernel.reported import reporter_of
from backburner.kernel.text import bare, speaks
from backburner.kernel.turns import read, turn_of
from backburner.kernel.values import Outcome, Refusal, Seat

EFFORT_ONWARD = 0.05
"""Of each search from a state on."""

MOST_LOOKS = 400
"""States from which it is looked how much can be reached."""

FIRST_LOOKS = 12
"""States that are looked at first, spread evenly, where what can be reached is an estimate."""

MOST_STEPS = 2000
"""Steps in which somebody plays on from a state."""

MOST_TRIED = 24
"""Decisions that are tried in place of the costliest."""

MOST_POINTS = 12
"""Turning points that are told, the costliest."""

BRIEF = 200
"""Characters of a decision in words."""

Sense = Literal["min", "max"]


# --- what counts --------------------------------------------------------------------------------------------


class Attained(Protocol):
    """What a play has come to."""

    @property
    def value(self) -> int:
        """See ``Result``."""

    @property
    def complete(self) -> bool:
        """See ``Result``."""


def worth(play: Attained, sense: Sense) -> float:
    """What a play is worth, the more the better; of times, nothing that is not complete is worth anything."""
    return play.value if sense == "max" else -play.value if play.complete else -inf


class Counts:
    """What counts in a world."""

    def __init__(self, world: World[Any, Any, Any]) -> None:
        self.world, pack = world, packs.pack_of(world)
        self._generator = generator_of(pack.name) if pack.generator else None
        self._maximised = maximised(world)
        self.sense: Sense = "max" if self._maximised else "min"
        if self._generator is not None:
            self.sense = self._generator.sense

    def result(self, state: Any) -> Result:
        """What play has come to."""
        return self.result_of(self.world.outcome(state))

    def result_of(self, outcome: Outcome) -> Result:
        """What play has come to, by how it stands."""
        if self._generator is not None:
            return self._generator.result(self.world, outcome)
        done = bool(outcome.numbers.get("completed"))
        return Result(float(done), int(outcome.numbers.get(self._maximised or self.world.time_unit, 0)), done)

    def unit(self, solution: Solution | None) -> str:
        """What the values count."""
        if self.sense == "min":
            return self.world.time_unit
        return self._maximised or (solution.unit if solution is not None else "orders served")


# --- in words ----------------------------------------------------------------------------------------------


def in_words(world: World[Any, Any, Any], state: Any, decisions: Mapping[Seat, Any]) -> str:
    """A joint decision in a line, as people are told of it; empty where nobody decides anything."""
    told = {seat: _called(world, state, seat, decision) for seat, decision in decisions.items()}
    lines = told.values() if len(world.seats) == 1 else (f"{seat}: {words}" for seat, words in told.items())
    return one_line(shorten("; ".join(lines), BRIEF))


def _called(world: Any, state: Any, seat: Seat, decision: Any) -> str:
    if isinstance(decision, Refusal):
        return "nothing that can be read"
    asked = seat in world.deciders(state) and lists(world)
    options = world.menu(state, seat).options if asked else ()
    if same := next((said(world, option) for option in options if option.decision == decision), ""):
        return same
    return (
        "; ".join(map(bare, world.words(decision).splitlines()))
        if speaks(world)
        else str(msgspec.to_builtins(decision))
    )


def _unlimited(world: World[Any, Any, Any]) -> World[Any, Any, Any]:
    """The world without limits of play, where its pack can make it."""
    pack = packs.pack_of(world)
    return registry.catalogue(pack.name).build(world.id, world.scenario, world.rules, "none")


def seated(world: World[Any, Any, Any], policy: Policy) -> Mapping[Seat, Policy]:
    """The policy at every seat but that which reports."""
    reporter = reporter_of(world)
    return {seat: AsPredictedPolicy() if seat == reporter else policy for seat in world.seats}


class Walked:
    """An episode gone through again. ``until``: so long there is time; ``lacks``: what there was none for, or
    what could not be had otherwise."""

    def __init__(self, episode: Episode, until: float) -> None:
        self.episode, self.until = episode, until
        self.world = world_of(episode)
        self.seed = episode.header.seed
        self.counts = Counts(self.world)
        self.lacks: list[str] = []
        path = list(trajectory(episode, self.world))
        end = path[-1][2].state if path else self.world.start(self.seed)
        self.states = [*(before for before, _, _ in path), end]

    def said(self, step: int) -> str:
        """What was decided in a step, in words."""
        entry = self.episode.entries[step]
        decisions = decisions_in(self.world, entry)
        return in_words(self.world, self.states[step], {seat: decisions[seat] for seat in entry.decided})


# --- losses -----------------------------------------------------------------------------------------------


class Loss(NamedTuple):
    """From decision ``first`` to ``last`` so much was lost of the worth that could be reached ``before``;
    ``alike``: by decisions of the same words, one at least."""

    first: int
    last: int
    before: float
    cost: float
    exact: bool
    alike: bool = True
    better: str = ""


class _Reach(NamedTuple):
    """What can be reached from a state on, the more the better; ``exact``: it is proven."""

    worth: float
    exact: bool


class TurningPoints:
    """Looks from states of an episode how much could still be reached, the widest losses first.

    What can be reached later could be reached before, so that it never grows: a stretch without a loss
    between its ends has none within.
    """

    def __init__(self, of: Walked) -> None:
        self.of, self.world, self.sense = of, of.world, of.counts.sense
        self.known: dict[int, _Reach] = {}
        self._guide: Policy | None = None
        self._free = of.world if self.sense == "max" else _unlimited(of.world)
        with suppress(BackburnerError):
            self._guide = guide(of.world)
        self._looks, self._vain = 0, -1  # up to there too much is left for a proof

    def losses(self) -> list[Loss]:
        """Each loss, in order of time; neighbours of the same words are one."""
        last = self._last()
        if not self._look(0):
            self.of.lacks.append("without turning points: that takes too long here")
        if last < 1 or 0 not in self.known:
            return []
        if not self.known[0].exact:
            for place in range(1, FIRST_LOOKS):
                self._look(last * place // FIRST_LOOKS)
        while (widest := self._widest()) is not None:
            if not self._look((widest.first + widest.last + 1) // 2):
                self.of.lacks.append("turning points are not told to the step: that takes too long here")
                break
        worst = sorted(self._joined(self._all()), key=lambda loss: -loss.cost)[:MOST_POINTS]
        return sorted(map(self._improved, worst))

    def _last(self) -> int:
        """The last state that is compared: the end, where that says what play has come to."""
        states, counts = self.of.states, self.of.counts
        last, status = len(states) - 1, self.world.outcome(states[-1]).status
        if status == "running":
            return last if self._look(last) else 0
        if self.sense == "min" and status == "cut off" and not counts.result(states[-1]).complete:
            last -= 1
            return last if self._look(last) else 0
        self.known[last] = _Reach(worth(counts.result(states[-1]), self.sense), exact=True)
        return last

    def _look(self, place: int) -> bool:
        """Find out about a state; whether there was time for that."""
        if place in self.known:
            return True
        self._looks += 1
        if self._looks > MOST_LOOKS or time.process_time() > self.of.until:
            return False
        self.known[place] = self._reach(self.of.states[place], place)
        return True

    def _reach(self, state: Any, index: int) -> _Reach:
        if not self.world.deciders(state):
            return _Reach(worth(self.of.counts.result(state), self.sense), exact=True)
        if self.sense == "min" and index > self._vain:
            with suppress(BackburnerError):
                found = oracle_of(self.world).onward(self.world, state, EFFORT_ONWARD)
                if found.finish is not None or found.status == "infeasible":
                    return _Reach(-inf if found.finish is None else -found.finish, exact=True)
            self._vain = index
        if self._guide is not None:
            with suppress(BackburnerError):
                end = _now(self._continued(state, index))
                return _Reach(worth(self.of.counts.result(end), self.sense), exact=False)
        return _Reach(-inf, exact=False)  # as little as is known

    async def _continued(self, state: Any, index: int) -> Any:
        """Where play has come to if the guide decides from a state on."""
        memories: dict[Seat, Any] = {}
        for _ in range(MOST_STEPS):
            if not self._free.deciders(state):
                break
            decisions = await self._decided(state, index, memories)
            state, index = self._free.step(state, decisions).state, index + 1
        return state

    async def _decided(self, state: Any, index: int, memories: dict[Seat, Any]) -> dict[Seat, Any]:
        decisions, world = {}, self._free
        assert self._guide is not None  # noqa: S101  # as was asked before
        seats = seated(world, self._guide)
        for seat in world.deciders(state):
            policy = seats[seat]
            turn = turn_of(world, state, seat, index, self.of.seed, informed=policy.informed)
            reply = await policy.decide(turn, memories.get(seat))
            memories[seat] = reply.memory
            decisions[seat] = read(world, state, seat, reply.answer)
        return decisions

    def _all(self) -> list[Loss]:
        """The losses between neighbours of what is known."""
        places = sorted(self.known)
        best: list[_Reach] = []
        for place in reversed(places):
            later = best[-1] if best else None
            here = self.known[place]
            best.append(later if later is not None and later.worth >= here.worth and not here.exact else here)
        best.reverse()
        found = []
        for at, (one, two) in enumerate(pairwise(best)):
            if one.worth > two.worth:
                exact = one.exact and two.exact
                found.append(Loss(places[at], places[at + 1] - 1, one.worth, one.worth - two.worth, exact))
        return found

    def _widest(self) -> Loss | None:
        """The greatest loss that is not of a single decision, the earliest of them."""
        wide = [loss for loss in self._all() if loss.last > loss.first]
        return max(wide, key=lambda loss: loss.cost, default=None)

    def _joined(self, losses: Sequence[Loss]) -> Iterator[Loss]:
        """Neighbours of the same words are one loss."""
        kept: Loss | None = None
        for loss in losses:
            single = loss.first == loss.last
            if (
                kept is not None
                and kept.alike
                and single
                and kept.last + 1 == loss.first
                and self.of.said(kept.first) == self.of.said(loss.first)
            ):
                cost, exact = kept.cost + loss.cost, kept.exact and loss.exact
                kept = kept._replace(last=loss.last, cost=cost, exact=exact)
                continue
            if kept is not None:
                yield kept
            kept = loss._replace(alike=single)
        if kept is not None:
            yield kept

    def _improved(self, loss: Loss) -> Loss:
        """The loss with a decision that would have kept what could be reached, if one is found in time."""
        with suppress(Refused):  # of a world without menus
            for words, decisions in islice(self._others(loss.first), MOST_TRIED):
                if time.process_time() > self.of.until:
                    break
                step = self.world.step(self.of.states[loss.first], decisions)
                if not step.refusals and self._reach(step.state, loss.first + 1).worth >= loss.before:
                    return loss._replace(better=words)
        return loss

    def _others(self, place: int) -> Iterator[tuple[str, dict[Seat, Any]]]:
        """Decisions in place of one, with their words: the guide's, then one seat's other options."""
        state, world = self.of.states[place], self.world
        taken = decisions_in(world, self.of.episode.entries[place])
        if self._guide is not None:
            with suppress(BackburnerError):
                found = _now(self._decided(state, place, {}))
                other = {seat: each for seat, each in found.items() if each != taken.get(seat)}
                yield in_words(world, state, other), found
        for seat in world.deciders(state):
            for option in listing(world).menu(state, seat).options:
                yield in_words(world, state, {seat: option.decision}), {**taken, seat: option.decision}


def _now(deciding: Coroutine[Any, Any, Any]) -> Any:
    """What comes of decisions of somebody who answers at once."""
    try:
        deciding.send(None)
    except StopIteration as done:
        return done.value
    deciding.close()
    raise BackburnerError("the guide of this world waits for something")
