"""Collab-Overcooked's transition: an answer in, the next state, events and refusals out.

The world moves on by itself as long as both cooks have something to do.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from backburner.kernel.values import Seat, Step
from backburner.worlds.collab_overcooked.game.events import Journal
from backburner.worlds.collab_overcooked.game.kitchenware import Kitchenware
from backburner.worlds.collab_overcooked.game.limits import Limits
from backburner.worlds.collab_overcooked.game.play import Play
from backburner.worlds.collab_overcooked.game.scenarios import Scenario
from backburner.worlds.collab_overcooked.game.state import Cook, Deed, Ended, Kitchen, State
from backburner.worlds.collab_overcooked.game.stepping import GridStep

MOST_RECENT = 6
"""Deeds of a cook that the state keeps: it is shown all while they are few, else the last four."""


class Rulebook:
    """The rules of a scenario under its limits. ``seats``: what the two cooks are called."""

    def __init__(
        self, ware: Kitchenware, scenario: Scenario, limits: Limits, seats: tuple[Seat, Seat]
    ) -> None:
        self.ware = ware
        self.scenario = scenario
        self.limits = limits
        self.seats = seats

    def start(self, seed: int) -> State:
        """The beginning: everybody at its place, nothing begun, the first cook is asked for a plan."""
        orders = self.scenario.orders
        drawn = 0
        while self.scenario.order_weights and len(orders) < self.scenario.open_orders:
            orders = (*orders, self._draw(seed, drawn))
            drawn += 1
        kitchen = self.ware.stepper.start(orders)
        state = State(kitchen, (Cook(), Cook()), drawn=drawn, seed=seed)
        play = self.play(state, self.journal())
        play.begin_step()
        return self.result(state, play)

    def _draw(self, seed: int, drawn: int) -> str:
        names, weights = zip(*sorted(self.scenario.order_weights.items()), strict=True)
        return str(random.Random(f"order/{seed}/{drawn}").choices(names, weights)[0])

    def journal(self) -> Journal:
        """An empty journal."""
        return Journal(self.ware.grid, self.seats)

    def play(self, state: State, journal: Journal) -> Play:
        """A state made ready to change; what happens is written into the journal."""
        return Play(self.ware, self.limits.rounds, state, journal)

    def step(self, state: State, decisions: Mapping[Seat, Any]) -> Step[State]:
        """What follows from the answer of the cook that is asked."""
        if state.ended:
            return Step(state)
        seat = self.seats[state.asked]
        journal = self.journal()
        play = self.play(state, journal)
        play.answer(decisions.get(seat))
        seen: set[tuple[Kitchen, Cook, Cook]] = set()
        while play.decided:
            state = self.pass_time(state, play, journal)
            if not state.ended and self.limits.steps is None and self._repeats(play, seen):
                state = replace(state, ended="stuck")
            if state.ended:
                journal.over(play.kitchen, (play.cooks[0], play.cooks[1]), state.operations)
                break
            play.begin_step()
        refusals = tuple(replace(refusal, seat=seat) for refusal in play.refusals)
        return Step(self.result(state, play), tuple(journal.events), refusals)

    def result(self, state: State, play: Play) -> State:
        """The state that a play has come to."""
        return State(
            play.kitchen,
            (play.cooks[0], play.cooks[1]),
            play.asked,
            "" if state.ended else play.ask,
            tuple(play.moves),
            play.talk,
            play.corrected,
            play.repair,
            state.operations,
            state.delivered,
            state.drawn,
            state.seed,
            state.ended,
        )

    def pass_time(self, state: State, play: Play, journal: Journal) -> State:
        """Both cooks have decided: a step of the kitchen, what it logs, the orders it meets."""
        step = self.ware.stepper.step(play.kitchen, (play.moves[0], play.moves[1]))
        met = [order for order in step.met if order]
        operations = journal.passed(play.kitchen, state.operations, step)
        kitchen, drawn = step.kitchen, state.drawn
        for _ in met if self.scenario.order_weights else ():
            kitchen = replace(kitchen, orders=(*kitchen.orders, self._draw(state.seed, drawn)))
            drawn += 1
        play.kitchen = kitchen
        self._remember(play, step)
        if step.collided and not self.ware.rules.calls_never_end:
            play.cooks[1] = replace(play.cooks[1], bumped=True)
        return replace(
            state,
            kitchen=kitchen,
            operations=operations,
            delivered=state.delivered + len(met),
            drawn=drawn,
            ended=self._ended(kitchen),
        )

    def _remember(self, play: Play, step: GridStep) -> None:
        """Keep what was done, and strike what was done as requested."""
        for cook, logged in enumerate(step.logged):
            if logged:
                mine = play.cooks[cook]
                deeds = (*mine.recent, Deed(step.kitchen.steps, logged))[-MOST_RECENT:]
                play.cooks[cook] = replace(mine, recent=deeds)
                asking = play.cooks[1 - cook]
                if logged in asking.requests:
                    play.cooks[1 - cook] = replace(asking, requests=_without(asking.requests, logged))

    def _ended(self, kitchen: Kitchen) -> Ended:
        if not kitchen.orders:
            return "completed"
        steps = self.limits.steps
        return "step_limit" if steps is not None and kitchen.steps >= steps else ""

    def _repeats(self, play: Play, seen: set[tuple[Kitchen, Cook, Cook]]) -> bool:
        """Whether everything is as it was before in this decision point, so that nothing new will come."""
        if play.drew:
            seen.clear()
            play.drew = False
        first, second = (replace(cook, recent=()) for cook in play.cooks)
        now = (replace(play.kitchen, steps=0), first, second)
        if now in seen:
            return True
        seen.add(now)
        return False


def _without(requests: tuple[str, ...], done: str) -> tuple[str, ...]:
    """The requests that are left when one of them has been done."""
    place = requests.index(done)
    return requests[:place] + requests[place + 1 :]
