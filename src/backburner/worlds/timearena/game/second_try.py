"""The rules under ``second_try``: the released Reflexion loop, one call of its environment at a time.

The driver carries out an action. If that is refused, it asks for another one and carries that out in the
same minute of the limits, which then is two minutes for what goes on by itself. What counts is the second
result: its refusal is one more in a row, and only it can complete the tasks. If the second action keeps the
agent busy, the driver does not ask in the next minute but repeats its *own* text, the refused one; refused
again, it asks for something else again. Begun work keeps the minutes it has had.

Example: at minute 8 ``wash cup`` is refused (done already), and ``chop beef`` (3 minutes) begins. At minute 9
``wash cup`` is carried out once more and refused, and ``chop beef`` goes on; so again at minute 10, when it
ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.timearena.game.legality import Attempt
from backburner.worlds.timearena.game.state import (
    INVALID_ACTION,
    WAITED,
    Act,
    Decision,
    Driver,
    Feedback,
    Quit,
    Report,
    Running,
    Silence,
    State,
    Told,
    Wait,
)
from backburner.worlds.timearena.game.transition import AGENT, Kind, Rulebook, background_event

Asked = Decision | Refusal | None
What = Literal["start", "pause", "resume", "end"]


class Call(NamedTuple):
    """One call of the environment: the state after it, its events, and why it was refused, if so.

    ``told``: whether the agent is told anything of it; work that goes on is silent. ``busy``: whether the
    driver goes on without asking.
    """

    state: State
    events: tuple[Event, ...]
    refusal: Refusal | None = None
    told: bool = True
    busy: bool = False


class Minute(NamedTuple):
    """What is finished and earned after a minute, what still goes on by itself, and what is told of ends."""

    finished: int
    earned: int
    running: tuple[Running, ...]
    reports: tuple[Report, ...]

    def with_end_of(self, attempt: Attempt) -> Minute:
        """The same after this action has ended too."""
        return Minute(
            self.finished | attempt.bit,
            self.earned + attempt.earns,
            self.running,
            self.reports + attempt.report,
        )


class SecondTries(Rulebook):
    """The rules of one scenario under its limits, where what is refused may be replaced in its minute."""

    def step(self, state: State, decision: Asked) -> Step[State]:
        """What follows until the agent is asked again.

        That the driver's own text was refused once more is no refusal of this decision: observation and
        events tell it.
        """
        if state.ended:
            return Step(state)
        if isinstance(decision, Silence):
            return self.let_pass(state, decision.minutes)
        calls = tuple(self.calls(state, decision))
        events = tuple(event for call in calls for event in call.events)
        refusal = calls[0].refusal
        return Step(calls[-1].state, events, () if refusal is None else (refusal,))

    def calls(self, state: State, decision: Asked) -> Iterator[Call]:
        """The calls that one decision leads to: its own, then those of the driver's text repeated."""
        driver = state.driver or Driver()
        if isinstance(decision, Quit) and driver.own is None:
            step = super().step(state, decision)
            yield Call(replace(step.state, driver=replace(driver, told=())), step.events)
            return
        own = driver.own or decision
        told: tuple[Told, ...] = ()
        call = self._call(state, decision, told)
        yield call
        while call.busy and not call.state.ended:
            if call.told:
                told += (Told(call.state.feedback, call.state.reports),)
            call = self._call(call.state, own, told)
            yield call

    def _call(self, state: State, decision: Asked, told: tuple[Told, ...]) -> Call:
        attempt = self._attempt(decision)
        refusal = attempt if isinstance(attempt, Refusal) else None
        if isinstance(attempt, Attempt):
            refusal = self.legality.obstacle(state, attempt)
        if refusal is not None:
            own = attempt.act if isinstance(attempt, Attempt) else None
            return self._refused(state, own, refusal.at(AGENT, refusal.index), told)
        return self._accepted(state, attempt if isinstance(attempt, Attempt) else None, told)

    def _attempt(self, decision: Asked) -> Attempt | Refusal | None:
        """``None`` for a wait. Giving up is no action where something else is wanted for a refused one."""
        if isinstance(decision, Wait):
            return None
        if isinstance(decision, Act):
            return self.legality.attempt(decision)
        return decision if isinstance(decision, Refusal) else INVALID_ACTION

    def _refused(self, state: State, own: Act | None, refusal: Refusal, told: tuple[Told, ...]) -> Call:
        """The first refusal of a minute leaves it open, the second one ends it."""
        driver = state.driver or Driver()
        opens = driver.own is None
        minute = state.minute if opens else state.minute + 1
        clock = state.minute - state.lost_minutes + (not self.freezes(refusal))
        key = f"{refusal.code}@{state.minute}{', first' if opens else ''}"
        events = [Event(state.minute, "start", AGENT, refusal.code, key, "refused")]
        if driver.carried_on:
            events.append(self._agents_event(driver, state.minute, "pause"))
        after = Minute(state.finished, state.earned, state.running, ())
        if not self.freezes(refusal):
            after = self._run_until(clock, minute, state, state.running, events)
        events.append(Event(minute, "end", AGENT, refusal.code, key, "refused"))
        score = state.score
        if self._credits(refusal):
            score = self._credit(score, after.earned, minute, events)
        errors = state.errors_in_a_row + (not opens)
        over = "" if opens else self._ended(score, minute, errors, refusal)
        if over:
            events += self._broken_off(after.running, minute)
        new = replace(
            state,
            minute=minute,
            lost_minutes=minute - clock,
            finished=after.finished,
            earned=after.earned,
            score=score,
            running=after.running,
            errors_in_a_row=errors,
            feedback=Feedback("refused", refusal=refusal),
            reports=(state.untold or ()) + after.reports,
            untold=UNSET,
            ended=over,
            driver=replace(
                driver,
                refused=own if opens else None,
                unread=refusal if opens and own is None else None,
                carried_on=False,
                told=told,
            ),
        )
        return Call(new, tuple(events), refusal)

    def _accepted(self, state: State, attempt: Attempt | None, told: tuple[Told, ...]) -> Call:
        """A wait, or an action that starts or goes on: the minute is over."""
        driver = state.driver or Driver()
        minute, clock = state.minute + 1, state.minute - state.lost_minutes + 1
        work = work_of(attempt, driver, state.minute)
        events: list[Event] = []
        if driver.carried_on and work.key != driver.key:
            events.append(self._agents_event(driver, state.minute, "pause"))
        if not (driver.carried_on and work.key == driver.key):
            what: What = "resume" if work.key == driver.key else "start"
            events.append(Event(state.minute, what, AGENT, work.label, work.key, work.kind))
        under_way = state.running
        if attempt is not None and not attempt.occupies_agent:
            ends = clock - 1 + attempt.duration
            under_way = (*under_way, Running(ends, attempt.act))
            events.append(background_event(attempt, ends, state.minute, "start"))
        after = self._run_until(clock, minute, state, under_way, events, notice=not work.silent)
        if attempt is not None and attempt.occupies_agent and not work.busy:
            after = after.with_end_of(attempt)
        score = self._credit(state.score, after.earned, minute, events)
        errors = state.errors_in_a_row if work.silent else 0
        over = self._ended(score, minute, errors, None)
        if over or not work.busy:
            what = "pause" if work.busy else "end"
            events.append(Event(minute, what, AGENT, work.label, work.key, work.kind))
        if over:
            events += self._broken_off(after.running, minute)
        remembered = Driver(None, None, work.begun, work.key, work.done, work.busy and not over, told)
        reports, untold = ((), state.untold) if work.silent else ((state.untold or ()) + after.reports, UNSET)
        new = State(
            minute, after.finished, after.earned, after.running, score, errors, minute - clock, work.feedback,
            reports, over, None if attempt is None else attempt.paired, remembered, untold,
        )  # fmt: skip
        return Call(new, tuple(events), None, not work.silent, work.busy)

    def _run_until(
        self,
        clock: int,
        minute: int,
        state: State,
        under_way: tuple[Running, ...],
        events: list[Event],
        notice: bool = True,
    ) -> Minute:
        """What goes on by itself reaches ``clock``; ``events`` is added to.

        What ends counts at once, but only a call that tells something notices it: until then its things are
        in use.
        """
        after = Minute(state.finished, state.earned, under_way, ())
        over = self._over(under_way, clock)
        for running in over:
            if running.ends == clock:
                attempt = self._attempts[running.act]
                after = after.with_end_of(attempt)
                events.append(background_event(attempt, clock, minute, "end"))
        if not notice:
            return after._replace(reports=())
        reports = tuple(report for r in over for report in self._attempts[r.act].report)
        return after._replace(
            running=tuple(running for running in under_way if running.ends > clock), reports=reports
        )

    def _agents_event(self, driver: Driver, minute: int, what: What) -> Event:
        label = "" if driver.begun is None else self.legality.attempts[driver.begun].words
        return Event(minute, what, AGENT, label, driver.key)


