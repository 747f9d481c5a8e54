"""The clocks of a run: what is asked for, for which of its jobs, and what becomes of it in an episode.

A job has a clock if somebody in it is charged for what is generated or measured: a language model, or an
agent of the user's own, which may tell what it used; and if somebody talks, where words take time or are
limited. Other scripted agents are played once, without a clock, whatever speeds a run has. Agents with a
latency are charged that alone, and need no clock to be named.
With a clock of mode ``recorded`` everybody is charged what somebody else was in a record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

from msgspec.structs import replace

from backburner.agents.models.stand_in import is_rehearsal
from backburner.agents.spec import AgentSpec, is_method, is_planner, recording_of, weights_of
from backburner.evaluation.records import records
from backburner.evaluation.running.chains_of_jobs import world_of
from backburner.evaluation.running.jobs import Job
from backburner.kernel import registry
from backburner.kernel.clock import Clock, Profile, Timing, counted, timed
from backburner.kernel.episode import Episode, first_and_last, read_episode
from backburner.kernel.errors import BackburnerError, Refused
from backburner.kernel.timekeeping import in_one
from backburner.kernel.values import MOST_SPENT, Seat

LONGEST_NAME = 200
"""Characters of the name of a profile."""


def is_charged(agent: AgentSpec) -> bool:
    """Whether somebody in it may be charged for what is generated."""
    return any(map(_generates, agent.members))


def _generates(name: str) -> bool:
    if is_method(name):
        return True
    return ":" in name and not is_planner(name) and recording_of(name) is None and weights_of(name) is None


def clocked(jobs: Iterable[Job], timings: Sequence[Timing | None], recorded: Path | None = None) -> list[Job]:
    """Each job with each of the clocks; those in which nobody is charged anything once, without any.

    Answers of stand-ins and scripts are counted by their bytes. ``recorded``: the records that clocks of mode
    ``recorded`` charge by. Raises ``Refused`` where there is no such record, or the clock is not one of the
    world's.
    """
    known = None if recorded is None else Recorded(recorded)
    found: dict[Job, None] = {}
    for job in jobs:
        for timing in timings:
            if job.agent.needs_clock and (timing is None or timing.mode not in ("tokens", "seconds")):
                raise Refused(f"agent {job.agent.name!r} plays only where calls take time: --clock tokens")
            found[replace(job, clock=_timing(job, timing, known))] = None
    for job in found:
        if job.clock is not None:
            job.clock.bound(world_of(job))
    return list(found)


def _timing(job: Job, timing: Timing | None, known: Recorded | None) -> Timing | None:
    if timing is None:
        return None
    if timing.mode == "latency":
        return _of_words(job, timing)
    if known is not None:
        return known.timing(job, timing)
    if not is_charged(job.agent):
        return _of_words(job, timing)
    models = [endpoint.model for endpoint in job.agent.endpoints]
    rehearsed = any(map(is_rehearsal, models))
    return replace(timing, count="bytes") if rehearsed and timing.mode == "tokens" else timing


def _of_words(job: Job, timing: Timing) -> Timing | None:
    """The clock of a job in which nothing is charged but latencies and words, if anybody talks and words take
    time or are limited."""
    speech = timing.speech if timing.profile is None or Fraction(timing.speech) else timing.profile.speech
    if timing.talk_words is None and not Fraction(speech):
        return None
    world = world_of(job)
    if not any(timed(world).talks(seat) for seat in world.seats):
        return None
    return Timing("latency", speech=speech, talk_words=timing.talk_words, tells=timing.tells)


# --- as slow as somebody was -----------------------------------------------------------------------------


class Recorded:
    """What thoughts were charged in the records of a folder, by scenario and seed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[tuple[str, int], list[Path]] = {}
        for path in records(folder):
            try:
                header, _ = first_and_last(path)
            except BackburnerError:
                continue  # whatever it is, it is none that can be used
            self._files.setdefault((header.id, header.seed), []).append(path)

    def timing(self, job: Job, asked: Timing) -> Timing:
        """The clock of a job that charges as the record of the same scenario and seed was charged; of one
        without a clock, as its tokens are at the speed, or by the profile, that is asked for."""
        if len(registry.line(job.scenario)) > 1:
            raise Refused(f"{job.scenario} follows another episode: it is not played by a recorded clock")
        world = world_of(job)
        episode = self._episode(world.id, job, asked)
        clock = episode.header.clock
        source = episode.header.team
        told: dict[str, object] = {
            "limit": Fraction(asked.limit),
            "speech": Fraction(asked.speech),
            "talk": asked.talk_words is not None,
        }
        if clock is not None:
            told |= {"pace": Fraction(asked.pace) != 1, "count": asked.count != "told", "seat": asked.seats}
        if beside := [name for name, value in told.items() if value]:
            raise Refused(f"{self._where(job)}: thoughts take as long as they took; no {', '.join(beside)}")
        if clock is None:
            if not (asked.speed or asked.profile):
                raise Refused(f"{self._where(job)}: the record has no clock; name a speed=80 for its tokens")
            priced = replace(asked, mode="tokens").bound(world)
            profiles, pace = priced.profiles, asked.pace
            charges = {seat: tuple(_priced(episode, seat, priced)) for seat in world.seats}
            if not any(map(any, charges.values())):
                raise Refused(f"{self._where(job)}: the record tells no tokens, and has no words")
        else:
            profiles, pace = clock.profiles, clock.pace
            charges = {seat: tuple(episode.charges(seat)) for seat in world.seats}
        named = {seat: _of(source, profile) for seat, profile in profiles.items()}
        general, *others = dict.fromkeys(named.values())
        return Timing(
            "recorded",
            profile=None if others else general,
            seats=named if others else {},
            pace=pace,
            charges={seat: each or (0,) for seat, each in charges.items()},
            tells=asked.tells,
        )

    def _where(self, job: Job) -> str:
        return f"{self._folder}, {job.scenario}, seed {job.seed}"

    def _episode(self, id: str, job: Job, asked: Timing) -> Episode:
        episodes = [read_episode(path) for path in self._files.get((id, job.seed), ())]
        if not episodes:
            raise Refused(f"{self._where(job)}: there is no record that says how long thoughts took")
        at_speed = [each for each in episodes if _speed(each) == asked.speed]
        untimed = [each for each in episodes if each.header.clock is None]
        for some in (at_speed, untimed) if asked.speed else (episodes,):
            if len(some) == 1:
                return some[0]
        who = ", ".join(sorted({episode.header.agent for episode in episodes}))
        raise Refused(f"{self._where(job)}: {len(episodes)} records ({who}); name a folder with one of them")


