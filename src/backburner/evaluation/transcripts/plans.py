"""The play that an episode is held against: how far behind it the episode is, and why.

It is a record of the oracle, a shipped plan, or one found now.

Work is the same in both if it has the same label; what is done several times is counted. An episode is
*behind* the plan, at a time, by the time that has passed since the plan had done as much of the work that
both do: with the plan's durations as weights, work under way counts by the share of it that is over. At its
end, if all work of the plan is done, it is behind by what it took longer.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal

from msgspec import Struct

from backburner.agents.planned import ORACLE, shipped_plan, solved_plan
from backburner.evaluation.records import RECORD
from backburner.kernel.activities import Activity, activities
from backburner.kernel.episode import Episode, Header, read_episode
from backburner.kernel.errors import BadFile, one_line, shorten, why
from backburner.kernel.play import play_now
from backburner.kernel.replay import world_of
from backburner.kernel.values import Event, digest

MOST_PARENTS = 4
"""Folders upwards of a record in which a sibling ``oracle`` is looked for."""


class Plan(Struct, frozen=True):
    """A play of the same scenario by the same rules; ``origin`` says where it comes from. ``path``: of its
    record, if it has one."""

    episode: Episode
    origin: str
    path: Path | None = None


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
            if policy is None and not self._seconds:
                return "no plan is recorded or shipped to compare with; --oracle-seconds looks for one"
            if policy is None:
                policy, solution = solved_plan(world, self._seconds)
                proven = "proven best" if solution.status == "optimal" else "not proven best"
                bound = "" if solution.bound is None else f", bound {solution.bound} {solution.unit}"
                origin = f"a plan found in {self._seconds:g} s: {proven}{bound}"
            played = play_now(world, policy, episode.header.seed)
        except Exception as error:  # a stranger's scenario may be one that nobody has tried to plan
            return f"no plan to compare with: {one_line(shorten(why(error), 300))}"
        if played.ending is None or played.ending.status == "failed":
            return "no plan to compare with: the one that was found cannot be played from here"
        return Plan(played, origin)


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


# --- an episode beside its plan --------------------------------------------------------------------------


Time = int | float

LEAST_LOSS = 1e-6
"""Less than this is rounding, of time and of work."""

Kind = Literal["planned", "repeated", "unplanned", "waited", "refused", "idle"]
"""What a body did: work that the plan has; that work once more than the plan; other work; it waited; a
decision was refused and cost time; nothing."""


class Piece(Struct, frozen=True):
    """Work that was finished: the ``number``-th with its label, from 1."""

    label: str
    number: int
    start: Time
    end: Time


def work_in(events: Iterable[Event]) -> list[Piece]:
    """All finished work, in the order in which it ended."""
    begun: dict[str, Event] = {}
    counted: Counter[str] = Counter()
    found: list[Piece] = []
    for event in events:
        if event.what == "start":
            begun[event.key] = event
        first = begun.pop(event.key, None) if event.what == "end" else None
        if first is not None and first.kind == "work":
            counted[first.label] += 1
            found.append(Piece(first.label, counted[first.label], first.time, event.time))
    return found


def paired(mine: Iterable[Piece], plan: Iterable[Piece]) -> list[tuple[Piece, Piece]]:
    """The same work in two plays: of one label and number, and then of what is left, what differs in numbered
    things alone, in the order in which it ended: rice that is cooked in ``pot_2`` in place of ``pot_1``."""
    waiting = {(piece.label, piece.number): piece for piece in mine}
    found: list[tuple[Piece, Piece]] = []
    left: list[Piece] = []
    for piece in plan:
        same = waiting.pop((piece.label, piece.number), None)
        if same is None:
            left.append(piece)
        else:
            found.append((same, piece))
    alike: defaultdict[str, deque[Piece]] = defaultdict(deque)
    for piece in waiting.values():
        alike[unnumbered(piece.label)].append(piece)
    for piece in left:
        if queue := alike.get(unnumbered(piece.label)):
            found.append((queue.popleft(), piece))
    return found


_NUMBER = re.compile(r"(?<![0-9])_?[0-9]+\b")


def unnumbered(label: str) -> str:
    """A label without the numbers of things."""
    return _NUMBER.sub("", label)


class Loss(Struct, frozen=True):
    """From ``begin`` to ``end`` an episode fell behind by ``lost``; ``why`` says what its bodies did."""

    begin: Time
    end: Time
    lost: float
    why: str


class Alongside:
    """An episode's events beside those of a plan. ``bodies``: the lanes of those who act in either."""

    def __init__(self, events: Sequence[Event], plan: Sequence[Event], bodies: Collection[str]) -> None:
        self._events, self._bodies = tuple(events), tuple(bodies)
        mine, planned = work_in(events), work_in(plan)
        both = paired(mine, planned)
        self._mine = _Progress([(one, other.end - other.start) for one, other in both])
        self._plan = _Progress([(other, other.end - other.start) for _, other in both])
        self.shared = len(both)
        reached = {other for _, other in both}
        self.missing = [piece for piece in planned if piece not in reached]
        self._counted = {(one.label, one.start) for one, _ in both}
        self._known = {unnumbered(piece.label) for piece in planned}

    def behind(self, time: Time) -> float:
        """How far behind the plan the episode is; below 0: how far ahead."""
        done = self._mine.done(time)
        return time - self._plan.when(done) if done > 0 else time - self._plan.begin

    @cached_property
    def losses(self) -> list[Loss]:
        """When the episode fell behind, in order of time; runs of the same cause are one."""
        found: list[Loss] = []
        times = sorted({0, *(event.time for event in self._events)})
        for begin, end in pairwise(times):
            lost = self.behind(end) - self.behind(begin)
            if abs(lost) <= LEAST_LOSS:  # such as a wait that the plan has too
                continue
            why = self._why(begin, end)
            last = found[-1] if found else None
            if last is not None and last.why == why and last.end == begin:
                found[-1] = Loss(last.begin, end, last.lost + lost, why)
            else:
                found.append(Loss(begin, end, lost, why))
        return [loss for loss in found if loss.lost > LEAST_LOSS]

    def _why(self, begin: Time, end: Time) -> str:
        during = [(kind, did) for kind, did in self._doings if did.start < end and did.end > begin]
        by_kind: dict[Kind, list[str]] = {}
        for kind, did in during:
            by_kind.setdefault(kind, []).append(did.label)
        for kind, words in _CAUSES.items():
            if kind in by_kind:
                labels = ", ".join(dict.fromkeys(by_kind[kind]))
                return words if kind == "waited" else f"{words}: {labels}"
        return "nobody did anything"

    @cached_property
    def _doings(self) -> list[tuple[Kind, Activity]]:
        acts = [act for act in activities(self._events) if act.lane in self._bodies]
        return [(self._kind(act), act) for act in acts]

    def _kind(self, act: Activity) -> Kind:
        kind = kind_of(act)
        if kind != "planned" or (act.label, act.start) in self._counted:
            return kind
        if unnumbered(act.label) not in self._known:
            return "unplanned"
        return "repeated" if act.complete else "planned"

    def account(self, until: Time) -> dict[str, dict[Kind, Time]]:
        """How long each body did what, up to a time; what overlaps counts in full."""
        return account(self._doings, self._bodies, until)