class Work(NamedTuple):
    """What the agent does in an accepted call. ``busy``: it is not done with it after this minute.

    ``silent``: work goes on and does not end, of which nothing is told. ``begun`` and ``done`` are what the
    driver then has of those names.
    """

    label: str
    kind: Kind
    key: str
    feedback: Feedback
    begun: Act | None = None
    done: tuple[tuple[int, int], ...] = ()
    busy: bool = False
    silent: bool = False


def work_of(attempt: Attempt | None, driver: Driver, minute: int) -> Work:
    """A wait, the start of work that goes on by itself, or a minute of work that holds the agent."""
    if attempt is None:
        return Work("wait", "wait", f"wait@{minute}", WAITED, done=driver.done)
    if not attempt.occupies_agent:
        label = attempt.label
        return Work(label, "work", f"{label}@{minute}", attempt.feedback, done=driver.done)
    role = -1 if attempt.roles[0] is None else attempt.roles[0].number
    before = dict(driver.done).get(role, 0)
    goes_on = attempt.act == driver.begun and before > 0
    busy = attempt.minutes - before > 1
    done = {number: minutes for number, minutes in driver.done if number != role}
    if busy:
        done[role] = before + 1
    return Work(
        attempt.words,
        "work",
        driver.key if goes_on else f"{attempt.words}@{minute}",
        Feedback("going on", attempt.act) if goes_on else attempt.feedback_after(before),
        attempt.act,
        tuple(sorted(done.items())),
        busy,
        silent=goes_on and busy,
    )
