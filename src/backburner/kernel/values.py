"""What every world and every policy share: seats, refusals, events, outcomes, costs, thoughts; and digests.

All are frozen, compare by content and write themselves as JSON.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import reduce
from hashlib import blake2b
from operator import add
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct, field

Seat = str
"""Who decides. A *body* acts; a dispatcher is one seat with many bodies."""

Detail = str | int | tuple[str, ...] | None
"""One fact of a refusal, such as the object it is about."""


class Fault(StrEnum):
    """The families of refusals that all worlds share, so that failures compare across worlds.

    Each world owns its refusal codes and maps each to one family.
    """

    UNREADABLE = "unreadable"
    UNKNOWN_THING = "unknown thing"
    MISMATCH = "mismatch"
    MISSING_PREREQUISITE = "missing prerequisite"
    OCCUPIED = "occupied"
    ALREADY_DONE = "already done"
    TIMING = "too early or late"
    REACH = "out of reach"
    CAPACITY = "capacity"
    ROLE = "role"


class Refusal(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why a decision, or part of it, was not carried out.

    ``code`` is the world's own word, ``fault`` its family, ``detail`` the facts as (name, value)
    pairs. ``seat`` and ``index`` (the place inside a decision of several parts) are filled in by
    ``step``. A refusal is a value; the world's text module turns it into a sentence.
    """

    code: str
    fault: Fault
    detail: tuple[tuple[str, Detail], ...] = ()
    seat: Seat = ""
    index: int = 0

    def get(self, name: str) -> Detail:
        """The fact called ``name``, or ``None``."""
        return next((value for key, value in self.detail if key == name), None)

    def at(self, seat: Seat, index: int = 0) -> Refusal:
        """The same refusal as that of this seat, at this place in its decision."""
        return Refusal(self.code, self.fault, self.detail, seat, index)


