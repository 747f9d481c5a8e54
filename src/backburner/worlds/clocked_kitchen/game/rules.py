"""The clocked kitchen's rules: decisions in, ticks until somebody is asked again, the next state out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from backburner.kernel.values import Refusal, Seat, Step
from backburner.worlds.clocked_kitchen.game import legality
from backburner.worlds.clocked_kitchen.game.compiled import Compiled
from backburner.worlds.clocked_kitchen.game.floor import DOWN
from backburner.worlds.clocked_kitchen.game.reading import Given, Reader
from backburner.worlds.clocked_kitchen.game.rule_set import Limits, Rules
from backburner.worlds.clocked_kitchen.game.state import (
    GET,
    GOTO,
    MOVE,
    NOOP,
    NOTHING,
    Command,
    State,
    refused,
)
from backburner.worlds.clocked_kitchen.game.transition import Transition, drawn

Watcher = Callable[[Transition], None]
"""Looks at the kitchen after each tick."""


class Rulebook:
    """The rules of one scenario."""

    def __init__(self, compiled: Compiled, rules: Rules, limits: Limits, reader: Reader) -> None:
        self.compiled, self.rules, self.limits, self.reader = compiled, rules, limits, reader
        self.seating = compiled.seating
        self.always = compiled.scenario.asks == "always"

    def start(self, seed: int) -> State:
        """Everybody stands near the first serving table, with one order open."""
        compiled = self.compiled
        bodies, places = len(compiled.names), len(compiled.kitchen.places)
        given = compiled.scenario.kitchen.seed
        stream = seed if given is None else given
        return State(
            tick=0,
            at=compiled.floor.entrances[:bodies],
            facing=(DOWN,) * bodies,
            held=(NOTHING,) * bodies,
            free_at=(-1,) * bodies,
            errands=(None,) * bodies,
            inside=((),) * places,
            until=(0,) * places,
            orders=(drawn(compiled, stream, 0, 0),),
            arrived=1,
            stream=stream,
        )

    def deciders(self, state: State) -> tuple[Seat, ...]:
        """Every seat, or those with a body that is free and has nothing under way.

        Where nobody is free, as when a body that stood still while its seat was silent gives way to another,
        it is every seat as well; then all of them are ``occupied``.
        """
        if state.ended:
            return ()
        if self.always:
            return self.seating.workers
        return tuple(seat for seat in self.seating.workers if not self.occupied(state, seat)) or (
            self.seating.workers
        )

    def occupied(self, state: State, seat: Seat) -> bool:
        """Whether each of a seat's bodies has something under way or cannot act yet."""
        errands, free_at, now = state.errands, state.free_at, state.tick
        bodies = self.seating.bodies_of[seat]
        return not any(errands[body] is None and free_at[body] <= now for body in bodies)

    def step(self, state: State, decisions: Mapping[Seat, Any], watch: Watcher | None = None) -> Step[State]:
        """What follows from these decisions; ``watch`` is shown each tick."""
        asked = self.deciders(state)
        if not asked:
            return Step(state)
        transition = Transition(self.compiled, self.rules, self.limits.ticks, state)
        refusals: list[Refusal] = []
        given = {seat: self.reader.decision(decisions.get(seat), seat) for seat in asked}
        for seat, decided in given.items():
            refusals += self._begin(transition, seat, decided)
        if self.always:
            last = state.tick + min(max(1, decided.ticks) for decided in given.values())
            while transition.tick < last and not transition.ended:
                self._tick(transition, watch)
        else:
            self._until_somebody_is_free(transition, given, watch)
        return Step(transition.now, tuple(transition.events), tuple(refusals))

    @staticmethod
    def _tick(transition: Transition, watch: Watcher | None) -> None:
        transition.pass_tick()
        if watch is not None:
            watch(transition)

    def _until_somebody_is_free(
        self, transition: Transition, given: Mapping[Seat, Given], watch: Watcher | None
    ) -> None:
        """At least a tick; at most as long as somebody is silent. Who is silent and could decide is asked
        again anyway, so that its bodies do not count."""
        silent = {seat: max(1, decided.ticks) for seat, decided in given.items() if decided.silent}
        asked = {seat for seat in silent if not self.occupied(transition.state, seat)}
        heard = [body for body, seat in enumerate(self.seating.owner) if seat not in asked]
        last = transition.tick + min(silent.values()) if silent else None
        transition.silent = silent
        self._tick(transition, watch)
        while transition.tick != last and not self._somebody_is_free(transition, heard):
            self._tick(transition, watch)

    @staticmethod
    def _somebody_is_free(transition: Transition, bodies: Iterable[int]) -> bool:
        if transition.ended:
            return True
        errands, free_at, now = transition.errands, transition.free_at, transition.tick
        return any(errands[body] is None and free_at[body] <= now for body in bodies)

    def _begin(self, transition: Transition, seat: Seat, given: Given) -> list[Refusal]:
        """Begin what a seat has commanded; returns what is refused of it, nothing of a silence."""
        if given.silent and not self.always:
            return []
        refusals = list(given.refusals)
        idle = {command.body for command, _ in given.commands if command.verb == NOOP}
        lost: set[int] = set()
        for command, index in given.commands:
            code = self._obstacle(transition, command)
            if code:
                thing = transition.holding(command.body)
                refusals.append(refused(code, command.text, seat, index, thing))
                label = self.compiled.label(command.verb, command.target, command.item)
                transition.lose(command.body, label, "refused")
                lost.add(command.body)
            else:
                transition.begin(command)
        if not self.always:
            self._let_wait(transition, seat, given.ticks, idle, lost)
        if given.commands or refusals or not self.always:
            transition.tell(seat, refusals)
        return refusals

    def _let_wait(
        self, transition: Transition, seat: Seat, ticks: int, idle: set[int], lost: set[int]
    ) -> None:
        """Bodies with nothing to do wait; a refused command costs a step of the text game."""
        step = self.compiled.clock.step_ticks
        for body in self.seating.bodies_of[seat]:
            if transition.errands[body] is not None:
                continue
            if body in lost:
                transition.wait(body, step)
            elif body in idle or transition.free_at[body] <= transition.tick:
                transition.wait(body, ticks or step)

    def _obstacle(self, transition: Transition, command: Command) -> str:
        """Why what is commanded cannot be done as things stand, were the body there already."""
        if command.verb in (NOOP, GOTO, MOVE):
            return ""
        place = self.compiled.floor.targets[command.target].place
        code = transition.obstacle(command.body, command.verb, place, command.item)
        return "" if code == legality.OCCUPIED and command.verb == GET else code

    def between(self, state: State, decisions: Mapping[Seat, Any]) -> list[tuple[int, State]]:
        """(tick, state) of each moment within a step in which something is seen to change."""
        moments: list[tuple[int, State]] = []

        def watch(transition: Transition) -> None:
            if transition.changed:
                moments.append((transition.tick, transition.now))

        self.step(state, decisions, watch)
        return moments
