"""What a scenario is: resources, tools, jobs and what they give, requests, notices.

Times are whole minutes from 0. A *job* is begun by a call of its tool, and its *name* is that tool and its
subject: ``export orders``. What may stand where is declared beside the fields (see ``kernel.checks``).
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from backburner.kernel.checks import ONE_LINE, FileId, no_circle, none_of, refers_to, unique
from backburner.worlds.desk.game.content import Choose, InTable, Kind, OfValues, Table, Written

RESERVED = (
    *("check", "reply", "cancel", "wait", "finish", "act", "look"),
    *("info", "note", "urgent", "none", "agent"),
)
"""Words of calls and tools, levels, and the name of the seat."""

Level = Literal["info", "note", "urgent"]
LEVELS: tuple[Level, ...] = ("info", "note", "urgent")

Minute = Annotated[int, Meta(ge=0, le=10_000)]
Minutes = Annotated[int, Meta(ge=1, le=10_000)]
Weight = Annotated[int, Meta(ge=0, le=100)]
Said = Annotated[str, Meta(max_length=400), ONE_LINE]

Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z][a-z0-9_-]*(?: [a-z0-9_-]+)*\Z",
        max_length=60,
        description="use small letters, digits, _ and -, and single blanks between words",
    ),
]
Word = Annotated[
    str,
    Meta(pattern=r"^[a-z][a-z0-9_]{0,30}\Z", description="use small letters, digits and _"),
    none_of("a word of answers", lambda: RESERVED),
]
"""The name of a tool or an input."""

Answer = Annotated[int, Meta(ge=-(10**12), le=10**12)] | Written | InTable | OfValues | Choose
"""What is right: a formula, or a value as it stands."""


class Resource(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A machine, licence, instrument, colleague, courier: of ``capacity`` units a job holds one."""

    name: Name
    says: Said = ""
    capacity: Annotated[int, Meta(ge=1, le=20)] = 1


class Input(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that a call is given. ``choices``: those of a ``choice``."""

    name: Word
    kind: Kind = "int"
    says: Said = ""
    choices: Annotated[tuple[Written, ...], Meta(max_length=12), unique()] = ()


class Tool(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of job. ``subject``: what a call calls that which the job is about; empty where a tool has one
    job only. ``hands``: the minutes in which a call holds the attention. ``resource``: what a job holds from
    its beginning to its end."""

    name: Word
    hands: Minutes
    says: Said = ""
    subject: Annotated[str, Meta(pattern=r"^(?:[a-z][a-z0-9_]{0,30})?\Z")] = ""
    resource: Annotated[str, refers_to("resource", "resources.name")] | None = None
    inputs: Annotated[tuple[Input, ...], Meta(max_length=6), unique("name")] = ()


class Attempt(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What happens once: how long a job runs after the hands, how it ends, what is said of that."""

    run: Minute
    outcome: Literal["ok", "fails"] = "ok"
    says: Said = ""


class Told(Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most minutes that a run is said to take."""

    least: Minute
    most: Minute


class Pause(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A run stops ``after`` so many minutes and asks; the reply takes ``hands``."""

    after: Minutes
    question: Said
    answer: Answer
    hands: Minutes = 1
    choices: Annotated[tuple[Written, ...], Meta(max_length=12), unique()] = ()


class Deliverable(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What counts. ``deadline``: the minute by which it is to be done; ``None`` for any."""

    deadline: Minute | None = None
    weight: Annotated[int, Meta(ge=1, le=100)] = 1


class Job(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``needs``: jobs that must be told as ended well before. ``inputs``: what is right for each input of the
    tool. ``attempts``: what happens the first, second ... time; the last is ``ok``, all others fail.
    ``silent``: its end is not told. ``yields``: its result, told with its end."""

    tool: Annotated[str, refers_to("tool", "tools.name")]
    attempts: Annotated[tuple[Attempt, ...], Meta(min_length=1, max_length=5)]
    subject: Annotated[str, Meta(pattern=r"^(?:[a-z0-9][a-z0-9_-]*(?: [a-z0-9_-]+)*)?\Z", max_length=40)] = ""
    needs: Annotated[
        tuple[Annotated[str, refers_to("job", "jobs.name")], ...], Meta(max_length=20), unique()
    ] = ()
    inputs: Annotated[dict[str, Answer], Meta(max_length=6)] = {}
    told: Told | None = None
    silent: bool = False
    yields: Table | None = None
    pause: Pause | None = None
    deliverable: Deliverable | None = None

    @property
    def name(self) -> str:
        """As calls and notices name it."""
        return f"{self.tool} {self.subject}".strip()

    @property
    def by_hand(self) -> bool:
        """Whether it is done when the hands are."""
        return not self.attempts[-1].run


class Request(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody asks at a minute, and wants an answer that is given within the ``window``. One without weight
    matters to nobody."""

    name: Annotated[Name, none_of("a job", "jobs.name")]
    at: Minute
    window: Minutes
    text: Said
    answer: Answer
    hands: Minutes = 1
    level: Level = "note"
    weight: Weight = 1
    choices: Annotated[tuple[Written, ...], Meta(max_length=12), unique()] = ()


class Notice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something said that wants nothing: a lure, or news."""

    at: Minute
    sender: Annotated[str, Meta(min_length=1, max_length=40), ONE_LINE]
    text: Said
    level: Level = "info"


class Optimum(Struct, frozen=True, forbid_unknown_fields=True):
    """The fewest minutes in which everything required can be done, proven, and the start of each activity of
    the scheduling problem in a plan that takes as many and keeps every deadline."""

    minutes: Minutes
    starts: Annotated[dict[str, Minute], Meta(max_length=1000)]


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A day at a desk that begins at the time of day ``opens``.

    ``content``: whether inputs and answers are worked out by the seat, or are right of themselves. ``times``:
    whether run times are told as the scenario has them, as they are, or not at all. ``draws``: whether
    attempts are as they stand here, or drawn anew by an episode's seed. ``asks``: whether the seat is asked
    when its attention is free, or every minute.
    """

    title: Said
    brief: Annotated[str, Meta(max_length=2000)]
    opens: Annotated[str, Meta(pattern=r"^(?:[01][0-9]|2[0-3]):[0-5][0-9]\Z")] = "09:00"
    theme: Annotated[str, Meta(max_length=40), ONE_LINE] = ""
    resources: Annotated[tuple[Resource, ...], Meta(max_length=20), unique("name")] = ()
    tools: Annotated[tuple[Tool, ...], Meta(min_length=1, max_length=30), unique("name")]
    jobs: Annotated[
        tuple[Job, ...], Meta(min_length=1, max_length=120), unique("name"), no_circle("name", "needs")
    ]
    requests: Annotated[tuple[Request, ...], Meta(max_length=40), unique("name")] = ()
    notices: Annotated[tuple[Notice, ...], Meta(max_length=80)] = ()
    check_minutes: Minutes = 4
    cancel_minutes: Minutes = 1
    longest_wait: Minutes = 30
    content: Literal["on", "off"] = "on"
    times: Literal["told", "exact", "hidden"] = "told"
    draws: Literal["fixed", "seed"] = "fixed"
    asks: Literal["free", "always"] = "free"
    optimum: Optimum | None = None


class ScenarioFile(Scenario, frozen=True, kw_only=True):
    """A scenario as a user writes it, with the names of its world and its own."""

    world: str
    id: FileId