class Event(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Something that happened at ``time``, in the world's unit of time.

    ``what``: an activity starts, pauses, resumes or ends; the score changes (``value`` is the new
    one); an order is delivered or expires; something is said. ``lane`` is the body or appliance
    concerned, ``label`` what a person calls the activity (or the words said). Start and end of one
    activity share a ``key`` that no other activity of the episode has. ``kind`` tells work from
    waiting and from time lost on a refused decision; what is ``said`` and ``differs`` was seen and had been
    predicted otherwise.
    """

    time: int | float
    what: Literal["start", "pause", "resume", "end", "score", "delivered", "expired", "said"]
    lane: str = ""
    label: str = ""
    key: str = ""
    kind: Literal["work", "wait", "refused", "differs"] = "work"
    value: int | float | None = None


class Outcome(Struct, frozen=True):
    """How an episode stands.

    ``status``: ``running``; ``ended`` (the task itself is over, well or badly); ``cut off`` (a
    limit was reached). ``reason`` is the world's word for it. ``numbers`` are the world's own
    figures so far, by name, units in the name.
    """

    status: Literal["running", "ended", "cut off"]
    reason: str
    numbers: dict[str, int | float]


MOST_SPENT = 10**15
"""Calls, tokens or seconds that are believed: servers and strangers may tell any number."""

Count = Annotated[int, Meta(ge=0, le=MOST_SPENT)]
Seconds = Annotated[float, Meta(ge=0, le=MOST_SPENT)]


LONGEST_SERVER = 200
"""Characters of what a provider calls its model."""


LONGEST_RESPONSE_ID = 100
"""Characters of what a provider calls one of its answers."""

WHOLE_ANSWER = -1
"""The place of a decision's own text among the words that led to it, beside those of its thoughts."""


class Sent(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A request to a model that was answered, and where its answer stands.

    ``request``: its name (``agents.models.client``). ``id``: what the provider calls the answer. ``said``:
    the number of the thought that is the answer, ``WHOLE_ANSWER`` where it is the decision's own text, or the
    answer itself where the record has it in pieces only.
    """

    request: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
    id: Annotated[str, Meta(max_length=LONGEST_RESPONSE_ID)] = ""
    said: int | str = WHOLE_ANSWER


class Usage(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What answers cost; no comparison of episodes looks at it. Tokens as the provider counts.

    ``endings`` counts the calls to a model whose answer did not end of itself, by how it did:
    ``length``, ``empty``, ``tool_calls``, ``refusal`` ... ``cached_tokens`` are those of the input that the
    provider had kept, ``reasoning_tokens`` those of the output that went into thoughts. ``servers`` counts
    the calls by what the provider calls the model that answered. ``lost``: calls that were sent and whose
    answer nobody received, as the run was killed; what they cost is unknown. ``requests``: those that led to
    one answer, in their order; they are not added up.
    """

    seconds: Seconds = 0.0
    calls: Count = 0
    input_tokens: Count = 0
    output_tokens: Count = 0
    endings: dict[str, Count] = field(default_factory=dict)
    cached_tokens: Count = 0
    reasoning_tokens: Count = 0
    servers: dict[str, Count] = field(default_factory=dict)
    lost: Count = 0
    requests: tuple[Sent, ...] = ()

    def __add__(self, other: Usage) -> Usage:
        """What both cost together."""
        return Usage(
            self.seconds + other.seconds,
            self.calls + other.calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            _added(self.endings, other.endings),
            self.cached_tokens + other.cached_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            _added(self.servers, other.servers),
            self.lost + other.lost,
        )

    def bounded(self) -> Usage:
        """These figures as records hold them: nothing below 0, nothing above ``MOST_SPENT``, no seconds that
        are no number."""
        return Usage(
            float(_bounded(self.seconds)),
            _bounded(self.calls),
            _bounded(self.input_tokens),
            _bounded(self.output_tokens),
            {ending: _bounded(number) for ending, number in self.endings.items()},
            _bounded(self.cached_tokens),
            _bounded(self.reasoning_tokens),
            {server[:LONGEST_SERVER]: _bounded(number) for server, number in self.servers.items()},
            _bounded(self.lost),
            self.requests,
        )


Number = TypeVar("Number", int, float)


def _bounded(number: Number) -> Number:
    if number > 0:  # which what is no number is not
        return min(number, type(number)(MOST_SPENT))
    return type(number)(0)


def _added(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    """Both counts together; most answers have nothing to count."""
    return dict(Counter(left) + Counter(right)) if left and right else left or right


def total(costs: Iterable[Usage]) -> Usage:
    """What several answers cost together."""
    return reduce(add, costs, Usage())


class Thought(Struct, frozen=True, forbid_unknown_fields=True):
    """Text that a policy wrote on the way to its answer; ``purpose`` names the step of its method."""

    purpose: str
    text: str


S = TypeVar("S")
Made = TypeVar("Made", bound=Struct)


class Step(Struct, Generic[S], frozen=True, gc=False):
    """What follows from one decision point: the new state, what happened, what was refused."""

    state: S
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()


# --- digests --------------------------------------------------------------------------------------------

_canonical = msgspec.json.Encoder(order="deterministic")


def filled(kind: type[Made], *sources: object, **fields: Any) -> Made:
    """A struct with these ``fields``; any other is the attribute of its name of the first source that has
    one."""
    for name in kind.__struct_fields__:
        if name not in fields:
            source = next((one for one in sources if hasattr(one, name)), None)
            if source is not None:
                fields[name] = getattr(source, name)
    return kind(**fields)


def canonical_json(value: Any) -> bytes:
    """``value`` as JSON with one spelling: fields in their order, sets and maps sorted."""
    return _canonical.encode(value)


def indented_json(value: Any) -> bytes:
    """JSON as a file has it that people read, too: indented by one, with a line break at its end."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def json_values(value: Any) -> Any:
    """``value`` as a record has it: what its canonical JSON is read as."""
    return msgspec.json.decode(canonical_json(value))


def digest(value: Any) -> str:
    """16 hexadecimal digits of blake2b over the canonical JSON; equal values of a type, equal digests."""
    return blake2b(_canonical.encode(value), digest_size=8).hexdigest()


def writable(text: str) -> str:
    """``text`` with a question mark for each half of a surrogate pair, which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
