"""A play as text and the same decisions on a server, after each step of both: what orders were served and
ran out, chest, furnace, inventories and places, and which calls came to nothing for which reason.

Differences are two. Against the play as text: it goes on by itself, so that a tick more or less may add up
until the furnace is at another item. Against what the rules make of the very state that was seen before a
step: here only the step itself can differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from chaos import Chaos
from msgspec import Struct
from msgspec.structs import replace

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.replay import decisions_in, trajectory
from backburner.kernel.values import Step
from backburner.live.stage import Stage
from backburner.worlds.minecraft.game.actions import TAKE_OUT, Calls, Report
from backburner.worlds.minecraft.game.physics import COOKED, FURNACE, OAK_LOG, squared
from backburner.worlds.minecraft.game.server import CODES
from backburner.worlds.minecraft.game.state import Items, State
from backburner.worlds.minecraft.game.transition import REACH_DOUBLED

CHEST = "chest"
SLOTS = ("input", "fuel", "output")
CHAOS = "chaos:Chaos"
SPARE = "picked up what lay beside the meat"
"""Under rules by which of what a mob drops one stack is fetched: what lies at the same spot comes with it."""

CLOCK = "every step went as predicted; the furnace was some ticks elsewhere"
"""The steps before it lasted a few ticks more or less than as text, and each went as the rules say."""

USED = "every step went as predicted; a bot has more than as text, as it picked up what lay beside the meat"
"""It may use that: put a feather into the furnace, where the rules take anything."""

LATE = "a dish came into the chest some ticks later than by the rules, after its order had run out"
"""In a step that lasted as long as by the rules: on the very ticks of the server the rules say the same."""

DONE = "the furnace was done within ten ticks of a bot's taking, sooner for the one and later for the other"
NEAR_TICKS = 10
"""In a step that lasted as long as by the rules no action ended more sooner or later than so."""

ORDERS = ("served", "ran out")


class Play(Struct, frozen=True):
    """Who plays what, with which seed."""

    scenario: str
    rules: str
    agent: str
    seed: int = 0

    def __str__(self) -> str:
        return f"{self.scenario} {self.rules} {self.agent}{f' seed {self.seed}' * bool(self.seed)}"

    @property
    def file_name(self) -> str:
        """A name for its records."""
        told = f"{self.scenario.removeprefix('minecraft/')}.{self.rules}.{self.agent}.{self.seed}"
        return re.sub(r"[^\w.@=,+-]", "-", told) + ".jsonl"


class After(NamedTuple):
    """What there is after a step, and why calls in it came to nothing: a code for each bot's. ``taking``: the
    bots that take what is cooked within some ticks of the furnace's being done."""

    state: State
    codes: Items
    taking: tuple[str, ...]

    @classmethod
    def of(cls, step: Step[State]) -> After:
        """What a step made."""
        vain = ((str(each.get("bot")), each.code) for each in step.refusals if each.code in CODES)
        ends = [event for event in step.events if event.what == "end"]
        done = [event.time for event in ends if event.lane == FURNACE]
        near = (
            event.lane
            for event in ends
            if event.label == TAKE_OUT and any(abs(event.time - time) * 20 <= NEAR_TICKS for time in done)
        )
        return cls(step.state, tuple(sorted(vain)), tuple(near))


class Difference(Struct, frozen=True):
    """After a step, counted from 1: what is not the same, such as ``CHEST``; as it was on the server and in
    the text; and why, if that is known."""

    step: int
    what: str
    seen: str
    text: str
    why: str = ""

    def __str__(self) -> str:
        told = f"step {self.step}, {self.what}: {self.seen}; as text: {self.text}"
        return f"{told} ({self.why})" if self.why else told


def plays(scenarios: Sequence[str], rules: Sequence[str], agents: Sequence[str], seed: int = 0) -> list[Play]:
    """All of them, in the order of the agents."""
    ids = dict.fromkeys(id for name in scenarios for id in registry.expand(name))
    return [Play(id, rule, agent, seed) for agent in agents for rule in rules for id in ids]


def policies_of(spec: str, stage: Stage) -> Mapping[str, Any]:
    """An agent of the roster, ``chaos``, or ``replay:FILE``, for every seat but the server's."""
    return make_policies(AgentSpec(CHAOS if spec == Chaos.name else spec), stage.text)


