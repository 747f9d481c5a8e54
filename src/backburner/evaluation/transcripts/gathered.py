"""All that is known of an episode before its page is written. Where something is wrong, the rest stands.

Where its time went is told as its page tells it, to be added up over a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from backburner.drawing.timeline.chart import BODIES, Chart
from backburner.evaluation.submissions.retelling import Asked, asked_in
from backburner.evaluation.transcripts.plans import (
    Alongside,
    Kind,
    Plan,
    Plans,
    account,
    kind_of,
    unnumbered,
    work_in,
)
from backburner.evaluation.transcripts.steps import (
    MOST_STEPS,
    Place,
    Words,
    bounded,
    compact,
    places_of,
    timed_places,
)
from backburner.kernel import registry
from backburner.kernel.activities import activities
from backburner.kernel.assessment import Window
from backburner.kernel.claims import Verdict, verify
from backburner.kernel.contract import World, decision_of
from backburner.kernel.episode import Episode
from backburner.kernel.errors import ReplayMismatch, one_line, shorten, why
from backburner.kernel.replay import questions, shots_of, story_of, windows_of, world_of
from backburner.kernel.text import Text
from backburner.kernel.turns import turn_of
from backburner.kernel.values import Event, Seat
from backburner.kernel.view import Shot

MOST_EVENTS = 4000
"""An episode with more events than that is no picture."""

MOST_SHOTS = 3000
"""Frames of a film."""

T = TypeVar("T")


class Gathered:
    """An episode with what its world tells about it, if the world is here, and the plan beside it.

    ``lacks``: what could not be had, a line each.
    """

    def __init__(self, path: Path, episode: Episode, plans: Plans) -> None:
        self.path, self.episode, self.header = path, episode, episode.header
        self.places = places_of(episode)
        self.events: tuple[Event, ...] = tuple(episode.events())
        self.lacks: list[str] = []
        self._plans = plans
        self.world: World[Any, Any, Any] | None = self._had("", lambda: world_of(episode), None)
        if self.header.clock is not None:
            self.events = self._of_world("thoughts", lambda world: story_of(episode, world), self.events)
            self.places = self._of_world("times", lambda world: timed_places(episode, world), self.places)

    def _had(self, what: str, get: Callable[[], T], otherwise: T) -> T:
        """What ``get`` gives: a stranger's record may be what no play of ours would have come to."""
        try:
            return get()
        except Exception as error:
            self.lacks.append(one_line(shorten(f"{what}: {why(error)}" if what else why(error), 300)))
            return otherwise

    def _of_world(self, what: str, get: Callable[[World[Any, Any, Any]], T], otherwise: T) -> T:
        """What ``get`` gives of the world, if that is here."""
        world = self.world
        return otherwise if world is None else self._had(what, lambda: get(world), otherwise)

    @cached_property
    def title(self) -> str:
        """What the scenario is called."""
        return registry.title(self.header.id, None if self.world is None else self.world.scenario)

    @cached_property
    def words(self) -> Words:
        """Puts recorded decisions into words."""
        return compact if self.world is None else words_in(self.world)

    @cached_property
    def shots(self) -> tuple[Shot, ...]:
        """The scenes; none where nothing can be drawn."""
        return self._of_world("without scenes", lambda world: shots_of(self.episode, world)[:MOST_SHOTS], ())

    @cached_property
    def windows(self) -> tuple[Window, ...]:
        """The windows of time, if the world sets any."""
        return self._of_world("without windows", lambda world: windows_of(self.episode, world), ())

    @cached_property
    def verdict(self) -> Verdict | str:
        """What a replay proves, or why it does not."""
        if self.world is None:
            return "not replayed: its world cannot be made"
        try:
            return verify(self.episode, self.world)
        except ReplayMismatch as error:
            return str(error)
        except Exception as error:
            return one_line(shorten(f"{type(error).__name__}: {error}", 300))

    @cached_property
    def asked(self) -> Asked:
        """What models were sent."""
        return self._of_world(
            "what was sent is unknown", lambda world: asked_in(self.path, self.episode, world), Asked()
        )

    @cached_property
    def told(self) -> dict[int, dict[Seat, str]]:
        """What the world told a seat before each answer whose prompt is not known, by step."""
        found: dict[int, dict[Seat, str]] = {}
        return self._had("not all that seats were told is known", lambda: self._all_told(found), found)

    def _all_told(self, found: dict[int, dict[Seat, str]]) -> dict[int, dict[Seat, str]]:
        world = self.world
        if world is None or not isinstance(world, Text):
            return found
        seed = self.header.seed
        for one in islice(questions(self.episode, world), MOST_STEPS):
            if one.decided is not None and (one.decided, one.seat) not in self.asked.calls:
                turn = turn_of(world, one.state, one.seat, one.index, seed, clock=one.clock)
                found.setdefault(one.decided, {})[one.seat] = bounded(turn.text)[0]
        return found

    @property
    def drawable(self) -> bool:
        """Whether there are few enough events for a picture."""
        return len(self.events) <= MOST_EVENTS

    @cached_property
    def chart(self) -> Chart:
        """The episode's timeline."""
        standing = self._standing
        return Chart(self.events, (*BODIES, *self.header.players, *standing), self.windows, standing)

    @property
    def _standing(self) -> Sequence[str]:
        """The bodies in the order of their scene."""
        return [body.name for shot in self.shots[:1] for body in shot.scene.bodies]

    @cached_property
    def plan(self) -> Plan | str:
        """The plan to compare with, or why there is none."""
        if self.world is None or not self.drawable:
            return ""
        return self._plans.beside(self.path, self.episode)

    @cached_property
    def plan_chart(self) -> Chart | None:
        """The plan's timeline."""
        if isinstance(self.plan, str):
            return None
        acting = (*BODIES, *self.header.players, *self.bodies)
        return Chart(self.plan.episode.events(), acting, standing=self._standing)

    @cached_property
    def alongside(self) -> Alongside | None:
        """The episode held against the plan; ``None`` where they share no work."""
        if isinstance(self.plan, str) or self.plan_chart is None:
            return None
        lanes = (*self.chart.lanes, *self.plan_chart.lanes)
        bodies = dict.fromkeys(lane.name for lane in lanes if lane.body)
        beside = Alongside(self.events, tuple(self.plan.episode.events()), tuple(bodies))
        return beside if beside.shared else None

    @cached_property
    def plan_places(self) -> tuple[Place, ...]:
        """The plan's steps."""
        return () if isinstance(self.plan, str) else places_of(self.plan.episode)

    @property
    def ends(self) -> int | float:
        """When the last thing happened."""
        return self.places[-1].ends if self.places else 0

    @property
    def plan_ends(self) -> int | float:
        """When the last thing happens in the plan."""
        return self.plan_places[-1].ends if self.plan_places else 0

    @property
    def bodies(self) -> list[str]:
        """Whoever acts in the episode."""
        return [lane.name for lane in self.chart.lanes if lane.body]

    @property
    def planned(self) -> Mapping[str, Mapping[Kind, int | float]]:
        """What each body does with its time in the plan; nothing without one."""
        if isinstance(self.plan, str):
            return {}
        acts = [(kind_of(act), act) for act in activities(self.plan.episode.events())]
        return account(acts, self.bodies, self.plan_ends)


