"""Time that passes while somebody thinks: what a world says of it, and what a thought costs.

A *tick* is a world's smallest unit of time. A *thought* is everything between the moment a seat is shown a
state and its reply, however many calls to a model that takes; its *charge* is the virtual time that it takes,
in whole microseconds. While a seat thinks it is *silent*, and the world goes on. Nothing here sleeps, and
nothing is a float: what was charged is the same on every machine. ``timekeeping`` says when a decision comes.

``Clocked`` worlds are played by a clock of the real day as well, by people in a browser.
"""

from __future__ import annotations

import random
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Annotated, Any, ClassVar, Literal, Protocol, TypeGuard, TypeVar, runtime_checkable

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from backburner.kernel.contract import World, subclasses
from backburner.kernel.errors import Refused, shorten
from backburner.kernel.menu import listing
from backburner.kernel.values import MOST_SPENT, Count, Event, Seat, Usage, canonical_json

S_contra = TypeVar("S_contra", contravariant=True)
D_co = TypeVar("D_co", covariant=True)

SECOND = 1_000_000
"""Microseconds."""


# --- what a world says -----------------------------------------------------------------------------------


@runtime_checkable
class Timed(Protocol[S_contra, D_co]):
    """Time passes in the world while a seat is silent.

    ``tick_microseconds``: of a tick. ``nominal``: whether that is a convention, as nobody has said how long a
    step takes. ``beat_ticks``: the usual time between two decisions of good play. ``silence_is_passing``:
    whether silence is a decision that can be taken as well, an option of the menu that passes a tick.
    ``turns_count``: whether turns, too, end something, so that an option that passes brings about what
    silence does not.
    """

    tick_microseconds: ClassVar[int]
    nominal: ClassVar[bool] = False
    beat_ticks: ClassVar[int] = 1
    silence_is_passing: ClassVar[bool] = False
    turns_count: bool = False

    @abstractmethod
    def now(self, state: S_contra) -> int:
        """Ticks since the start of the episode."""

    @abstractmethod
    def silence(self, state: S_contra, seat: Seat, ticks: int) -> D_co:
        """The decision of a seat that says nothing for so many ticks, at least 1.

        No text reads as it and no menu lists it (unless ``silence_is_passing``), and a seat that must decide
        is never refused for it. If all are silent, time passes, after at most as many steps as there are
        seats, and never more than the least number of ticks; less where somebody else must decide before.
        Then whoever was silent must as well: no trace of a silence stays in the state. Silences add up: some
        ticks and then others give the state and the events that all of them give at once. What time breaks,
        breaks; nothing else changes: what the seat was told last, errors in a row, turns, calls and attempts
        stay as they are, and what is reported meanwhile is told with what comes of its next decision.
        """

    def occupied(self, state: S_contra, seat: Seat) -> bool:
        """Whether the seat is asked and has nothing to decide, so that it need not be asked yet."""
        return False

    def unmoved(self, state: S_contra, seat: Seat) -> Any:
        """What silence leaves as it is, for the conformance kit: what was told last, counters of errors,
        turns, calls, attempts."""
        return ()

    def talks(self, seat: Seat) -> bool:
        """Whether the seat can say words to others: events that are ``said`` in a lane of its own name."""
        return False

    def shortened(self, decision: Any, words: int) -> Any:
        """The decision of a seat that talks, with no more than so many words of what it says to others.

        One that says no more is as it was, and so is whatever is no decision.
        """
        return decision


class PassingIsSilence(Timed[Any, Any], Protocol):
    """A world whose silence is the first option of its menu that passes. The option must pass one tick, and
    keep the promises of a silence."""

    silence_is_passing: ClassVar[bool] = True

    def silence(self, state: Any, seat: Seat, ticks: int) -> Any:
        """The first option that passes."""
        assert isinstance(self, World)  # noqa: S101  # it is mixed into worlds alone
        option = listing(self).menu(state, seat).passing
        if option is None:
            raise Refused(f"{self.id}: no option on the menu of {seat} passes")
        return option.decision


class Walking(Struct, frozen=True):
    """How a body goes by the keys that walk: it turns, and if the next cell is one of ``floor`` (rows of
    cells, ``.`` where a body can stand) on which nobody is, it is there at once and free after
    ``step_ticks``; else it is free after a tick. Only the world knows who gives way."""

    floor: tuple[str, ...]
    step_ticks: int


