"""The rules: why a decision is impossible, and what follows from one that is possible."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from backburner.kernel.values import Event, Fault, Refusal, Step
from laundry.state import VERBS, Basket, Decision, Do, Limits, Rules, Scenario, State, Verb, Wait

YOU = "agent"
"""The only seat, and the lane of what hands do."""

MACHINES: dict[Verb, str] = {"wash": "washer", "dry": "dryer"}


LONGEST_WAIT = 24 * 60
"""Minutes: a day."""


class Rulebook:
    """The rules of one scenario. It holds nothing that changes."""

    def __init__(self, scenario: Scenario, rules: Rules, limits: Limits) -> None:
        self.scenario, self.rules, self.limits = scenario, rules, limits
        self._number = {load.name: index for index, load in enumerate(scenario.loads)}
        self.machines: dict[Verb, int] = {"wash": scenario.washers, "dry": scenario.dryers}

    def start(self) -> State:
        """Everything is dirty, every machine is empty."""
        return State(0, tuple(Basket() for _ in self.scenario.loads))

    def minutes(self, load: int, verb: Verb) -> int:
        """How long a part of a load's way takes, from when you begin to fill the machine."""
        own = self.scenario.loads[load]
        if verb == "fold":
            return own.fold_minutes
        return self.rules.loading_minutes + (own.wash_minutes if verb == "wash" else own.dry_minutes)

    def hands(self, load: int, verb: Verb) -> int:
        """How many of these minutes you are busy."""
        return self.minutes(load, verb) if verb == "fold" else self.rules.loading_minutes

    def free_machine(self, state: State, verb: Verb) -> int:
        """The lowest number of a free machine; 0 if all are in use."""
        step = VERBS.index(verb)
        taken = {basket.machine for basket in state.baskets if basket.running and basket.done == step}
        return next((n for n in range(1, self.machines[verb] + 1) if n not in taken), 0)

    def obstacle(self, state: State, decision: object) -> Refusal | None:
        """Why a decision is impossible; ``None`` if it is possible."""
        if isinstance(decision, Refusal):
            return decision
        if isinstance(decision, Wait):
            return self._no_wait(state, decision)
        if not isinstance(decision, Do):
            return Refusal("no decision", Fault.UNREADABLE)
        if decision.load not in self._number:
            return Refusal("no such load", Fault.UNKNOWN_THING, (("load", decision.load),))
        basket = state.baskets[self._number[decision.load]]
        detail = (("verb", decision.verb), ("load", decision.load))
        step = VERBS.index(decision.verb)
        if basket.running:
            return Refusal("in the machine", Fault.OCCUPIED, (*detail, ("until", basket.until)))
        if basket.done > step:
            return Refusal("done before", Fault.ALREADY_DONE, detail)
        if basket.done < step:
            first = ("first", VERBS[basket.done])
            return Refusal("not its turn", Fault.MISSING_PREREQUISITE, (*detail, first))
        if decision.verb in MACHINES and not self.free_machine(state, decision.verb):
            return Refusal("no machine", Fault.OCCUPIED, (*detail, ("machine", MACHINES[decision.verb])))
        return None

    def _no_wait(self, state: State, wait: Wait) -> Refusal | None:
        if wait.minutes is None and not any(basket.running for basket in state.baskets):
            return Refusal("nothing to wait for", Fault.MISSING_PREREQUISITE)
        if wait.minutes is not None and not 1 <= wait.minutes <= LONGEST_WAIT:
            return Refusal("no time to wait", Fault.MISMATCH, (("minutes", wait.minutes),))
        return None

    def step(self, state: State, decision: object) -> Step[State]:
        """What follows. A refused decision costs one minute."""
        refusal = self.obstacle(state, decision)
        if refusal is not None:
            refused = [Event(state.minute, "start", YOU, refusal.code, f"refused {state.minute}", "refused")]
            return self._pass(state, state.minute + 1, refused, (replace(refusal, seat=YOU),))
        if isinstance(decision, Do):
            return self._do(state, decision)
        if isinstance(decision, Wait) and decision.minutes is not None:
            return self._pass(state, state.minute + decision.minutes)
        return self._pass(state, min(basket.until for basket in state.baskets if basket.running))

    def _do(self, state: State, do: Do) -> Step[State]:
        load, now = self._number[do.load], state.minute
        label = f"{do.verb} {do.load}"
        if do.verb == "fold":
            events = [Event(now, "start", YOU, label, label)]
            return self._pass(state, now + self.minutes(load, "fold"), events, folded=load)
        machine = self.free_machine(state, do.verb)
        basket = Basket(VERBS.index(do.verb), machine, now + self.minutes(load, do.verb))
        lane = f"{MACHINES[do.verb]} {machine}"
        events = [Event(now, "start", lane, label, label)]
        if self.hands(load, do.verb):
            events.insert(0, Event(now, "start", YOU, f"start {label}", f"start {label}"))
        baskets = (*state.baskets[:load], basket, *state.baskets[load + 1 :])
        return self._pass(replace(state, baskets=baskets), now + self.hands(load, do.verb), events)

    def _pass(
        self,
        state: State,
        until: int,
        events: list[Event] | None = None,
        refusals: tuple[Refusal, ...] = (),
        folded: int | None = None,
    ) -> Step[State]:
        """Let time pass: machines stop, and what your hands began is finished, unless the room closes."""
        begun = list(events or ())
        closes = self.limits.minutes
        closed = closes is not None and until >= closes
        now = min(until, closes) if closes is not None else until
        stops = list(self._stops(state, now))
        in_hand = [event for event in begun if event.lane == YOU]
        ended = [] if now < until else [replace(event, time=now, what="end") for event in in_hand]
        baskets = list(state.baskets)
        for _, index in stops:
            baskets[index] = Basket(baskets[index].done + 1)
        happened = [*begun, *(event for event, _ in stops), *ended]
        if folded is not None and now == until:
            baskets[folded] = Basket(len(VERBS))
            happened.append(Event(now, "score", value=self.score(baskets)))
        after = State(now, tuple(baskets))
        return Step(replace(after, closed=closed and not after.finished), tuple(happened), refusals)

    def _stops(self, state: State, until: int) -> Iterator[tuple[Event, int]]:
        """The machines that stop up to then, in order of time, each with its load."""
        running = [(basket.until, index) for index, basket in enumerate(state.baskets) if basket.running]
        for minute, index in sorted(running):
            if minute > until:
                return
            basket, name = state.baskets[index], self.scenario.loads[index].name
            verb = VERBS[basket.done]
            label = f"{verb} {name}"
            yield Event(minute, "end", f"{MACHINES[verb]} {basket.machine}", label, label), index

    def score(self, baskets: list[Basket] | tuple[Basket, ...]) -> float:
        """Per cent of the loads that are folded."""
        return 100 * sum(basket.done == len(VERBS) for basket in baskets) / len(baskets)


def decisions(book: Rulebook, state: State) -> Iterator[Decision]:
    """The decisions worth listing: what can be begun now, and to wait for the next machine."""
    for verb in VERBS:
        for load in book.scenario.loads:
            do = Do(verb, load.name)
            if book.obstacle(state, do) is None:
                yield do
    if book.obstacle(state, Wait()) is None:
        yield Wait()