def _of(source: str, profile: Profile) -> Profile:
    """A profile that says whose thoughts took so long."""
    name = f"{profile.name} of {source}".strip()[:LONGEST_NAME]
    return replace(profile, name=name, source=source, latency="0")


def _speed(episode: Episode) -> str | None:
    """The speed of a record's clock, where that is told in tokens."""
    clock = episode.header.clock
    if clock is None or clock.mode != "tokens":
        return None
    names = {profile.name for profile in clock.profiles.values()}
    return names.pop() if len(names) == 1 else None


def _priced(episode: Episode, seat: Seat, clock: Clock) -> Iterator[int]:
    """What each answer of a seat would have been charged by a clock that there was not."""
    for entry in episode.entries:
        if (answer := entry.answers.get(seat)) is not None:
            usage = entry.usage.get(seat)
            made = None if usage is None else in_one(usage, answer.text or "", answer.thoughts)
            calls = () if made is None else (counted(made, clock.count),)
            yield min(clock.charge(seat, calls, 0, 0), MOST_SPENT)


def speeds(written: str) -> list[str]:
    """The speeds of a list such as ``20,80,inf``; raises ``Refused``."""
    found = [each.strip() for each in written.split(",")]
    for each in found:
        tokens = each.partition("/")[0]
        number = tokens.replace(".", "", 1)
        if each != NO_CLOCK and not (number.isascii() and number.isdecimal() and float(tokens) > 0):
            raise Refused(
                f"--clock: speed={each}: write tokens a second (80), a step (250/step), a beat, or inf"
            )
    return list(dict.fromkeys(found))


NO_CLOCK = "inf"
"""The speed at which thinking takes no time: there is no clock then."""
