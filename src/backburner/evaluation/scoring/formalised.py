"""What models believe of a scenario, where they write it down as a problem, beside what is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import add
from statistics import fmean
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.models.formalisation import matched, problem_in, read_formalisation
from backburner.agents.models.methods.formalise import FORMALISATION, PROGRAM, SCHEDULE
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.replay import world_of
from backburner.kernel.schedule import problem_of
from backburner.kernel.scoring import Measured, Section, by_agent
from backburner.scheduling.comparison import Agreement, Comparison, compare

KINDS: Mapping[str, str] = {
    "activities": "activities",
    "precedence": "precedence",
    "edges": "precedence, least edges",
    "sharing": "may not overlap",
    "lags": "maximum lags",
    "durations": "durations",
    "hands": "hands",
}
"""The facts of which precision and recall are told, and what they are called."""

TITLE = "What models believed"
TEXT = (
    "Of the last problem that each episode's model wrote: how much of it is true (precision), how much of "
    "what is true stands in it (recall), and their harmonic mean (F1), in per cent, facts of all episodes "
    "together. Precedence is of all pairs that follow (closure), then of those that follow from no others. "
    "Durations and hands are of activities that are matched, and true where they are exact."
)
MAKESPANS = "What beliefs amounted to"
MAKESPANS_TEXT = (
    "Durations: the mean absolute logarithm of stated to true ones, 0 where all are exact. Makespan: what "
    "the first problem promised, in times of what was played, over episodes that came to their end."
)


class Beliefs(Struct, frozen=True):
    """An agent's problems beside the true ones. ``claimed``: the mean of claimed over played makespan, of the
    episodes that came to an end; ``None`` without any."""

    agent: str
    episodes: int
    compared: tuple[Comparison, ...]
    claimed: float | None

    def sum_of(self, kind: str) -> Agreement:
        """The facts of one kind, of all episodes."""
        return reduce(add, (getattr(each, kind) for each in self.compared), Agreement())

    @property
    def log_ratio(self) -> float | None:
        """The mean over episodes."""
        known = [each.log_ratio for each in self.compared if each.log_ratio is not None]
        return fmean(known) if known else None


def beliefs_of(rows: Sequence[Measured]) -> Iterator[Beliefs]:
    """Those of each agent that wrote any problem."""
    for agent, measured in by_agent(rows):
        compared = [found for episode, _ in measured if (found := comparison_of(episode)) is not None]
        claims = [share for episode, _ in measured if (share := _claimed(episode)) is not None]
        if compared:
            yield Beliefs(agent, len(compared), tuple(compared), fmean(claims) if claims else None)


def thoughts_of(episode: Episode, purpose: str) -> list[str]:
    """All thoughts of a purpose, in order."""
    answers = [answer for entry in episode.entries for answer in entry.answers.values()]
    return [text for answer in answers for text in answer.thoughts_for(purpose)]


def comparison_of(episode: Episode) -> Comparison | None:
    """The last problem of an episode beside the scenario's own; ``None`` where there is none that can be
    read."""
    if not (written := thoughts_of(episode, FORMALISATION)):
        return None
    try:
        found = read_formalisation(written[-1])
        world = world_of(episode)
        true, said = problem_of(world), problem_in(found, world.time_unit)
        untimed = [each.name for each in found.activities if each.duration is None]
        compared = compare(true, said, matched(world, found), untimed)
    except BackburnerError:  # a record may hold anything
        return None
    if thoughts_of(episode, PROGRAM):  # what shares and what may not wait is said in constraints of its own
        compared = replace(compared, sharing=Agreement(), lags=Agreement())
    return compared


def _claimed(episode: Episode) -> float | None:
    """The makespan that was first claimed, in times of the one that was played."""
    claims, ending = thoughts_of(episode, SCHEDULE), episode.ending
    if not claims or ending is None or not ending.numbers.get("completed"):
        return None
    number, _, unit = claims[0].partition(" ")
    played = ending.numbers.get(unit)
    return int(number) / played if played and number.isdecimal() and len(number) < 10 else None


def beliefs_sections(rows: Sequence[Measured]) -> Iterator[Section]:
    """One table over the agents of a world; none where nobody wrote a problem."""
    beliefs = list(beliefs_of(rows))
    if not beliefs:
        return
    yield Section(
        TITLE,
        TEXT,
        ("agent", "facts", "precision", "recall", "F1"),
        shares(beliefs),
    )
    yield Section(
        MAKESPANS,
        MAKESPANS_TEXT,
        ("agent", "episodes", "durations", "makespan"),
        tuple((each.agent, each.episodes, each.log_ratio, each.claimed) for each in beliefs),
    )


def shares(beliefs: Sequence[Beliefs]) -> tuple[tuple[Any, ...], ...]:
    """(agent, facts, precision, recall, F1) of each, in per cent."""
    sums = [(each.agent, name, each.sum_of(kind)) for each in beliefs for kind, name in KINDS.items()]
    return tuple(
        (agent, name, *map(_percent, (found.precision, found.recall, found.f1)))
        for agent, name, found in sums
    )


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
