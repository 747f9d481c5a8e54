"""Fast and slow: one model decides while another one thinks, and hears what that has said so far.

As in Real-Time Reasoning Gym (AgileThinker), for every world that has a clock. The slow one's answer is
fetched at once, and heard in virtual time: of a thought that takes ten minutes half of the words are heard
after five. They are advice and never a decision, as they are about how things stood when it began.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, ValidationError, convert, structs

from backburner.agents.models.client import answered
from backburner.agents.models.method import Exchange, Method, Option
from backburner.kernel.clock import SECOND, Profile, TurnClock, units
from backburner.kernel.contract import World
from backburner.kernel.errors import Refused

SPEED = "slow_speed"
"""The choice that says how fast the slow one is."""

ADVICE = "advice"
"""The purpose of a thought that holds all that the slow one says to the state in which it is asked."""


class Advice(Struct, frozen=True):
    """All that the slow one says to one state: since when, and how long it takes."""

    words: str
    since: int
    price: int

    def is_over(self, now: int) -> bool:
        """Whether all of it has been said."""
        return now - self.since >= self.price

    def heard(self, now: int) -> str:
        """What has been said so far: the share of its bytes that is the share of its time, in whole
        characters."""
        if self.is_over(now):
            return self.words
        spelling = self.words.encode()
        n_bytes = -(-len(spelling) * (now - self.since) // self.price)
        return spelling[:n_bytes].decode(errors="ignore")


class Colleague(Struct, frozen=True):
    """The slow one: what it said last, which stays until it has said more, and what it is saying."""

    finished: Advice | None = None
    saying: Advice | None = None

    def at(self, now: int) -> Colleague:
        """The same at this moment."""
        if self.saying is not None and self.saying.is_over(now):
            return Colleague(self.saying)
        return self


class Heard(Struct, frozen=True):
    """A piece of advice as the fast one is told of it."""

    words: str
    moment: str
    over: bool


async def agile(exchange: Exchange) -> str:
    """One call for each decision, with what the slow one has said by now; who is asked about the present
    state wherever it has come to an end. What it said is told once: it does not stay in the conversation.

    Raises ``Refused`` where calls take no time.
    """
    clock = exchange.turn.clock
    if clock is None or clock.mode not in ("tokens", "seconds"):
        raise Refused("agile needs a clock by which calls take time, such as --clock tokens@speed=80")
    now = clock.now_microseconds
    colleague = (exchange.notes or Colleague()).at(now)
    if colleague.saying is None:
        words, call = await exchange.consult("plan")
        exchange.note(ADVICE, words)
        price = _slow(clock, exchange.choices[SPEED]).price([call])
        colleague = Colleague(colleague.finished, Advice(words, now, price)).at(now)
    exchange.notes = colleague
    told = [advice for advice in (colleague.finished, colleague.saying) if advice and advice.heard(now)]
    heard = [Heard(each.heard(now), _moment(exchange.world, each), each.is_over(now)) for each in told]
    advised, plain = (exchange.message(exchange.render("act", advice=advice)) for advice in (heard, []))
    text = await exchange.complete("act", (*exchange.conversation, advised))
    exchange.conversation += (plain, answered(text))
    return text


def _slow(clock: TurnClock, speed: str) -> TurnClock:
    """The clock with the slow one's own speed, if it has one."""
    if not speed:
        return clock
    profile = structs.replace(clock.profile, decode=speed, unit_microseconds=SECOND)
    return structs.replace(clock, profile=profile)


def _moment(world: World[Any, Any, Any], advice: Advice) -> str:
    """Such as ``minute 12``."""
    unit = world.time_unit.removesuffix("s")
    return f"{unit} {advice.since / units(world)[unit]:g}"


def _unfit(world: World[Any, Any, Any], choices: Mapping[str, str]) -> str:
    """Why the choices make no sense in a world; empty if they do."""
    try:
        convert({"decode": choices[SPEED]} if choices[SPEED] else {}, Profile)
    except ValidationError:
        return f"{SPEED} is a number of tokens in a second, such as 20, not {choices[SPEED]!r}"
    return ""


AGILE = Method(
    name="agile",
    summary="decides fast, and hears what a slow model says meanwhile (needs a clock, and --model slow=NAME)",
    source="Real-Time Reasoning Gym (arXiv 2511.04898), AgileThinker",
    decide=agile,
    messages={"plan": {}, "act": {"advice": [Heard("words", "minute 1", False)]}},
    options={
        SPEED: Option("", "tokens that the slow one generates in a second, if not as many as the fast one")
    },
    answers={"plan": "thoughts"},
    advised=True,
    check=_unfit,
)
