"""A stranger's record or file: checked as a whole before anything is built, told in one short line."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from backburner.kernel.errors import BackburnerError, BadFile, Refused
from backburner.worlds.timearena.game import TimeArena
from backburner.worlds.timearena.game.catalogue import catalogue
from backburner.worlds.timearena.game.scenarios import MOST_TASKS, shipped_tasks
from backburner.worlds.timearena.game.transition import AGENT
from support.promptly import within
from support.timearena.play import decision_of, world_of

LONG = "x" * 10_000
ESCAPE = "\x1b]0;owned\x07"


def header(path: str = "cooking1+lab8", rules: str = "standard") -> dict[str, Any]:
    world = world_of(path, rules, "article")
    return {
        "scenario": msgspec.to_builtins(world.scenario),
        "rules": msgspec.to_builtins(world.rules),
        "limits": msgspec.to_builtins(world.limits),
    }


def restored(raw: dict[str, Any]) -> TimeArena:
    return catalogue.restore("timearena/a", raw["scenario"], raw["rules"], raw["limits"])


def at(raw: dict[str, Any], *path: Any) -> Any:
    for key in path:
        raw = raw[key]
    return raw


Change = Callable[[dict[str, Any]], Any]
TASK = ("scenario", "tasks", 0)
THING = (*TASK, "things", 0)
ROLE = (*THING, "roles", 1)

CHANGES: dict[str, Change] = {
    "no tasks": lambda raw: raw["scenario"].update(tasks=[]),
    "ten thousand tasks": lambda raw: raw["scenario"].update(tasks=raw["scenario"]["tasks"] * 5_000),
    "a hundred thousand things": lambda raw: at(raw, *TASK).update(things=at(raw, *TASK)["things"] * 20_000),
    "a hundred thousand roles": lambda raw: at(raw, *THING).update(roles=at(raw, *THING)["roles"] * 30_000),
    "a million needs": lambda raw: at(raw, *ROLE).update(needs=at(raw, *ROLE)["needs"] * 1_000_000),
    "a million actions": lambda raw: at(raw, *TASK).update(actions=at(raw, *TASK)["actions"] * 100_000),
    "a million verbs": lambda raw: raw["scenario"].update(verbs=raw["scenario"]["verbs"] * 100_000),
    "a million kit names": lambda raw: raw["scenario"].update(kit_names=["pot"] * 1_000_000),
    "a long task id": lambda raw: at(raw, *TASK).update(id=LONG),
    "a long thing": lambda raw: at(raw, *THING).update(name=LONG),
    "a long verb": lambda raw: at(raw, "scenario", "verbs", 0).update(name=LONG, form=f"{LONG} OBJ"),
    "a long form": lambda raw: at(raw, "scenario", "verbs", 0).update(form=f"{LONG} OBJ"),
    "a long goal": lambda raw: at(raw, *TASK).update(goal=LONG),
    "a long state": lambda raw: at(raw, *ROLE).update(before=LONG),
    "a long need": lambda raw: at(raw, *ROLE).update(needs=[[LONG, "pick", 0]]),
    "a long verb of a role": lambda raw: at(raw, *ROLE).update(verb=LONG),
    "a long thing of an action": lambda raw: at(raw, *TASK, "actions", 0).update(things=[LONG]),
    "a long kit name": lambda raw: raw["scenario"].update(kit_names=[LONG]),
    "a long key": lambda raw: at(raw, *TASK).update({LONG: 1}),
    "a long kit": lambda raw: raw["scenario"].update(kit=LONG),
    "an escape in a goal": lambda raw: at(raw, *TASK).update(goal=ESCAPE),
    "an escape in a gloss": lambda raw: at(raw, "scenario", "verbs", 0).update(gloss=ESCAPE),
    "an escape in a state": lambda raw: at(raw, *ROLE).update(after=ESCAPE),
    "an escape in a task id": lambda raw: at(raw, *TASK).update(id=ESCAPE),
    "an escape in a title": lambda raw: at(raw, *TASK).update(title=f"one\ntwo{ESCAPE}"),
    "a need of nothing there": lambda raw: at(raw, *ROLE).update(needs=[["moon", "pick", 0]]),
    "an action on a thing that is not there": lambda raw: at(raw, *TASK, "actions", 0).update(
        things=["moon"]
    ),
    "two tasks of one id": lambda raw: at(raw, "scenario", "tasks", 1).update(id="cooking1"),
    "a verb of no task": lambda raw: raw["scenario"].update(verbs=[]),
    "a circle": lambda raw: at(raw, *THING, "roles", 0).update(needs=[["rice", "cook in", 1]]),
    "minutes below none": lambda raw: at(raw, *ROLE).update(minutes=-1),
    "minutes without end": lambda raw: at(raw, *ROLE).update(minutes=10**12),
    "a limit of no minutes": lambda raw: raw["limits"].update(minutes=0),
    "a limit that is a text": lambda raw: raw["limits"].update(errors="five"),
    "a rule that is none": lambda raw: raw["rules"].update({"gravity": True}),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", CHANGES)
def test_what_cannot_be_played_is_refused_quickly_in_one_short_line(what: str) -> None:
    raw = copy.deepcopy(header())
    CHANGES[what](raw)
    with within(4), pytest.raises((BackburnerError, msgspec.ValidationError)) as caught:
        restored(raw)
    told = str(caught.value)
    assert told.isprintable()
    if isinstance(caught.value, BadFile):
        assert len(told) < 500, told


@pytest.mark.slow
def test_the_largest_combinations_of_published_tasks_are_not_too_large() -> None:
    """Thirty times the task with the most of each; and their record can be read."""
    for count in ("things", "actions"):
        most = max(shipped_tasks().values(), key=lambda task: len(getattr(task, count)))
        world = world_of("+".join([most.id] * MOST_TASKS), "released")
        again = restored(header("+".join([most.id] * MOST_TASKS), "released"))
        assert again.scenario == world.scenario
        assert again.menu(again.start(), AGENT).options
    world_of("+".join(shipped_tasks()))


def test_more_tasks_are_refused_where_they_are_named() -> None:
    with pytest.raises(Refused, match="31 tasks; at most 30 are played together"):
        world_of("+".join(["lab1"] * 31))


def mutants(raw: dict[str, Any], draw: random.Random) -> Iterator[dict[str, Any]]:
    """One value somewhere in the header changed, left out, doubled or put in place of another."""
    odd: list[Any] = [None, -1, 0, 1, 10**9, "", "moon", "pot", [], {}, True, 1.5, ["rice", "pick", 0]]
    while True:
        changed = copy.deepcopy(raw)
        places = [place for part in changed.values() for place in places_in(part)]
        holder, key = draw.choice(places)
        kind = draw.randrange(4)
        if kind == 0:
            holder[key] = draw.choice(odd)
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == 2:
            del holder[key]
        else:
            other, name = draw.choice(places)
            holder[key] = copy.deepcopy(other[name])
        yield changed


def places_in(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = range(len(value)) if isinstance(value, list) else value if isinstance(value, dict) else ()
    for key in keys:
        yield value, key
        yield from places_in(value[key])


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released", "released-reflexion"])
def test_a_changed_header_is_refused_or_played(rules: str) -> None:
    """Whatever is accepted is compiled, listed, told and played without an exception."""
    draw = random.Random(rules)
    raw = header("cooking7+cooking1@kit=one" if rules != "standard" else "cooking1+lab8", rules)
    played = 0
    for changed, _ in zip(mutants(raw, draw), range(400), strict=False):
        try:
            world = restored(changed)
        except (BackburnerError, msgspec.ValidationError) as error:
            assert str(error).isprintable() and len(str(error)) < 500
            continue
        played += 1
        state = world.start()
        assert world.briefing(AGENT)
        for _ in range(12):
            if not world.deciders(state):
                break
            decision = decision_of(world, state, draw.randrange(10_000))
            state = world.step(state, {AGENT: decision}).state
            assert world.describe(world.observe(state, AGENT))
    assert 20 < played < 380
