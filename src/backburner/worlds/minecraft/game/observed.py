"""A step as it was seen on a server: the state that follows, what happened, and what had been predicted.

What was seen is what there is. Orders are this world's own, and go by the ticks that the step lasted there;
what nobody has seen is taken as predicted.

Of a furnace only what is in it before and after a step was seen. Where that is what was predicted, all went
as predicted; else it is told from what there was and what there is. An activity that goes on has the key of
the tick at which it began, as in the game as text; one that ends within its step has the step's number in it
as well.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.minecraft.game.actions import (
    CHAT,
    ERRORS,
    KILL,
    MINE,
    ON_SERVER,
    PUT_IN_CHEST,
    UNTOLD,
    Came,
    Report,
    SeenPlayer,
    failed,
    label,
)
from backburner.worlds.minecraft.game.order_book import OrderBook
from backburner.worlds.minecraft.game.physics import BEGUN, COOKED, FURNACE, Cell, Furnace, advance, squared
from backburner.worlds.minecraft.game.reading import Given, Joint
from backburner.worlds.minecraft.game.rules import Rulebook
from backburner.worlds.minecraft.game.scenarios import SERVER
from backburner.worlds.minecraft.game.state import (
    Errand,
    Feedback,
    Items,
    Person,
    State,
    count_of,
    seconds,
    with_items,
)
from backburner.worlds.minecraft.game.transition import LEAD_TICKS, MOST_FAILURES, REACH_DOUBLED, Transition


def expected_at(predicted: State, now: int) -> Furnace:
    """The furnace of a predicted state at the tick at which it was seen, where that is later."""
    return advance(predicted.furnace, max(0, now - predicted.ticks))[0]


def smelted(
    before: State, predicted: State, events: Sequence[Event], furnace: Furnace, now: int
) -> tuple[int, list[Event]]:
    """(since when the furnace is at what it smelts, what began and ended in it), of a step until ``now``.

    ``events``: what was predicted to happen.
    """
    if not _alike(furnace, expected_at(predicted, now)):
        return _told_from_both_ends(before, furnace, now)
    foretold = [event for event in events if event.lane == FURNACE]
    smelting = predicted.smelting
    for after, what, item in advance(predicted.furnace, max(0, now - predicted.ticks))[1]:
        tick = predicted.ticks + after
        smelting = tick if what == BEGUN else smelting
        foretold.append(_event("start" if what == BEGUN else "end", tick, FURNACE, item, smelting))
    return _moved(before, foretold, furnace, now)


def _alike(one: Furnace, other: Furnace) -> bool:
    slots = (one.input, one.fuel, one.output), (other.input, other.fuel, other.output)
    return slots[0] == slots[1] and bool(one.progress) == bool(other.progress)


def _moved(before: State, foretold: Sequence[Event], furnace: Furnace, now: int) -> tuple[int, list[Event]]:
    """What was predicted, with times and keys of the step as it was."""
    since, old = before.smelting, _key(before.smelting) if before.furnace.progress else ""
    starts = [event.key for event in foretold if event.what == "start"]
    goes_on = starts[-1] if starts and furnace.progress else ""
    if goes_on:
        since = max(before.ticks, now - furnace.progress)
    latest = since if goes_on else now
    events = []
    for event in foretold:
        event = replace(event, time=min(event.time, seconds(latest)))
        if event.key == goes_on:
            event = replace(event, time=seconds(since), key=_key(since))
        elif event.key != old:
            event = replace(event, key=f"{event.key} of step {before.steps}")
        events.append(event)
    return since, events


def _told_from_both_ends(before: State, furnace: Furnace, now: int) -> tuple[int, list[Event]]:
    """What was under way goes on if it has come on; else it has ended, and what is under way has begun."""
    since, was, item = before.smelting, before.furnace, before.furnace.input[0]
    if 0 < was.progress < furnace.progress and furnace.input[0] == item:
        return since, []
    began = max(before.ticks, now - furnace.progress) if furnace.progress else now
    events = [_event("end", began, FURNACE, item, since)] if was.progress else []
    if furnace.progress:
        since = began
        events.append(_event("start", began, FURNACE, furnace.input[0], began))
    return since, events


def _key(since: int) -> str:
    return f"{FURNACE} {since}"


VAIN = ("no_mob", "no_block")
NO_WORD = "it came to nothing on the server"


class Outcome(NamedTuple):
    """A call, what came of it, and why it came to nothing, if it did; ``came`` is ``None`` where nobody has
    seen it."""

    given: Given
    came: Came | None
    refusal: Refusal | None


class Observed:
    """One step: what was before, what was decided, what the rules predict and refuse, what was reported."""

    def __init__(
        self,
        rulebook: Rulebook,
        before: State,
        joint: Joint,
        predicted: Step[State],
        report: Report,
    ) -> None:
        self.rulebook, self.compiled = rulebook, rulebook.compiled
        self.before, self.report = before, report
        self.joint = joint
        self.begun = before.ticks + report.waited
        self.now = self.begun + report.ticks
        self.steps = before.steps + 1
        self.predicted, self.events = predicted.state, predicted.events
        self.outcomes = [self._outcome(each, predicted.refusals) for each in self.joint.given]
        self.expected = expected_at(predicted.state, self.now)

    def step(self) -> Step[State]:
        """The state after it, everything that happened, and what came to nothing."""
        report, before, predicted = self.report, self.before, self.predicted
        book = OrderBook(self.compiled, before, self.rulebook.limits.ticks)
        chest = predicted.chest if report.chest is None else report.chest
        for tick, item in sorted(self._stored(chest)):
            book.add(item, tick)
        book.advance(self.now)
        book.end_step(self.steps, self.now)
        furnace = self.expected if report.furnace is None else _known(report.furnace)
        smelting, burnt = smelted(before, predicted, self.events, furnace, self.now)
        seen = {body.bot: body for body in report.bots}
        bodies = [seen.get(name) for name in self.compiled.names]
        state = State(
            at=tuple(
                _cell(body.at) if body else there for body, there in zip(bodies, predicted.at, strict=True)
            ),
            carried=tuple(
                body.carried if body else held for body, held in zip(bodies, predicted.carried, strict=True)
            ),
            failed=self._failed(),
            furnace=furnace,
            chest=chest,
            gone=predicted.gone if report.gone is None else tuple(sorted(report.gone)),
            kills=with_items(before.kills, Counter(killed.mob for killed in report.killed).items()),
            orders=book.sorted(),
            arrived=book.arrived,
            served=tuple(book.served),
            expired=before.expired + sum(not closed.served for closed in book.closed),
            ticks=self.now,
            steps=self.steps,
            stream=before.stream,
            smelting=smelting,
            last=self.joint.written,
            feedback=self._feedback(),
            ended=self.rulebook.ended(self.steps, self.now),
            instruction=before.instruction,
            missing=self._missing(chest, book.served),
            ground=report.ground,
            persons=before.persons if report.persons is None else tuple(map(_person, report.persons)),
        )
        errands, acted = self._errands(state)
        state = replace(state, errands=errands)
        events = [*acted, *burnt, *self.rulebook.order_events(before, book.closed)]
        events.sort(key=lambda event: event.time)
        time = seconds(self.now)
        differs = [Event(time, "said", SERVER, told, kind="differs") for told in self._differences(state)]
        return Step(state, (*events, *differs), self._refusals())

    # --- calls --------------------------------------------------------------------------------------------

    def _outcome(self, given: Given, refusals: tuple[Refusal, ...]) -> Outcome:
        """What came of a call as it was reported, or else as it was predicted."""
        bot = self.compiled.names[given.call.body]
        came = next((each for each in self.report.calls if each.bot == bot), None)
        if came is None:
            mine = (each for each in refusals if (each.seat, each.index) == (given.seat, given.number))
            vain = (each for each in mine if each.code in CHAT or each.code in ERRORS)
            return Outcome(given, None, next(vain, None))
        if not came.code:
            return Outcome(given, came, None)
        rules, body = self.rulebook.rules, given.call.body
        counted = 0 if rules.failures_forgotten else self.before.failed[body]
        code = "gave_up" if came.code in VAIN and counted >= MOST_FAILURES else came.code
        why = (came.why or NO_WORD) if code == ON_SERVER else ""
        refusal = failed(code, given.call, bot, rules.errors_untold, why)
        return Outcome(given, came, refusal.at(given.seat, given.number))

    def _refusals(self) -> tuple[Refusal, ...]:
        return tuple(each.refusal for each in self.outcomes if each.refusal is not None)

    def _feedback(self) -> Feedback:
        predicted, rules = self.predicted.feedback, self.rulebook.rules
        if self.joint.voided and rules.voided_step_repeats_chat:
            return predicted
        refusals = (*self.joint.refusals, *self._refusals())
        told = tuple(refusal for refusal in refusals if UNTOLD not in refusal.detail)
        return Feedback(self.report.killed, told, predicted.repeated)

    def _failed(self) -> tuple[int, ...]:
        """How often in a row each body has found nothing."""
        failed = list(self.before.failed)
        forgotten = self.rulebook.rules.failures_forgotten
        for (call, _, _), _, refusal in self.outcomes:
            if refusal is not None and refusal.code in (*VAIN, "gave_up"):
                failed[call.body] = 1 if forgotten else failed[call.body] + 1
            elif call.verb in (KILL, MINE):
                failed[call.body] = 0
        return tuple(failed)

    def _errands(self, state: State) -> tuple[tuple[Errand, ...], list[Event]]:
        """What is still under way, and when bodies began and ended something."""
        events: list[Event] = []
        running: dict[int, Errand] = {}
        called = {outcome.given.call.body: outcome for outcome in self.outcomes}
        still = {each.bot for each in self.report.calls if each.running}
        begin = min(self.now, self.begun + LEAD_TICKS)
        for errand in self.before.errands:
            name = self.compiled.names[errand.body]
            if name in still and errand.body not in called:
                running[errand.body] = self._going_on(errand, state)
            else:
                tick = begin if errand.body in called else self.now
                events.append(_event("end", tick, name, label(errand.verb, errand.thing), errand.began))
        for body, (given, came, refusal) in called.items():
            name, call = self.compiled.names[body], given.call
            said = label(call.verb, call.thing)
            kind = "work" if refusal is None else "refused"
            events.append(_event("start", begin, name, said, begin, kind))
            rest = self._under_way(state, given, begin) if name in still else None
            if rest is not None:
                running[body] = rest
                continue
            end = self.now if came is None else min(self.now, begin + came.ticks)
            events.append(_event("end", end, name, said, begin, kind))
        return tuple(errand for _, errand in sorted(running.items())), events

    def _under_way(self, state: State, given: Given, began: int) -> Errand | None:
        """A call that runs on, as it is predicted to, or else what is left of it from where its body is."""
        call = given.call
        for errand in self.predicted.errands:
            if (errand.body, errand.verb, errand.thing) == (call.body, call.verb, call.thing):
                return self._going_on(replace(errand, began=began), state)
        book = OrderBook(self.compiled, state, None)
        rest = Transition(self.compiled, state, book).errand(call)
        return None if isinstance(rest, str) else replace(rest, began=began)

    def _going_on(self, errand: Errand, state: State) -> Errand:
        """An errand that runs on from where its body is: whatever was due by now is due at the next tick."""
        late = max(0, self.now + 1 - (errand.ends if errand.done else errand.acts))
        return replace(
            errand,
            source=state.at[errand.body],
            arrives=errand.arrives + late,
            acts=errand.acts + late * (not errand.done),
            ends=errand.ends + late,
        )

    # --- chest and furnace --------------------------------------------------------------------------------

    def _stored(self, chest: Items) -> Iterator[tuple[int, str]]:
        """What came into the chest, and when: with the call that put it there, or at the end of the step."""
        puts: dict[str, list[int]] = {}
        for given, came, refusal in self.outcomes:
            if given.call.verb == PUT_IN_CHEST and came is not None and refusal is None:
                end = min(self.now, self.begun + LEAD_TICKS + came.ticks)
                puts.setdefault(given.call.thing, []).append(end)
        for item, count in chest:
            ticks = sorted(puts.get(item, ()))
            for number in range(count - count_of(self.before.chest, item)):
                yield (ticks[number] if number < len(ticks) else self.now), item

    def _missing(self, chest: Items, served: list[int]) -> Items:
        """What orders were served with, and somebody has taken out of the chest since."""
        missing = []
        for dish, item in enumerate(self.compiled.dishes):
            lacks = served.count(dish) - count_of(chest, item)
            missing.append((item, max(count_of(self.before.missing, item), lacks)))
        return with_items((), missing)

    # --- what had been predicted --------------------------------------------------------------------------

    def _differences(self, state: State) -> Iterator[str]:
        """What was seen and had not been predicted, in words: chest, furnace, bodies."""
        predicted = self.predicted
        if state.chest != predicted.chest:
            yield _told("chest", state.chest, predicted.chest)
        for name in ("input", "fuel", "output"):
            seen, expected = getattr(state.furnace, name), getattr(self.expected, name)
            if seen != expected:
                yield _told(f"furnace's {name}", (seen,), (expected,))
        for body, bot in enumerate(self.compiled.names):
            if state.carried[body] != predicted.carried[body]:
                yield _told(bot, state.carried[body], predicted.carried[body])
            there, expected_at = state.at[body], predicted.at[body]
            if 4 * squared(there, expected_at) > REACH_DOUBLED**2:
                yield f"{bot} is at {there[0]} {there[1]} (predicted: {expected_at[0]} {expected_at[1]})"


def _event(what: Any, tick: int, lane: str, said: str, since: int, kind: Any = "work") -> Event:
    return Event(seconds(tick), what, lane, said, f"{lane} {since}", kind)


def _cell(at: tuple[float, float]) -> Cell:
    """The cell in which a body stands."""
    return math.floor(at[0]), math.floor(at[1])


def _person(seen: SeenPlayer) -> Person:
    return Person(seen.name, _cell(seen.at), seen.carried)


def _known(furnace: Furnace) -> Furnace:
    """A furnace that the rules can go on with: what cannot be smelted has not come on."""
    return furnace if furnace.input[0] in COOKED else replace(furnace, progress=0)


def _told(what: str, seen: Items, predicted: Items) -> str:
    return f"{what}: {listed(seen)} (predicted: {listed(predicted)})"


def listed(items: Items) -> str:
    """Items with their numbers."""
    return ", ".join(f"{count} {item}" for item, count in items if count) or "nothing"