@runtime_checkable
class Clocked(Timed[S_contra, D_co], Protocol[S_contra, D_co]):
    """The world can be played by a clock of the real day.

    It asks every seat in every tick, and a record has one step for a stretch in which everybody was silent.
    Whoever keeps the clock, a server or a script, makes the ticks.

    ``clock_option``: the option of an id, and its value, with which a scenario is played by the clock; the
    same without it goes turn by turn. ``None``: there is no such option.
    """

    clock_option: ClassVar[tuple[str, str] | None] = None

    @property
    @abstractmethod
    def tick_seconds(self) -> float | None:
        """Seconds of the real day that a tick lasts, at most those of the world; ``None`` where seats are
        asked turn by turn after all."""

    @property
    def walking(self) -> Walking | None:
        """How its bodies walk, for pages that show one's own step at once; ``None``: not by keys."""
        return None

    def free_from(self, state: S_contra) -> Mapping[str, int]:
        """The tick from which each body that is not free now takes its next step."""
        return {}


def timed(world: World[Any, Any, Any]) -> Timed[Any, Any]:
    """The world, in which time passes during silence; raises ``Refused`` for one that says nothing of it."""
    if not keeps_time(world):
        raise Refused(f"{world.id}: this world does not say how time passes while a seat is silent")
    return world


def keeps_time(world: World[Any, Any, Any]) -> TypeGuard[Timed[Any, Any]]:
    """Whether time passes in the world while a seat is silent."""
    # To look up a protocol's members takes longer than many a step.
    return subclasses(type(world), Timed) or isinstance(world, Timed)


def units(world: World[Any, Any, Any]) -> Mapping[str, int]:
    """The units of time that this world has, with their microseconds."""
    kept = timed(world)
    tick = kept.tick_microseconds
    own = {"minutes": 60 * SECOND, "seconds": SECOND}.get(world.time_unit, tick)
    return {"tick": tick, world.time_unit.removesuffix("s"): own, "beat": kept.beat_ticks * tick}


def unit_of(world: World[Any, Any, Any]) -> int:
    """Microseconds of the world's unit."""
    return units(world)[world.time_unit.removesuffix("s")]


def time_of(world: World[Any, Any, Any], state: Any) -> int | float:
    """How much time has passed in a state of a world in which it passes, in the world's unit."""
    kept = timed(world)
    return number_of(Fraction(kept.now(state) * kept.tick_microseconds, unit_of(world)))


def number_of(time: Fraction) -> int | float:
    """A whole number where it is one."""
    return int(time) if time.denominator == 1 else float(time)


def words_said(events: Iterable[Event], seat: Seat) -> int:
    """The words, with white space between them, that a seat which talks has said in these events."""
    said = (event.label for event in events if event.what == "said" and event.lane == seat)
    return sum(len(words.split()) for words in said)


# --- what was generated ----------------------------------------------------------------------------------

BYTES_OF_A_TOKEN = 4


class Call(Struct, frozen=True, array_like=True, omit_defaults=True, forbid_unknown_fields=True):
    """What one call to a model is charged for, as records hold it.

    ``output``: all that was generated, with ``reasoning``. ``estimated``: whether the output was counted by
    its bytes. ``tool``: whether the answer asked for a tool. ``microseconds``: how long it took, where time
    is charged. ``number``: of calls that were told of together.
    """

    input: Count = 0
    cached: Count = 0
    output: Count = 0
    reasoning: Count = 0
    estimated: bool = False
    tool: bool = False
    microseconds: Count = 0
    number: Count = 1


class Generated(Struct, frozen=True):
    """One call as it was made: what its server told, the bytes of what it said and thought (as the record
    has them, in UTF-8), and the seconds until it was answered, without what was sent again."""

    usage: Usage
    said_bytes: int = 0
    thought_bytes: int = 0
    seconds: float = 0.0


Counting = Literal["told", "bytes"]
"""Output tokens as the provider tells them, or a quarter of the bytes."""


def counted(made: Generated, by: Counting, measured: bool = False) -> Call:
    """What is charged for one call. A provider that tells fewer output than reasoning tokens has left these
    out. Words that nobody has counted, or all where ``by`` says so, are counted by their bytes."""
    usage = made.usage.bounded()
    reasoning, output = usage.reasoning_tokens, usage.output_tokens
    if output < reasoning:
        output += reasoning
    words = made.said_bytes + made.thought_bytes
    estimated = bool(words) and (by == "bytes" or not output)
    if estimated:
        unheard = 0 if made.thought_bytes else reasoning
        output = unheard + ceil(Fraction(words, BYTES_OF_A_TOKEN))
    return Call(
        usage.input_tokens,
        min(usage.cached_tokens, usage.input_tokens),
        min(output, MOST_SPENT),
        reasoning,
        estimated,
        "tool_calls" in usage.endings,
        round(min(made.seconds, MOST_SPENT / SECOND) * SECOND) if measured and made.seconds > 0 else 0,
        max(usage.calls, 1),
    )


