"""A play as text and the same decisions on a server: chest, inventories and places after each step of both.

Differences are two. Against the play as text: it goes on by itself, so that a tick more or less may add up
until the furnace is at another item. Against what the rules make of the very state that was seen before a
step: here only the step itself can differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.replay import trajectory
from backburner.live.stage import Stage
from backburner.worlds.minecraft.game.facts import COOKED, OAK_LOG
from backburner.worlds.minecraft.game.ground import squared
from backburner.worlds.minecraft.game.state import Items, State
from backburner.worlds.minecraft.game.transition import REACH_DOUBLED

CHEST = "chest"
SPARE = "picked up what lay beside the meat"
"""Under rules by which of what a mob drops one stack is fetched: what lies at the same spot comes with it."""

CLOCK = "every step went as predicted; the furnace was some ticks elsewhere"
"""The steps before it lasted a few ticks more or less than as text, and each went as the rules say."""

EXPLAINED = (SPARE, CLOCK)


class Play(Struct, frozen=True):
    """Who plays what."""

    scenario: str
    rules: str
    agent: str

    def __str__(self) -> str:
        return f"{self.scenario} {self.rules} {self.agent}"

    @property
    def file_name(self) -> str:
        """A name for its records."""
        return f"{self.scenario.removeprefix('minecraft/').replace('/', '-')}.{self.rules}.{self.agent}.jsonl"


class Difference(Struct, frozen=True):
    """After a step, counted from 1: what is not the same, ``CHEST``, what a bot carries, or where it is; as
    it was on the server and in the text; and why, if that is known."""

    step: int
    what: str
    seen: str
    text: str
    why: str = ""

    def __str__(self) -> str:
        told = f"step {self.step}, {self.what}: {self.seen}; as text: {self.text}"
        return f"{told} ({self.why})" if self.why else told


def plays(scenarios: Sequence[str], rules: Sequence[str], agents: Sequence[str]) -> list[Play]:
    """All of them, cheap ones first: an oracle searches for its plan."""
    ids = dict.fromkeys(id for name in scenarios for id in registry.expand(name))
    return [Play(id, rule, agent) for agent in agents for rule in rules for id in ids]


def policies_of(spec: str, stage: Stage) -> Mapping[str, Any]:
    """An agent, or ``replay:FILE``, for every seat but the server's."""
    return make_policies(AgentSpec(spec), stage.text)


def differences(text: Episode, live: Episode, stage: Stage) -> list[Difference]:
    """Everything that differs from the play as text, and every step that did not go as predicted."""
    found: list[Difference] = []
    strayed = False
    told = _states(text, stage.text)
    spare = stage.world.rules.one_drop_fetched  # type: ignore[attr-defined]
    for number, (seen, predicted) in enumerate(_observed(live, stage), 1):
        for difference in _compared(number, seen, predicted, stage.bots, spare):
            strayed = strayed or not difference.why
            found.append(difference)
        for difference in _compared(number, seen, told[number - 1], stage.bots, spare):
            why = difference.why or ("" if strayed else CLOCK)
            found.append(Difference(number, difference.what, difference.seen, difference.text, why))
    return found


def ticks_of(episode: Episode, world: Any, steps: int) -> int:
    """How many ticks so many steps have lasted."""
    return _states(episode, world)[steps - 1].ticks if steps else 0


def steps_of(episode: Episode, world: Any) -> int:
    """How many steps were played to their end."""
    return len(_states(episode, world))


def _states(episode: Episode, world: Any) -> list[State]:
    """The state after each step."""
    return [step.state for before, _, step in trajectory(episode, world) if step.state.steps > before.steps]


def _observed(live: Episode, stage: Stage) -> Iterator[tuple[State, State]]:
    """The state after each step on the server, and the one that the rules make of what was there before."""
    for before, entry, step in trajectory(live, stage.world):
        if stage.seat in entry.answers:
            predicted = stage.world.step(before, {stage.seat: stage.as_predicted}).state
            yield step.state, predicted


def _compared(
    number: int, seen: State, other: State, bots: Sequence[str], spare: bool
) -> Iterator[Difference]:
    if seen.chest != other.chest:
        yield Difference(number, CHEST, _told(seen.chest), _told(other.chest))
    for body, bot in enumerate(bots):
        carried, expected = seen.carried[body], other.carried[body]
        if carried != expected:
            only_spare = spare and _counted(carried) == _counted(expected)
            yield Difference(number, bot, _told(carried), _told(expected), SPARE if only_spare else "")
        if 4 * squared(seen.at[body], other.at[body]) > REACH_DOUBLED**2:
            yield Difference(number, f"place of {bot}", str(seen.at[body]), str(other.at[body]))


def _counted(items: Items) -> Items:
    """Items of which something comes: meat, logs, dishes."""
    return tuple(each for each in items if each[0] in (*COOKED, *COOKED.values(), OAK_LOG))


def _told(items: Items) -> str:
    return ", ".join(f"{count} {item}" for item, count in items) or "nothing"
