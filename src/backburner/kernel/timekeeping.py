"""When a decision comes that somebody thinks about for a while: a queue of thoughts in virtual time.

A seat is shown the state in which it is asked; what it says is read in the state in which its thought is
over. Until then it is silent, and the world goes on. Nothing sleeps: the moment at which an answer comes is
known when the call returns, by its charge, so that nothing depends on how long the call took on the day.

What a thought costs beyond whole ticks is carried over to the seat's next one: all thoughts together are
charged exactly, but for less than a tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.kernel.clock import (
    SECOND,
    Call,
    Clock,
    Generated,
    TurnClock,
    counted,
    timed,
    units,
    words_said,
)
from backburner.kernel.contract import World
from backburner.kernel.episode import Deliberation
from backburner.kernel.policy import Reply
from backburner.kernel.values import MOST_SPENT, Event, Refusal, Seat, Thought, Usage, writable

MOST_CUT_IN_A_ROW = 3
"""Thoughts that take too long: the last of so many counts as an answer that nobody can read."""

LONGEST_LOOK = 1000
"""Ticks that are looked ahead for somebody who is occupied."""

NEVER = None
"""When a thought is over whose charge no record tells: play was cut before."""


class Pending(Struct, frozen=True, gc=False):
    """A thought under way: in which tick it began, in which it is over, and what comes of it.

    ``reply``: what will be said, where that is known; a thought that was cut says nothing.
    """

    since: int
    due: int | None
    thought: Deliberation
    reply: Any = None
    speaks: bool = True


class Moment(Struct, frozen=True, gc=False):
    """What happens in a state: who decides what was thought about, and the silences of all others.

    ``most``: ticks until the first of their thoughts is over, of those that are known.
    """

    decided: Mapping[Seat, Pending]
    silences: Mapping[Seat, Any]
    most: int | None = None


class Timekeeper:
    """Keeps the clock of one episode: asked when to ask, told what was thought, asked who decides when."""

    def __init__(self, world: World[Any, Any, Any], clock: Clock, seed: int) -> None:
        self.clock = clock
        self.pending: dict[Seat, Pending] = {}
        self._world, self._timed, self._seed = world, timed(world), seed
        self._carry = dict.fromkeys(world.seats, 0)
        self._thoughts = dict.fromkeys(world.seats, 0)
        self._cut_in_a_row = dict.fromkeys(world.seats, 0)
        self._talkers = [seat for seat in world.seats if clock.counts_words and self._timed.talks(seat)]
        self._said = dict.fromkeys(world.seats, 0)  # words
        self._uncharged = dict.fromkeys(world.seats, 0)  # of these, since the seat began to think
        self._deciding: Sequence[Seat] = ()  # in the step that is to come
        self._last: dict[Seat, tuple[int, bool]] = {}  # the ticks of a last thought, whether it was cut
        self._briefings = {seat: briefed(world, clock, seat) if clock.tells else "" for seat in world.seats}

    # --- who is asked, and what it is told of the time -----------------------------------------------------

    def to_ask(self, state: Any, deciders: Sequence[Seat]) -> Sequence[Seat]:
        """Of the seats that must decide in this state, those that begin to think."""
        if self.pending:
            now = self._timed.now(state)
            for seat, pending in tuple(self.pending.items()):
                if not pending.speaks and pending.due is not NEVER and pending.due <= now:
                    del self.pending[seat]
        return [seat for seat in deciders if self._asks(state, seat)]

    def _asks(self, state: Any, seat: Seat) -> bool:
        return seat not in self.pending and not self._timed.occupied(state, seat)

    def turn(self, state: Any, seat: Seat) -> TurnClock:
        """What a seat that is asked may know of the clock."""
        clock = self.clock
        told = _told(self._world, clock, *self._last[seat]) if clock.tells and seat in self._last else ""
        if clock.tells and self._said[seat] and (left := self.words_left(seat)) is not None:
            told = " ".join(filter(None, (told, _words_told(left))))
        return TurnClock(
            self._timed.now(state) * clock.tick_microseconds,
            clock.profiles[seat],
            clock.pace,
            clock.count,
            clock.limit_microseconds,
            self._briefings[seat],
            told,
            clock.mode,
            seat in self._last and self._last[seat][1],
        )

    # --- what was thought ----------------------------------------------------------------------------------

    def think(self, state: Any, seat: Seat, index: int, reply: Reply) -> Pending:
        """A seat that was shown this state, before the step of this number, has replied."""
        measured = self.clock.mode == "seconds"
        made = generated(reply, measured)
        calls = tuple([counted(one, self.clock.count, measured) for one in made]) if made else ()
        charge, cut = self.charged(seat, calls)
        return self.begin(state, seat, Deliberation(index, charge, calls, cut), reply)

    def charged(self, seat: Seat, calls: Sequence[Call]) -> tuple[int, bool]:
        """What the seat's next thought costs when it makes these calls, and whether it is cut; with what it
        took to say what the seat has said before."""
        charge = self.clock.charge(seat, calls, self._thoughts[seat], self._seed)
        limit = self.clock.limit_microseconds
        cut = 0 < limit < charge
        charge = limit if cut else charge
        if words := self._uncharged[seat]:
            charge += self.clock.speaking(seat, words)
        return min(charge, MOST_SPENT), cut

    def begin(self, state: Any, seat: Seat, thought: Deliberation, reply: Any = None) -> Pending:
        """A seat thinks, for as long as this thought is charged."""
        now = self._timed.now(state)
        ticks, self._carry[seat] = divmod(self._carry[seat] + thought.charge, self.clock.tick_microseconds)
        self._thoughts[seat] += 1
        self._uncharged[seat] = 0
        self._cut_in_a_row[seat] = self._cut_in_a_row[seat] + 1 if thought.cut else 0
        speaks = not thought.cut
        if thought.cut:
            ticks = max(ticks, 1)  # else the same state would be shown again
            if self._cut_in_a_row[seat] == MOST_CUT_IN_A_ROW:
                self._cut_in_a_row[seat], speaks = 0, True
        if ticks:
            self._last[seat] = ticks, thought.cut
        else:
            self._last.pop(seat, None)
        pending = self.pending[seat] = Pending(now, now + ticks, thought, reply, speaks)
        return pending

    def begin_unknown(self, state: Any, seat: Seat, index: int) -> None:
        """A seat thinks, and no record tells for how long."""
        self.pending[seat] = Pending(self._timed.now(state), NEVER, Deliberation(index, 0))

    # --- what is said to others ----------------------------------------------------------------------------

    def words_left(self, seat: Seat) -> int | None:
        """How many words a seat may still say; ``None`` for any number, and where it does not talk."""
        most = self.clock.talk_words
        return None if most is None or seat not in self._talkers else max(most - self._said[seat], 0)

    def within(self, seat: Seat, decision: Any) -> Any:
        """The decision without words that the seat may not say any more."""
        left = self.words_left(seat)
        return (
            decision
            if left is None or isinstance(decision, Refusal)
            else self._timed.shortened(decision, left)
        )

    def hear(self, events: Sequence[Event]) -> None:
        """The step of the last ``moment`` is made, and has these events."""
        for seat in self._deciding:
            del self.pending[seat]
        for seat in self._talkers:
            words = words_said(events, seat)
            self._said[seat] += words
            self._uncharged[seat] += words

    # --- who decides ---------------------------------------------------------------------------------------

    def moment(self, state: Any, deciders: Sequence[Seat]) -> Moment:
        """What happens in a state in which these must decide, and all have been asked who are to be."""
        now, waiting = self._timed.now(state), []
        decided: dict[Seat, Pending] = {}
        for seat in deciders:
            pending = self.pending.get(seat)
            if pending is None or pending.due is NEVER or pending.due > now:
                waiting.append(seat)
            else:
                decided[seat] = pending
        self._deciding = tuple(decided)
        if not waiting:
            return Moment(decided, {})
        dues = [self.pending[seat].due for seat in waiting if seat in self.pending]
        left = min((due - now for due in dues if due is not NEVER), default=None)
        if all(seat in self.pending for seat in waiting):
            ticks = 1 if left is None else left
        else:  # somebody is occupied, and is asked as soon as it is not
            ticks = 1 if decided else self._until_somebody_is_asked(state, left)
        return Moment(decided, {seat: self._timed.silence(state, seat, ticks) for seat in waiting}, left)

    def _until_somebody_is_asked(self, state: Any, most: int | None) -> int:
        """Ticks until nobody who is occupied now is to be asked, at most until a thought is over."""
        begun = self._timed.now(state)
        passed = 0
        while passed < (LONGEST_LOOK if most is None else min(most, LONGEST_LOOK)):
            seats = self._world.deciders(state)
            silences = {seat: self._timed.silence(state, seat, 1) for seat in seats}
            state = self._world.step(state, silences).state
            now = self._timed.now(state) - begun
            if now <= passed:
                break
            passed = now
            deciders = self._world.deciders(state)
            if not deciders or any(self._asks(state, seat) for seat in deciders):
                break
        return max(passed, 1)

    def unfinished(self, steps: int) -> dict[Seat, Deliberation]:
        """The thoughts that are under way after so many steps, but for those that a step has as cut."""
        thoughts = {seat: pending.thought for seat, pending in self.pending.items() if pending.speaks}
        return {seat: thought for seat, thought in thoughts.items() if thought.asked < steps}


def generated(reply: Reply, measured: bool = False) -> tuple[Generated, ...]:
    """The calls of a reply. Who tells one sum for several has made them all alike; where time is
    ``measured``, that of a person is a call as well."""
    if reply.calls or reply.usage is None or not (reply.usage.calls or (measured and reply.usage.seconds)):
        return reply.calls
    said = reply.answer if isinstance(reply.answer, str) else ""
    return (in_one(reply.usage, said, reply.thoughts),)


def in_one(usage: Usage, said: str, thoughts: Iterable[Thought]) -> Generated:
    """All calls that led to some words as one that nobody tells apart."""
    thought = sum(len(writable(each.text).encode()) for each in thoughts)
    return Generated(usage, len(writable(said).encode()), thought, usage.seconds)


def spent(reply: Reply) -> Usage | None:
    """All that a reply has cost, with what is not charged as time."""
    if reply.usage is None or reply.beside is None:
        return reply.usage or reply.beside
    return replace(reply.usage + reply.beside, requests=reply.usage.requests)


# --- what seats are told ---------------------------------------------------------------------------------

CUT = "You thought for the longest time and had not decided."


def briefed(world: World[Any, Any, Any], clock: Clock, seat: Seat) -> str:
    """The sentence of a briefing that says that time passes, and how fast the seat thinks."""
    words = clock.talk_words
    talk = words is not None and timed(world).talks(seat)
    limited = f" You may say {_number(words)} to others in all." if words is not None and talk else ""
    return _passes(world, clock, seat) + limited


def _passes(world: World[Any, Any, Any], clock: Clock, seat: Seat) -> str:
    profile = clock.profiles[seat]
    if clock.mode != "tokens" or not profile.decode:
        return "Time passes while you think."
    unit, microseconds = _unit(world)
    thinking = Fraction(microseconds, profile.unit_microseconds) / Fraction(clock.pace)
    tokens = round(Fraction(profile.decode) * thinking)
    if tokens < 1:
        units_of_one = round(1 / (Fraction(profile.decode) * thinking))
        return f"Time passes while you think: a token takes about {units_of_one:,} {unit}s."
    told = "1 token takes" if tokens == 1 else f"{tokens:,} tokens take"
    return f"Time passes while you think: about {told} a {unit}."


def _told(world: World[Any, Any, Any], clock: Clock, ticks: int, cut: bool) -> str:
    unit, microseconds = _unit(world)
    passed = Fraction(ticks * clock.tick_microseconds, microseconds)
    number = f"{float(passed):g} {unit}{'' if passed == 1 else 's'}"
    told = f"While you decided, {number} passed." if ticks and not cut else ""
    return " ".join(filter(None, (CUT if cut else "", told)))


def _number(words: int) -> str:
    return "1 word" if words == 1 else f"{words:,} words"


def _words_told(left: int) -> str:
    return f"You may say {_number(left)} more." if left else "Nothing more that you say will be heard."


def _unit(world: World[Any, Any, Any]) -> tuple[str, int]:
    unit = world.time_unit.removesuffix("s")
    return unit, units(world).get(unit, SECOND)