def regenerated(call: Call) -> Generated:
    """A call, where time is charged, of which the same is counted again."""
    words = call.output * BYTES_OF_A_TOKEN if call.estimated else 0
    usage = Usage(
        input_tokens=call.input,
        output_tokens=0 if call.estimated else call.output,
        cached_tokens=call.cached,
        reasoning_tokens=call.reasoning,
        calls=call.number,
        endings={"tool_calls": 1} if call.tool else {},
    )
    return Generated(usage, thought_bytes=words, seconds=call.microseconds / SECOND)


# --- what a thought costs --------------------------------------------------------------------------------

_DECIMAL, _WRITE = r"[0-9]{1,12}(\.[0-9]{1,12})?", "write a number such as 80 or 0.5"
Decimal = Annotated[str, Meta(pattern=rf"^{_DECIMAL}\Z", description=_WRITE)]
"""A number of at most 12 digits on each side of its point, exact as it is written."""

Rate = Annotated[str, Meta(pattern=rf"^({_DECIMAL})?\Z", description=_WRITE)]
"""The same, or nothing: what takes no time."""

_SPAN = r"[0-9]{1,12}(\.[0-9]{1,6})?(\.\.[0-9]{1,12}(\.[0-9]{1,6})?)?"
Spans = Annotated[str, Meta(pattern=rf"^{_SPAN}(,{_SPAN})*\Z", max_length=100_000)]
"""A decimal number, or two with ``..`` between them: any whole microsecond from one to the other. Of several
with commas between them each is for one thought; after the last it begins again."""