def differences(text: Episode, live: Episode, stage: Stage) -> list[Difference]:
    """Everything that differs from the play as text, and every step that did not go as predicted."""
    found: list[Difference] = []
    strayed = lost = spared = False
    told = _after(text, stage.text)
    spare = stage.world.rules.one_drop_fetched  # type: ignore[attr-defined]
    for number, (seen, predicted, timed) in enumerate(_observed(live, stage), 1):
        in_time = seen.state.ticks == predicted.state.ticks
        late = in_time and _orders(seen.state) == _orders(timed)
        close = {"refused", *(f"furnace's {slot}" for slot in SLOTS), *predicted.taking} if in_time else set()
        for difference in _compared(number, seen, predicted, stage.bots, spare):
            if late and difference.what in ORDERS:
                difference, lost = replace(difference, why=LATE), True
            if predicted.taking and difference.what in close:
                difference = replace(difference, why=difference.why or DONE)
            strayed, spared = strayed or not difference.why, spared or difference.why == SPARE
            found.append(difference)
        for difference in _compared(number, seen, told[number - 1], stage.bots, spare):
            known = USED if spared else LATE if lost and difference.what in ORDERS else CLOCK
            why = difference.why or ("" if strayed else known)
            found.append(Difference(number, difference.what, difference.seen, difference.text, why))
    return found


def ticks_of(episode: Episode, world: Any, steps: int) -> int:
    """How many ticks so many steps have lasted."""
    return _after(episode, world)[steps - 1].state.ticks if steps else 0


def steps_of(episode: Episode, world: Any) -> int:
    """How many steps were played to their end."""
    return len(_after(episode, world))


def _after(episode: Episode, world: Any) -> list[After]:
    """What there is after each step."""
    steps = ((before, step) for before, _, step in trajectory(episode, world))
    return [After.of(step) for before, step in steps if step.state.steps > before.steps]


def _observed(live: Episode, stage: Stage) -> Iterator[tuple[After, After, State]]:
    """What there is after each step on the server; what the rules make of what was there before; and what
    they make of it where the step, and each call that came to something, takes the server's ticks."""
    for before, entry, step in trajectory(live, stage.world):
        if stage.seat not in entry.answers:
            continue
        decision = decisions_in(stage.world, entry)[stage.seat]
        predicted = stage.world.step(stage.begun(before, decision), {stage.seat: stage.as_predicted})
        report: Report | None = decision.report
        done = tuple(came for came in report.calls if not came.code) if report else ()
        clock = Calls((), report=Report(report.ticks, done, waited=report.waited) if report else None)
        timed = stage.world.step(before, {stage.seat: clock}).state
        yield After.of(step), After.of(predicted), timed


def _compared(
    number: int, seen: After, other: After, bots: Sequence[str], spare: bool
) -> Iterator[Difference]:
    (now, codes, _), (then, expected_codes, _) = seen, other
    alike: dict[str, tuple[Sequence[tuple[str, object]], Sequence[tuple[str, object]]]] = {
        CHEST: (now.chest, then.chest),
        **dict(zip(ORDERS, zip(_orders(now), _orders(then), strict=True), strict=True)),
        "refused": (codes, expected_codes),
        **{
            f"furnace's {slot}": ((getattr(now.furnace, slot),), (getattr(then.furnace, slot),))
            for slot in SLOTS
        },
    }
    for what, (one, another) in alike.items():
        if one != another:
            yield Difference(number, what, _told(one), _told(another))
    for body, bot in enumerate(bots):
        carried, expected = now.carried[body], then.carried[body]
        if carried != expected:
            only_spare = spare and _counted(carried) == _counted(expected)
            yield Difference(number, bot, _told(carried), _told(expected), SPARE if only_spare else "")
        if 4 * squared(now.at[body], then.at[body]) > REACH_DOUBLED**2:
            yield Difference(number, f"place of {bot}", str(now.at[body]), str(then.at[body]))


def _orders(state: State) -> tuple[Items, Items]:
    """How many orders of each dish were served, by the dish's number; how many ran out."""
    served = tuple(sorted((f"of dish {dish}", state.served.count(dish)) for dish in set(state.served)))
    return served, (("orders", state.expired),)


def _counted(items: Items) -> Items:
    """Items of which something comes: meat, logs, dishes."""
    return tuple(each for each in items if each[0] in (*COOKED, *COOKED.values(), OAK_LOG))


def _told(items: Sequence[tuple[str, object]]) -> str:
    return ", ".join(f"{count} {item}" for item, count in items if count) or "nothing"
