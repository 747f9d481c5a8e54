"""What happens to a participant, as the journal keeps it. Everything else is worked out from these.

``at`` is the time, in seconds since 1970, UTC. ``position`` is the place of a stage in the participant's
course (``course``), from 0.
"""

from __future__ import annotations

from msgspec import Struct

from backburner.study.design import Status, Study

Answer = str | float | tuple[str, ...] | None
"""A rating or number; a text or the value of an option; the values of several."""


class Happened(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True, omit_defaults=True):
    """An entry of a participant, or of the study."""

    at: float


class Began(Happened, frozen=True, tag="began"):
    """The study's first entry: its file's content and digest, and the version that reads it."""

    digest: str
    study: Study
    version: str
    rehearsal: bool = False


class Arrived(Happened, frozen=True, tag="arrived"):
    """Somebody opened a link. ``recruited``: the id that the link carried; ``kept``: its other parameters;
    ``invitation``: the number of a link that ``study links`` made."""

    language: str
    recruited: str = ""
    kept: dict[str, str] = {}
    invitation: int | None = None
    simulated: bool = False


class Spoke(Happened, frozen=True, tag="spoke"):
    """Another language was chosen."""

    language: str


class Entered(Happened, frozen=True, tag="entered"):
    """A stage was first shown."""

    position: int


class Answered(Happened, frozen=True, tag="answered"):
    """A form was sent. ``wrong``: the comprehension checks that were not right."""

    position: int
    answers: dict[str, Answer]
    wrong: tuple[str, ...] = ()


class Assigned(Happened, frozen=True, tag="assigned"):
    """The participant has partners (or none), and with them an order.

    ``number``: of the team, from 0, on which draws depend; ``row``: of the table of orders, from 0;
    ``members``: of the team, ``member`` being the participant's own place among them.
    """

    team: str
    number: int
    row: int
    member: int
    members: tuple[str, ...]


class Opened(Happened, frozen=True, tag="opened"):
    """A game was opened for a stage. ``token``: the secret of the participant's seat."""

    position: int
    game: str
    seat: str
    token: str
    host: str
    people: int


class Numbers(Struct, frozen=True):
    """What a participant did in a game, counted: decisions at which the seat was asked, those that a
    stand-in took, slips that were explained, decisions or parts of them that were refused."""

    decisions: int = 0
    stood_in: int = 0
    slips: int = 0
    refusals: int = 0


class Measure(Struct, frozen=True):
    """A number of an episode: a metric of the world's scoring, or a number of its outcome."""

    name: str
    value: float
    title: str = ""
    unit: str = ""
    lowest: float | None = None
    highest: float | None = None


class Played(Happened, frozen=True, tag="played"):
    """A game was over. ``digest``: of the record, which stands in ``records/<game>.jsonl``."""

    position: int
    game: str
    status: str
    reason: str
    scenario: str
    seed: int
    steps: int
    players: str
    own: Numbers
    measures: tuple[Measure, ...]
    digest: str


class Left(Happened, frozen=True, tag="left"):
    """A stage was done."""

    position: int


class Ended(Happened, frozen=True, tag="ended"):
    """The participant came to an end."""

    status: Status


AnyEntry = Began | Arrived | Spoke | Entered | Answered | Assigned | Opened | Played | Left | Ended