class Profile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How fast somebody thinks. Rates are tokens in ``unit_microseconds``, times are seconds.

    ``decode``: tokens generated. ``prefill``, ``cached_prefill``: tokens read, new and kept from before; free
    where they are empty (kept ones: as new ones). ``first``: until the first token of a call. ``tool``: of a
    call that asked for a tool. ``speech``: of each word said to others; it is time of the world, whatever the
    ``pace``, and part of what the speaker thinks next. ``latency``: of each thought besides. ``source``: how
    this was measured.
    """

    name: Annotated[str, Meta(max_length=200)] = ""
    decode: Rate = ""
    prefill: Rate = ""
    cached_prefill: Rate = ""
    first: Decimal = "0"
    tool: Decimal = "0"
    speech: Decimal = "0"
    latency: Spans = "0"
    unit_microseconds: Annotated[int, Meta(ge=1, le=10**12)] = SECOND
    source: Annotated[str, Meta(max_length=2000)] = ""

    def __post_init__(self) -> None:
        for rate in ("decode", "prefill", "cached_prefill"):
            if getattr(self, rate) and not Fraction(getattr(self, rate)):
                raise ValueError(f"{rate} is more than 0 tokens")
        for span in spans_of(self.latency):
            low, high = bounds_of(span)
            if low > high:
                raise ValueError(f"latency goes from less to more, unlike {span}")

    def seconds(self, *calls: Call) -> Fraction:
        """What calls take together."""
        unit = Fraction(self.unit_microseconds, SECOND)
        cached, told = self.cached_prefill or self.prefill, sum(call.cached for call in calls)
        taken = Fraction(self.first) * sum(call.number for call in calls)
        taken += Fraction(self.tool) * sum(call.tool for call in calls)
        taken += _taken(sum(call.input for call in calls) - told, self.prefill, unit)
        return taken + _taken(told, cached, unit) + _taken(sum(c.output for c in calls), self.decode, unit)


def _taken(tokens: int, rate: str, unit: Fraction) -> Fraction | int:
    return Fraction(tokens) / Fraction(rate) * unit if tokens and rate else 0


@lru_cache(maxsize=64)
def spans_of(latency: str) -> Sequence[str]:
    """The spans of a latency, one for each thought."""
    return tuple(latency.split(","))


@lru_cache(maxsize=256)
def bounds_of(span: str) -> tuple[int, int]:
    """The least and the greatest number of microseconds of a span that is written in seconds."""
    low, _, high = span.partition("..")
    return ceil(Fraction(low) * SECOND), int(Fraction(high or low) * SECOND)


def thinks_longer(thoughts: str, latency: Any) -> bool:
    """Whether these are spans of single thoughts, none of which is shorter than what is told as latency."""
    spans = thoughts.split(",")
    try:
        told = msgspec.convert(latency, Spans).split(",")
    except msgspec.ValidationError:
        return False
    return len(spans) > 1 and min(low for low, _ in map(bounds_of, spans)) >= max(
        high for _, high in map(bounds_of, told)
    )


Mode = Literal["tokens", "seconds", "latency", "recorded"]
"""What is charged besides latencies: tokens, measured seconds, nothing, or what a record has."""


class TurnClock(Struct, frozen=True, gc=False):
    """What a seat that is asked knows of the clock.

    ``limit_microseconds``: of this thought, 0 for none. ``briefing``: what belongs to its briefing,
    ``told``: what stands before the text of this turn; both may be empty. ``cut``: whether its last thought
    took too long, so that nothing came of it.
    """

    now_microseconds: int
    profile: Profile
    pace: Decimal = "1"
    count: Counting = "told"
    limit_microseconds: int = 0
    briefing: str = ""
    told: str = ""
    mode: Mode = "tokens"
    cut: bool = False

    def price(self, calls: Iterable[Call]) -> int:
        """Microseconds that these calls take, where it is calls that are charged."""
        return ceil(_priced(calls, self.mode, self.profile, self.pace))

    def tokens_left(self, calls: Iterable[Call]) -> int | None:
        """The most that can be generated after these calls until the limit; ``None``: there is no end."""
        if not self.limit_microseconds or not self.profile.decode:
            return None
        left = self.limit_microseconds / Fraction(self.pace) - SECOND * self.profile.seconds(*calls)
        return max(floor(left * Fraction(self.profile.decode) / self.profile.unit_microseconds), 0)


class Clock(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clock of one episode, as its header has it.

    ``pace``: seconds of the world for one of thinking. ``tick_microseconds``: the world's. ``profiles``: how
    fast each seat thinks. ``charges``: in mode ``recorded``, what a seat's thoughts cost one by one; after
    the last it begins again. ``limit_microseconds``: of one thought, 0 for none. ``talk_words``: that a seat
    may say in all; ``None`` for any. ``tells``: whether seats are told that time passes.
    """

    mode: Mode
    tick_microseconds: Annotated[int, Meta(ge=1)]
    profiles: dict[Seat, Profile]
    pace: Decimal = "1"
    count: Counting = "told"
    charges: dict[Seat, tuple[Count, ...]] = {}
    limit_microseconds: Count = 0
    talk_words: Count | None = None
    tells: bool = True

    def __post_init__(self) -> None:
        if not Fraction(self.pace):
            raise ValueError("pace is more than 0")
        whose = self.profiles.keys() if self.mode == "recorded" else set()
        if self.charges.keys() != whose or not all(self.charges.values()):
            raise ValueError("charges are those of each seat in mode recorded, and of nobody else")

    @property
    def label(self) -> str:
        """What tells it from other clocks, in a word: ``80``, ``recorded 80,pace=10``; empty where latencies
        alone are charged, which the names of their agents say."""
        names = {seat: profile.name for seat, profile in self.profiles.items()}
        of_seats = [f"{seat}={name}" for seat, name in names.items()]
        who = [*dict.fromkeys(names.values())] if len(set(names.values())) == 1 else of_seats
        speech = next((each.speech for each in self.profiles.values() if Fraction(each.speech)), "0")
        limit = f"{self.limit_microseconds / SECOND:g}"
        return _label(self.mode, who, self.pace, limit, speech, self.talk_words, self.tells)

    def charge(self, seat: Seat, calls: Sequence[Call], number: int, seed: int) -> int:
        """Microseconds of a seat's thought of this ``number``, from 0, in an episode with this seed."""
        profile = self.profiles[seat]
        spans = spans_of(profile.latency)
        latency = drawn(spans[number % len(spans)], seed, seat, number)
        if self.mode == "recorded":
            charges = self.charges[seat]
            return charges[number % len(charges)] + latency
        if self.mode == "latency" or not calls:
            return latency
        return ceil(_priced(calls, self.mode, profile, self.pace)) + latency

    def speaking(self, seat: Seat, words: int) -> int:
        """Microseconds that a seat takes to say so many words."""
        return ceil(SECOND * Fraction(self.profiles[seat].speech) * words) if words else 0

    @property
    def counts_words(self) -> bool:
        """Whether it matters how many words are said."""
        return self.talk_words is not None or any(Fraction(each.speech) for each in self.profiles.values())


