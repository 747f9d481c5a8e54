"""Probes: the world resumed from a recorded decision, an agent asked for that decision again and again.

Probes are kept in files beside records, and reports show them.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from backburner.evaluation.scoring.scores import WorldScores
from backburner.evaluation.scoring.statistics import exact_share
from backburner.kernel import registry
from backburner.kernel.assessment import Assessment, Judgement
from backburner.kernel.charts import Bar, Bars, Figure, Group
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BadFile, ContextOverflow, PolicyFailure, Refused, UnknownName
from backburner.kernel.files import read_json, write_whole
from backburner.kernel.policy import Policy
from backburner.kernel.replay import decisions_in, trajectory, world_of
from backburner.kernel.scoring import Section, grouped
from backburner.kernel.text import Text
from backburner.kernel.turns import read, turn_of
from backburner.kernel.values import Refusal, Seat, Usage, indented_json

MOST_TIMES = 100_000


class Answered(Struct, frozen=True):
    """One answer: its words, what it is worth, what it cost; ``error`` if a call to a model failed."""

    words: str
    judgements: tuple[Judgement, ...] = ()
    error: str = ""
    usage: Usage | None = field(default=None, name="spent")


class Verdict(Struct, frozen=True):
    """All answers by one criterion: their mean score, and the share that is above 0, in per cent.

    ``low`` and ``high``: Clopper and Pearson's exact 95 % interval of the share. ``notes``: what was wrong,
    how often.
    """

    criterion: str
    mean: float
    success: float
    low: float
    high: float
    notes: dict[str, int]


class Probe(Struct, frozen=True):
    """A probe of one recorded decision: who was asked, all answers, and the verdicts over them."""

    id: str
    at: int
    seat: Seat
    agent: str
    answers: tuple[Answered, ...]
    verdicts: tuple[Verdict, ...]

    @property
    def failed(self) -> int:
        """Answers that never came; they count in no verdict."""
        return sum(bool(answer.error) for answer in self.answers)


def check_step(episode: Episode, at: int) -> None:
    """Raises ``Refused`` for a step that is not recorded."""
    number = len(episode.entries)
    if not 0 <= at < number:
        known = f"0 to {number - 1}" if number else "none"
        raise Refused(f"{episode.header.id}: no step {at} in the record; its steps: {known}")


class Point:
    """A recorded decision point and the state there. ``past``: the (state, decisions) that led to it."""

    def __init__(
        self,
        episode: Episode,
        at: int,
        world: World[Any, Any, Any] | None = None,
        assessment: Assessment | None = None,
    ) -> None:
        """Raises ``Refused`` for a step that is not recorded or a world that judges no single decision."""
        self.world: World[Any, Any, Any] = world_of(episode) if world is None else world
        worth = (assessment or registry.assessment(self.world)).worth
        if worth is None:
            raise Refused(f"{episode.header.world}: this world does not say what a single decision is worth")
        self._worth = worth
        check_step(episode, at)
        self.at, self.seed = at, episode.header.seed
        path = list(islice(trajectory(episode, self.world), at + 1))
        self.past = [(state, decisions_in(self.world, entry)) for state, entry, _ in path[:-1]]
        self.state = path[-1][0]

    def seat(self, wanted: str | None) -> Seat:
        """The seat to ask: the only one that decided then, or among several the wanted one."""
        asked = self.world.deciders(self.state)
        if wanted is None and len(asked) == 1:
            return asked[0]
        if wanted is None:
            raise Refused(f"step {self.at}: {', '.join(asked)} decide at once; name one with --seat")
        if wanted not in asked:
            raise UnknownName("seat", wanted, asked, f"those that decide at step {self.at}")
        return wanted

    async def ask(self, seat: Seat, policy: Policy, number: int) -> Answered:
        """One answer of a policy without memory; agents that use chance draw anew for each answer."""
        turn = turn_of(self.world, self.state, seat, self.at, self.seed + number, informed=policy.informed)
        try:
            reply = await policy.decide(turn, None)
        except (PolicyFailure, ContextOverflow) as failure:
            return Answered("", error=str(failure))
        decision = read(self.world, self.state, seat, reply.answer)
        judged = tuple(self._worth(self.past, self.state, seat, decision))
        return Answered(self._words(seat, reply.answer, decision), judged, usage=reply.usage)

    def _words(self, seat: Seat, answer: Any, decision: Any) -> str:
        if isinstance(answer, str) or isinstance(decision, Refusal):
            return str(answer)
        return self.world.words(decision, seat) if isinstance(self.world, Text) else repr(decision)


def probe(
    episode: Episode,
    at: int,
    policies: Mapping[Seat, Policy],
    times: int,
    *,
    seat: str | None = None,
    at_once: int = 16,
    world: World[Any, Any, Any] | None = None,
    assessment: Assessment | None = None,
) -> Probe:
    """Ask for a recorded decision ``times`` times, at most ``at_once`` at a time, and judge each answer.

    ``at``: the index of the step in the record. Every answer stands alone: the policy is told what its
    seat perceives there, and begins without memory. ``world``: by default that of the record's header.
    ``assessment``: what says what an answer is worth; by default that of the world. Raises what ``Point``
    raises.
    """
    if not 1 <= times <= MOST_TIMES:
        raise Refused(f"{times} times; a probe asks 1 to {MOST_TIMES} times")
    point = Point(episode, at, world, assessment)
    asked = point.seat(seat)
    policy = policies[asked]
    answers = asyncio.run(_all(point, asked, policy, times, at_once))
    return Probe(episode.header.id, at, asked, policy.name, answers, verdicts(answers))


async def _all(point: Point, seat: Seat, policy: Policy, times: int, at_once: int) -> tuple[Answered, ...]:
    turnstile = asyncio.Semaphore(at_once)

    async def one(number: int) -> Answered:
        async with turnstile:
            return await point.ask(seat, policy, number)

    return tuple(await asyncio.gather(*map(one, range(times))))


def verdicts(answers: Sequence[Answered]) -> tuple[Verdict, ...]:
    """The answers that came, by each criterion."""
    by_criterion: dict[str, list[Judgement]] = {}
    for answer in answers:
        for judgement in answer.judgements:
            by_criterion.setdefault(judgement.criterion, []).append(judgement)
    return tuple(_verdict(name, found) for name, found in by_criterion.items())


def _verdict(criterion: str, found: Sequence[Judgement]) -> Verdict:
    share = fmean(judgement.score > 0 for judgement in found)
    notes = Counter(judgement.note for judgement in found if judgement.note)
    mean = fmean(judgement.score for judgement in found)
    return Verdict(criterion, mean, 100 * share, *exact_share(share, len(found)), dict(notes.most_common()))


# --- files and reports -----------------------------------------------------------------------------------


PROBE = ".probe.json"
LONGEST_NAME = 150

TEXT = (
    "Recorded decisions that were asked for again and again: the share of answers whose score is above 0, "
    "with Clopper and Pearson's exact 95 % interval, the mean score, and what was wrong, as they were judged "
    "when they were asked for."
)
COLUMNS = ("scenario", "step", "seat", "agent", "answers", "criterion", "above 0, %", "95 %", "mean", "wrong")


def write_probe(probe: Probe, folder: Path) -> Path:
    """Write a probe to ``<folder>/<scenario>-step-<n>-<agent>.probe.json``; one of the same name goes."""
    words = f"{probe.id}-step-{probe.at}-{probe.seat}-{probe.agent}"
    name = re.sub(r"[^A-Za-z0-9_.+=,]+", "-", words).strip("-")[:LONGEST_NAME]
    path = folder / f"{name}{PROBE}"
    write_whole(path, indented_json(probe))
    return path


def probes_in(folder: Path) -> tuple[list[Probe], list[str]]:
    """The probes under a folder, and a line about each file that holds none."""
    probes: list[Probe] = []
    unusable: list[str] = []
    for path in sorted(folder.rglob(f"*{PROBE}")) if folder.is_dir() else []:
        try:
            probes.append(read_json(path, Probe, "a probe"))
        except BadFile as error:
            unusable.append(f"left out: {error}")
    return probes, unusable


def with_probes(scored: Sequence[WorldScores], folder: Path) -> list[WorldScores]:
    """The scores with a table and a figure of the probes of each world that lie in the folder."""
    probes, unusable = probes_in(folder)
    of_world = grouped(probes, lambda probe: probe.id.partition("/")[0])
    told = [_told(world, of_world.get(world.world, [])) for world in scored]
    return [replace(told[0], left_out=(*told[0].left_out, *unusable)), *told[1:]] if told else told


def _told(world: WorldScores, probes: Sequence[Probe]) -> WorldScores:
    if not probes:
        return world
    section, figure = probes_section(probes), probes_figure(probes)
    return replace(world, sections=(*world.sections, section), figures=(*world.figures, figure))


def probes_section(probes: Sequence[Probe]) -> Section:
    """A row for each criterion of each probe."""
    rows = [
        (
            probe.id.partition("/")[2],
            probe.at,
            probe.seat,
            probe.agent,
            len(probe.answers) - probe.failed,
            verdict.criterion,
            round(verdict.success, 1),
            f"[{verdict.low:.0f}, {verdict.high:.0f}]",
            round(verdict.mean, 3),
            ", ".join(f"{note} {number}" for note, number in verdict.notes.items()) or "–",
        )
        for probe in probes
        for verdict in probe.verdicts
    ]
    return Section("Probed decisions", TEXT, COLUMNS, tuple(rows))


def probes_figure(probes: Sequence[Probe]) -> Figure:
    """A chart for each criterion: a group for each decision, a bar for each agent."""
    criteria = dict.fromkeys(verdict.criterion for probe in probes for verdict in probe.verdicts)
    decisions = grouped(probes, lambda probe: f"{probe.id.partition('/')[2]}, step {probe.at}, {probe.seat}")
    charts = []
    for criterion in criteria:
        groups = []
        for name, mine in decisions.items():
            bars = (
                Bar(probe.agent, verdict.success, verdict.low, verdict.high)
                for probe in mine
                for verdict in probe.verdicts
                if verdict.criterion == criterion
            )
            groups.append(Group(name, tuple(bars)))
        charts.append(Bars(criterion, "% of answers", tuple(groups), 100.0))
    return Figure("probes", "Probed decisions", TEXT, tuple(charts))