_CAUSES: Mapping[Kind, str] = {
    "refused": "refused",
    "repeated": "done once more than in the plan",
    "unplanned": "not in the plan",
    "waited": "waited",
    "planned": "less at once than in the plan, or another order",
}
"""What is told of a loss, the first that holds."""


class _Progress:
    """How much of the shared work is done at a time, and when so much was done."""

    def __init__(self, weighted: Iterable[tuple[Piece, Time]]) -> None:
        found = [(piece, weight) for piece, weight in weighted if weight > 0]
        self.pieces = [piece for piece, _ in found]
        self.times = sorted({time for piece in self.pieces for time in (piece.start, piece.end)})
        self.begin = self.times[0] if self.times else 0
        changes: defaultdict[Time, float] = defaultdict(float)
        jumps: defaultdict[Time, float] = defaultdict(float)
        for piece, weight in found:
            if piece.end > piece.start:
                changes[piece.start] += weight / (piece.end - piece.start)
                changes[piece.end] -= weight / (piece.end - piece.start)
            else:
                jumps[piece.end] += weight
        self.values: list[float] = []
        rate = value = 0.0
        last: Time = self.begin
        for time in self.times:
            value += rate * (time - last) + jumps[time]
            self.values.append(value)
            rate += changes[time]
            last = time

    def done(self, time: Time) -> float:
        """The weight of what is done at a time, all that is under way by its share."""
        place = bisect_right(self.times, time) - 1
        if place < 0:
            return 0.0
        if place == len(self.times) - 1:
            return self.values[-1]
        return _between(time, self.times[place : place + 2], self.values[place : place + 2])

    def when(self, value: float) -> float:
        """The earliest time at which so much was done."""
        near = LEAST_LOSS * max(1.0, value)
        place = bisect_left(self.values, value - near)
        if place == 0:
            return self.begin
        if place < len(self.values) and self.values[place] <= value + near:
            return self.times[place]
        if place == len(self.values):
            return self.times[-1] if self.times else 0.0
        return _between(value, self.values[place - 1 : place + 1], self.times[place - 1 : place + 1])


def _between(at: float, places: Sequence[float], values: Sequence[float]) -> float:
    (left, right), (low, high) = places, values
    return low + (high - low) * (at - left) / (right - left) if right > left else high


# --- what bodies did ---------------------------------------------------------------------------------------


def kind_of(act: Activity) -> Kind:
    """What an activity was, if all work is the plan's."""
    return "waited" if act.kind == "wait" else "refused" if act.kind == "refused" else "planned"


def account(
    doings: Iterable[tuple[Kind, Activity]], bodies: Iterable[str], until: Time
) -> dict[str, dict[Kind, Time]]:
    """The time of each body up to ``until`` by what it did; what no activity covers is idle."""
    found: dict[str, dict[Kind, Time]] = {body: {} for body in bodies}
    spans: dict[str, list[tuple[Time, Time]]] = {body: [] for body in found}
    for kind, act in doings:
        end = min(act.end, until)
        if act.lane in found and end > act.start:
            found[act.lane][kind] = found[act.lane].get(kind, 0) + end - act.start
            spans[act.lane].append((act.start, end))
    for body, of_body in spans.items():
        if idle := until - _covered(of_body):
            found[body]["idle"] = idle
    return found


def _covered(spans: Iterable[tuple[Time, Time]]) -> Time:
    covered: Time = 0
    reached: Time = 0
    for begin, end in sorted(spans):
        covered += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return covered
