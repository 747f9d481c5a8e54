"""How alike an agent's decisions are to those of the package's own agents, where there was a choice.

An agent's play is held against another's of the same scenario and seed wherever both came to the same state.
A decision counts if it was a real choice: two or more decisions that would have been accepted lead to
different states. It is equal if it leads to the same state. Strong agents agree in much, so what is found
stands beside what greedy and the oracle have in common; it proves nothing of anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from backburner.agents.planned import GREEDY, ORACLE, guide, shipped_plan, solved_plan, world_agent
from backburner.kernel import registry
from backburner.kernel.contract import World
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.menu import lists
from backburner.kernel.play import play_now
from backburner.kernel.policy import Policy
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.scoring import grouped
from backburner.kernel.values import Seat, digest

MOST_SCENARIOS = 24
"""Of a submission whose plays are compared: the same for all submissions, as many of each world as of any
other. What the package's own agents play there is found out once."""

ORACLE_SECONDS = 5.0
"""For the oracle's plan of one scenario that ships with none."""

MOST_DECISIONS = 100
"""Steps of one play, and decisions on one menu, that are looked at."""


IT = "it"
"""What the agent is called that is held against others."""


class Likeness(Struct, frozen=True):
    """Of ``choices`` in states that both came to, ``equal`` were decided alike."""

    one: str
    other: str
    equal: int
    choices: int

    @property
    def words(self) -> str:
        """In words, for people."""
        if not self.choices:
            return f"{self.one} and {self.other}: no choice in a state that both came to"
        share = 100 * self.equal / self.choices
        return f"{self.one} decides as {self.other} in {share:.0f} % ({self.equal} of {self.choices} choices)"


OWN: Mapping[str, Callable[[World[Any, Any, Any]], Policy]] = {
    ORACLE: lambda world: shipped_plan(world) or solved_plan(world, ORACLE_SECONDS)[0],
    GREEDY: lambda world: world_agent(GREEDY, world),
    "stand-in": guide,
}
"""The package's own agents; the stand-in for a model is asked as one that never slips."""


def likenesses(episodes: Iterable[Episode]) -> tuple[Likeness, ...]:
    """An agent's episodes beside the package's own agents, and greedy beside the oracle in the same."""
    sampled = sample(episodes)
    found = [_together(IT, name, [(one, _own(name, one)) for one in sampled]) for name in OWN]
    own = [(_own(GREEDY, one), _own(ORACLE, one)) for one in sampled]
    return (*found, _together(GREEDY, ORACLE, own))


def sample(episodes: Iterable[Episode]) -> list[Episode]:
    """Episodes of the scenarios that are looked at, each with its lowest seed."""
    lowest = sorted(episodes, key=lambda episode: episode.header.seed)
    by_id = {episode.header.id: episode for episode in reversed(lowest)}
    in_order = sorted(by_id.values(), key=lambda episode: digest(episode.header.id))
    worlds = list(grouped(in_order, lambda episode: episode.header.world).values())
    rounds = (one[number] for number in range(MOST_SCENARIOS) for one in worlds if number < len(one))
    return [episode for episode, _ in zip(rounds, range(MOST_SCENARIOS), strict=False)]


def _together(one: str, other: str, pairs: Iterable[tuple[Episode | None, Episode | None]]) -> Likeness:
    both = [
        (mine, theirs) for mine, theirs in pairs if mine and theirs and _planned(mine) == _planned(theirs)
    ]
    choices = [equal for mine, theirs in both for equal in compared(mine, theirs)]
    return Likeness(one, other, sum(choices), len(choices))


def _planned(episode: Episode) -> bool:
    """Whether all was decided at once: a plan is no choice among steps."""
    return len(episode.entries) == 1


def _own(name: str, episode: Episode) -> Episode | None:
    return _played(name, episode.header.id, episode.header.seed)


@lru_cache(maxsize=16 * MOST_SCENARIOS)
def _played(name: str, id: str, seed: int) -> Episode | None:
    """What one of our agents plays under standard rules; ``None`` where it can do nothing."""
    try:
        world = registry.world(id)
        return play_now(world, OWN[name](world), seed, max_steps=10 * MOST_DECISIONS)
    except BackburnerError:
        return None


# --- two plays of one scenario ------------------------------------------------------------------------------


def compared(mine: Episode, theirs: Episode) -> Iterator[bool]:
    """Of each real choice in a state that both plays came to, whether it was decided alike."""
    world = registry.world(mine.header.id)
    listed: bool = lists(world)
    if not listed:
        return
    there = dict(zip(_states(theirs), theirs.entries, strict=False))
    for before, (state, entry, step) in zip(_states(mine), trajectory(mine, world), strict=False):
        if entry.index == MOST_DECISIONS:
            return
        other = there.get(before)
        if other is None:
            continue
        taken, came = decisions_in(world, entry), digest(step.state)
        for seat in entry.answers:
            if is_choice(world, state, taken, seat):
                theirs_taken = {**taken, seat: decisions_in(world, other)[seat]}
                yield came == digest(world.step(state, theirs_taken).state)


def _states(episode: Episode) -> Sequence[str]:
    """The digests of the states before each step."""
    return [episode.header.start_digest, *(entry.digest for entry in episode.entries)]


def is_choice(world: Any, state: Any, taken: Mapping[Seat, Any], seat: Seat) -> bool:
    """Whether decisions on the seat's menu that are accepted lead to different states, all else being taken
    as it was."""
    outcomes: set[str] = set()
    for option in world.menu(state, seat).options[:MOST_DECISIONS]:
        step = world.step(state, {**taken, seat: option.decision})
        if not any(refusal.seat in ("", seat) for refusal in step.refusals):
            outcomes.add(digest(step.state))
        if len(outcomes) > 1:
            return True
    return False