def _priced(calls: Iterable[Call], mode: Mode, profile: Profile, pace: str) -> Fraction:
    """Microseconds that calls take where they are what is charged."""
    if mode == "seconds":
        return Fraction(pace) * sum(call.microseconds for call in calls)
    return SECOND * Fraction(pace) * profile.seconds(*calls)


def drawn(span: str, *what: object) -> int:
    """A whole number of microseconds of a span, each as likely; ``what`` it is drawn for decides."""
    low, high = bounds_of(span)
    if low == high:
        return low
    return random.Random("/".join(("latency", *map(str, what)))).randint(low, high)


def _label(
    mode: Mode, who: Iterable[str], pace: str, limit: str, speech: str, talk_words: int | None, tells: bool
) -> str:
    unlike = {
        "pace": "" if Fraction(pace) == 1 else pace,
        "limit": limit if Fraction(limit) else "",
        "speech": speech if Fraction(speech) else "",
        "talk": "" if talk_words is None else str(talk_words),
        "tell": "" if tells else "no",
    }
    names = ",".join(who)
    first = names if mode == "tokens" else "" if mode == "latency" else f"{mode} {names}".rstrip()
    return ",".join(filter(None, (first, *(f"{key}={value}" for key, value in unlike.items() if value))))


# --- what a run asks for ---------------------------------------------------------------------------------

PER = "/"

SPEED = re.compile(r"[0-9.]+(/[a-z]+)?", re.ASCII)
"""What is written as a speed."""


class Timing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The clock that a run asks for, whichever worlds it plays; ``bound`` makes it the clock of one.

    ``speed``: tokens a second, or in a unit of the world as in ``250/step`` or ``500/beat``; it stands for a
    profile that has nothing else. ``profile``: in place of a speed. ``seats``: profiles of single seats.
    ``charges``: what a record charged, for mode ``recorded``.
    """

    mode: Mode = "tokens"
    speed: str = ""
    profile: Profile | None = None
    seats: dict[Seat, Profile] = {}
    pace: Decimal = "1"
    count: Counting = "told"
    charges: dict[Seat, tuple[Count, ...]] = {}
    limit: Decimal = "0"
    speech: Decimal = "0"
    talk_words: Count | None = None
    tells: bool = True

    def __hash__(self) -> int:
        return hash(canonical_json(self))

    @property
    def label(self) -> str:
        """As that of the ``Clock`` that comes of it, where all seats think alike."""
        general = self.speed or ("" if self.profile is None else self.profile.name)
        who = [*filter(None, [general]), *(f"{seat}={each.name}" for seat, each in self.seats.items())]
        return _label(self.mode, who, self.pace, self.limit, self.speech, self.talk_words, self.tells)

    def bound(self, world: World[Any, Any, Any], latencies: Mapping[Seat, str] = {}) -> Clock:
        """The clock of an episode of this world, whose players have these latencies.

        Raises ``Refused`` for a world that does not say how time passes, and for a unit that it has not.
        """
        tick, general = timed(world).tick_microseconds, self._general(world)
        for seat in self.seats:
            if seat not in world.seats:
                raise Refused(f"{world.id}: no seat {seat!r} has a clock; there are {', '.join(world.seats)}")
        profiles = {}
        for seat in world.seats:
            profile = self.seats.get(seat, general)
            if self.speech != "0":
                profile = replace(profile, speech=self.speech)
            profiles[seat] = replace(profile, latency=latencies[seat]) if seat in latencies else profile
        return Clock(
            self.mode,
            tick,
            profiles,
            self.pace,
            self.count,
            self.charges,
            min(ceil(Fraction(self.limit) * SECOND), MOST_SPENT),
            self.talk_words,
            self.tells,
        )

    def _general(self, world: World[Any, Any, Any]) -> Profile:
        if self.profile is not None:
            return self.profile
        if not self.speed:
            return Profile()
        tokens, per, unit = self.speed.partition(PER)
        known = units(world)
        if per and unit not in known:
            raise Refused(f"{world.id} has no {unit!r} for a speed; it has {', '.join(known)}")
        if per and Fraction(self.pace) != 1:
            raise Refused(f"speed {self.speed} counts the world's own time; with it pace is 1")
        unit_microseconds = known[unit] if per else SECOND
        made = {"name": self.speed, "decode": tokens, "unit_microseconds": unit_microseconds}
        try:
            return msgspec.convert(made, Profile)
        except msgspec.ValidationError as error:
            raise Refused(f"a speed is such as 80 or 250/beat, not {shorten(self.speed)!r}") from error