def words_in(world: World[Any, Any, Any]) -> Words:
    """Recorded decisions in the world's own words, where it has any."""
    if not isinstance(world, Text):
        return compact

    def words(written: Any) -> str:
        plain = msgspec.to_builtins(written)
        decision = decision_of(world, plain)
        return compact(plain) if decision is plain else world.words(decision)

    return words


# --- where its time went ---------------------------------------------------------------------------------


class Spent(Struct, frozen=True):
    """An episode's time, in the world's unit.

    ``mine``: all bodies' together by what they did; ``plan``: that of the plan beside it, empty without one.
    ``lost``: how far the episode fell behind the plan, by cause. ``never``: the plan's work that was never
    begun, without the numbers of things.
    """

    mine: Mapping[Kind, float]
    plan: Mapping[Kind, float]
    lost: Mapping[str, float]
    never: tuple[str, ...]


def spent(known: Gathered) -> Spent:
    """What the page of an episode tells of its time."""
    beside, plan = known.alongside, known.plan
    acts = [(kind_of(act), act) for act in activities(known.events)]
    mine = account(acts, known.bodies, known.ends) if beside is None else beside.account(known.ends)
    if isinstance(plan, str):
        return Spent(added(mine.values()), {}, {}, ())
    lost: dict[str, float] = {}
    for loss in [] if beside is None else beside.losses:
        cause = loss.why.partition(":")[0]
        lost[cause] = lost.get(cause, 0.0) + loss.lost
    never = never_begun(known.episode, plan.episode)
    return Spent(added(mine.values()), added(known.planned.values()), lost, never)


def never_begun(mine: Episode, plan: Episode) -> tuple[str, ...]:
    """The work that a plan finishes and an episode never begins, by label without numbers of things; none of
    an episode that was completed all the same."""
    if mine.ending is not None and mine.ending.numbers.get("completed") == 1:
        return ()
    begun = {unnumbered(each.label) for each in mine.events() if each.what == "start" and each.kind == "work"}
    wanted = dict.fromkeys(unnumbered(piece.label) for piece in work_in(plan.events()))
    return tuple(label for label in wanted if label not in begun)


Name = TypeVar("Name", bound=str)


def added(parts: Iterable[Mapping[Name, float]]) -> dict[Name, float]:
    """Times under names, added up name by name."""
    found: dict[Name, float] = {}
    for part in parts:
        for name, value in part.items():
            found[name] = found.get(name, 0.0) + value
    return found
