"""The play that an episode is held against: a record of the oracle, a shipped plan, or one found now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from backburner.agents.planned import ORACLE, shipped_plan, solved_plan
from backburner.evaluation.running.jobs import RECORD
from backburner.kernel.episode import Episode, Header, read_episode
from backburner.kernel.errors import BackburnerError, BadFile, one_line, shorten
from backburner.kernel.oracle import Solution, oracle_of
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.kernel.values import digest

MOST_PARENTS = 4
"""Folders upwards of a record in which a sibling ``oracle`` is looked for."""


class Plan(Struct, frozen=True):
    """A play of the same scenario by the same rules; ``origin`` says where it comes from. ``path``: of its
    record, if it has one. ``solution``: what the oracle says of it, where it is the oracle's plan."""

    episode: Episode
    origin: str
    path: Path | None = None
    solution: Solution | None = None


class Plans:
    """Finds the plan beside an episode: each scenario's is looked for once.

    ``recorded``: records among which those of oracles are. ``seconds``: so long a plan is looked for where
    none is recorded or shipped; 0: it is not.
    """

    def __init__(self, recorded: Iterable[tuple[Path, Episode]] = (), seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._recorded: dict[str, tuple[Path, Episode]] = {}
        self._made: dict[str, Plan | str] = {}
        for path, episode in recorded:
            if is_oracle(episode.header) and episode.finished:
                self._recorded.setdefault(_begins(episode.header), (path, episode))

    def beside(self, path: Path, episode: Episode) -> Plan | str:
        """The plan for an episode in the record ``path``, or why there is none; empty: it is one itself."""
        header = episode.header
        if is_oracle(header):
            return ""
        key = _begins(header)
        if (found := self._recorded.get(key)) is not None:
            return Plan(found[1], "recorded play of the oracle", found[0])
        if key not in self._made:
            self._made[key] = self._near(path, header) or self._played(episode)
        return self._made[key]

    def _near(self, path: Path, header: Header) -> Plan | None:
        """The oracle's record in the folder beside that of the episode's agent."""
        for place in oracle_places(path):
            try:
                found = read_episode(place)
            except BadFile:
                continue
            if is_oracle(found.header) and _begins(found.header) == _begins(header):
                return Plan(found, "recorded play of the oracle", place)
        return None

    def _played(self, episode: Episode) -> Plan | str:
        try:
            world = world_of(episode)
            policy, origin = shipped_plan(world), "the plan that ships with the scenario"
            solution = None if policy is None else oracle_of(world).known(world)
            if policy is None and not self._seconds:
                return "no plan is recorded or shipped to compare with; --oracle-seconds looks for one"
            if policy is None:
                policy, solution = solved_plan(world, self._seconds)
                proven = "proven best" if solution.status == "optimal" else "not proven best"
                bound = "" if solution.bound is None else f", bound {solution.bound} {solution.unit}"
                origin = f"a plan found in {self._seconds:g} s: {proven}{bound}"
            played = play_now(world, policy, episode.header.seed)
        except BackburnerError as error:
            return f"no plan to compare with: {one_line(shorten(str(error), 300))}"
        except Exception as error:  # a stranger's scenario may be one that nobody has tried to plan
            return f"no plan to compare with: {one_line(shorten(f'{type(error).__name__}: {error}', 300))}"
        if played.ending is None or played.ending.status == "failed":
            return "no plan to compare with: the one that was found cannot be played from here"
        return Plan(played, origin, solution=solution)


def is_oracle(header: Header) -> bool:
    """Whether the world's oracle played."""
    return header.agent == ORACLE


def oracle_places(path: Path) -> Iterator[Path]:
    """Where the record of the oracle is if that of another agent is at ``path``."""
    if path.suffix != RECORD:
        return
    parents = list(path.parents)[:MOST_PARENTS]
    for folder in parents:
        if folder.parent != folder:
            yield folder.parent / ORACLE / path.relative_to(folder)


def _begins(header: Header) -> str:
    """Tells plays that began alike, by the same rules and limits."""
    return digest((header.scenario_digest, header.start_digest, header.rules, header.limits))
