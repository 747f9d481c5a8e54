"""Short ways to play TimeArena in tests: by text, by menu, by numbers that Hypothesis draws."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.values import Event, Refusal, Step
from backburner.worlds.timearena.game import RELEASED, STANDARD, Act, Decision, Limits, Rules, TimeArena, Wait
from backburner.worlds.timearena.game.rule_set import DEFECTS
from backburner.worlds.timearena.game.scenarios import SCENARIOS
from backburner.worlds.timearena.game.state import QUIT, UNREADABLE, WAIT, State
from backburner.worlds.timearena.game.transition import AGENT
from support import numbered_plays
from support.numbered_plays import Turn


def world_of(path: str, rules: Any = "standard", limits: Any = "none") -> TimeArena:
    """The world of ``timearena/<path>``, without limits unless some are asked for."""
    world = registry.world(f"timearena/{path}", rules=rules, limits=limits)
    assert isinstance(world, TimeArena)
    return world


def standard_but(**defects: bool) -> Rules:
    """The standard rules with these defects let in again."""
    return replace(STANDARD, name="standard but one", **defects)


class Game:
    """One world played by text; what the last decision led to can be asked for."""

    def __init__(self, path: str, rules: Any = "standard", limits: Any = "none") -> None:
        self.world = world_of(path, rules, limits)
        self.state = self.world.start()
        self.last: Step[State] = Step(self.state)
        self.events: list[Event] = []

    def say(self, *texts: str) -> Game:
        """Give these answers one after the other."""
        for text in texts:
            self.decide(self.world.parse(self.state, AGENT, text))
        return self

    def decide(self, decision: Any) -> Game:
        """Give a decision as a value."""
        self.last = self.world.step(self.state, {AGENT: decision})
        self.state = self.last.state
        self.events += self.last.events
        return self

    @property
    def refused(self) -> str:
        """The code of the last refusal, or nothing."""
        return self.last.refusals[0].code if self.last.refusals else ""

    @property
    def refusal(self) -> Refusal:
        """The last refusal."""
        return self.last.refusals[0]

    @property
    def reports(self) -> set[tuple[str, str]]:
        """What the last decision point told about things."""
        return set(self.state.reports)

    @property
    def scores(self) -> list[tuple[float, float | None]]:
        """(minute, score) at each change so far."""
        return [(event.time, event.value) for event in self.events if event.what == "score"]

    def finished(self, text: str) -> bool:
        """Whether the action written like this is finished."""
        act = self.world.parse(self.state, AGENT, text)
        assert isinstance(act, Act), text
        attempt = self.world.rulebook.legality.attempt(act)
        assert not isinstance(attempt, Refusal), text
        return bool(attempt.bit & self.state.finished)


def first_to_do(world: TimeArena, state: State) -> Decision:
    """The first action on the menu that gets something done, or a wait.

    A thing paired with itself, which only the release accepts, gets nothing done.
    """
    for option in world.menu(state, AGENT).options:
        match option.decision:
            case Act(_, first, second) if first != second:
                return option.decision
    return WAIT


def play_out(world: TimeArena) -> State:
    """Start whatever can be started, wait for the rest; stop when nothing more can happen."""
    state = world.start()
    while world.deciders(state):
        decision = first_to_do(world, state)
        if isinstance(decision, Wait) and not state.running:
            break
        state = world.step(state, {AGENT: decision}).state
    return state


# --- random play ------------------------------------------------------------------------------

TASKS = [f"{kind}{number}" for kind in SCENARIOS for number in range(1, 11)]


def paths(most: int = 3) -> st.SearchStrategy[str]:
    """One to ``most`` tasks, of one scenario or mixed, now and then one of them twice."""
    one_kind = st.sampled_from(SCENARIOS).flatmap(
        lambda kind: st.lists(st.integers(1, 10).map(lambda n: f"{kind}{n}"), min_size=1, max_size=most)
    )
    mixed = st.lists(st.sampled_from(TASKS), min_size=1, max_size=most)
    kits = st.sampled_from(["", "@kit=one"])
    return st.builds(lambda tasks, kit: "+".join(tasks) + kit, one_kind | mixed, kits)


def rule_sets() -> st.SearchStrategy[Rules]:
    """Both presets, and any mixture of their fields."""
    mixtures = st.fixed_dictionaries({field: st.booleans() for field in DEFECTS})
    return st.sampled_from([STANDARD, RELEASED]) | mixtures.map(lambda fields: Rules("mixed", **fields))


def limit_sets() -> st.SearchStrategy[Limits | str]:
    """No limits, the article's, and tight ones."""
    return st.sampled_from(["none", "article", Limits(minutes=17), Limits(errors=2), Limits(29, 3)])


def worlds() -> st.SearchStrategy[TimeArena]:
    """Random combinations under random rules and limits."""
    return st.builds(world_of, paths(), rule_sets(), limit_sets())


_number = st.integers(0, 9_999)
choices = st.lists(_number, max_size=10) | st.lists(_number, min_size=30, max_size=80)
"""A short or long play as numbers; ``decision_of`` gives each its meaning where it is used."""


def walk(world: TimeArena, numbers: Iterable[int]) -> Iterator[Turn]:
    """Play by numbers until they run out or the episode is over."""
    return numbered_plays.walk(world, AGENT, partial(decision_of, world), numbers)


def decision_of(world: TimeArena, state: State, number: int) -> Any:
    """Six numbers in ten act well, one waits, two try things that may not go, one is no decision."""
    kind, pick = number % 10, number // 10
    if kind < 6:
        options = world.menu(state, AGENT).options
        return options[pick % len(options)].decision
    if kind == 6:
        return WAIT
    if kind < 9:
        acts = [attempt.act for attempt in world.rulebook.legality.fitting]
        one, other = acts[pick % len(acts)], acts[pick // 7 % len(acts)]
        return Act(one.verb, other.first if pick % 3 == 0 else one.first, other.second if one.second else "")
    if pick % 50 == 0:
        return QUIT
    return (UNREADABLE, None, "no decision", Act("fly", "moon"), Act("wash", "moon"))[pick % 5]
