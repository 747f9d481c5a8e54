"""What nobody requires: it can be done, takes its time, and counts for nothing; things without any use."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from backburner.arrays.batch import batch_of
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import oracle_of
from backburner.kernel.schedule import problem_of
from backburner.worlds.timearena.arrays.encoding import encoding
from backburner.worlds.timearena.game import Act, TimeArena, catalogue
from backburner.worlds.timearena.game.transition import AGENT

VERBS = [
    {"name": "scrub", "form": "scrub OBJ", "occupies_agent": True, "gloss": "scrub something dusty"},
    {"name": "soak in", "form": "soak OBJ1 in OBJ2", "occupies_agent": False, "gloss": "soak something dry"},
]


def role(verb: str, slot: int, minutes: int, *needs: Any) -> dict[str, Any]:
    return {
        "verb": verb,
        "slot": slot,
        "minutes": minutes,
        "before": "not yet",
        "after": "done",
        "needs": needs,
    }


FELT: dict[str, Any] = {
    "id": "felt",
    "scenario": "workshop",
    "number": 1,
    "title": "Wet felt",
    "goal": "Get ready: the felt, soaked.",
    "verbs": ["scrub", "soak in"],
    "actions": [
        {"verb": "scrub", "things": ["slate"], "spare": True},
        {"verb": "scrub", "things": ["felt"]},
        {"verb": "soak in", "things": ["cork", "tub"], "spare": True},
        {"verb": "soak in", "things": ["felt", "tub"]},
    ],
    "things": [
        {"name": "slate", "roles": [role("scrub", 0, 4)]},
        {"name": "felt", "roles": [role("scrub", 0, 2), role("soak in", 1, 6, ["felt", "scrub", 0])]},
        {"name": "cork", "roles": [role("soak in", 1, 5)]},
        {"name": "tub", "roles": [role("soak in", 2, 0)]},
        {"name": "ladder", "roles": []},
    ],
}


def felt(**fields: Any) -> TimeArena:
    file = {"world": "timearena", "id": "felt", "tasks": [FELT], "verbs": VERBS, **fields}
    path, scenario = catalogue.read(file, "felt")
    return catalogue.build(f"timearena/user/{path}", scenario, "standard", "article")


def played(world: TimeArena, *texts: str) -> list[tuple[int, int]]:
    """(minute, score) after each answer."""
    state, after = world.start(), []
    for text in texts:
        step = world.step(state, {AGENT: world.parse(state, AGENT, text)})
        state = step.state
        after.append((state.minute, state.score))
    assert world.completed(state) == (state.ended == "completed")
    return after


def test_spare_work_takes_time_and_counts_for_nothing() -> None:
    """The felt is scrubbed from 0 to 2 and soaks from 2 to 8; 2 of its 8 minutes are 25 %."""
    waits = ["wait"] * 5
    assert played(felt(), "scrub felt", "soak felt in tub", *waits)[:2] == [(2, 25), (3, 25)]
    assert played(felt(), "scrub felt", "soak felt in tub", *waits)[-1] == (8, 100)
    # Slate costs four minutes of the agent; the cork is in the tub from 6 to 11, so that the felt waits.
    answers = ["scrub felt", "scrub slate", "soak cork in tub", "soak felt in tub", *["wait"] * 3]
    assert played(felt(), *answers) == [(2, 25), (6, 25), (7, 25), (8, 25), (9, 25), (10, 25), (11, 25)]
    assert played(felt(), *answers, "soak felt in tub", *waits)[-1] == (17, 100)


def test_it_stands_on_menus_where_the_file_has_it_and_in_no_problem() -> None:
    world = felt()
    state = world.start()
    assert [option.label for option in world.menu(state, AGENT).options] == [
        "scrub slate",
        "scrub felt",
        "soak cork in tub",
        "wait",
    ]
    problem = problem_of(world)
    assert [activity.name for activity in problem.activities] == ["scrub felt", "soak felt in tub"]
    assert world.compiled.total_minutes == 8
    assert "ladder" in world.briefing(AGENT)
    assert not world.rulebook.legality.something_to_start(
        world.step(
            world.step(state, {AGENT: Act("scrub", "felt")}).state, {AGENT: Act("soak in", "felt", "tub")}
        ).state
    )


def test_what_remains_waits_for_things_that_spare_work_is_using() -> None:
    """Slate from 0 to 4, cork in the tub from 4 to 9: the felt, scrubbed from 5 to 7, soaks from 9 to 15."""
    world = felt()
    state = world.step(world.start(), {AGENT: Act("scrub", "slate")}).state
    assert [activity.release for activity in world.remaining(state).problem.activities] == [0, 0]
    state = world.step(state, {AGENT: Act("soak in", "cork", "tub")}).state
    assert [activity.release for activity in world.remaining(state).problem.activities] == [0, 9]
    assert oracle_of(world).onward(world, state, 1.0).finish == 15


def test_what_remains_is_not_told_where_one_of_several_is_in_use() -> None:
    world = felt(tasks=[{**FELT, "things": [*FELT["things"], FELT["things"][3]]}], kit_names=["tub"])
    state = world.step(world.start(), {AGENT: Act("soak in", "cork", "tub_1")}).state
    with pytest.raises(Refused, match="soak cork in tub_1 is under way, which nobody requires"):
        world.remaining(state)


def test_a_scenario_has_a_limit_of_its_own() -> None:
    assert felt().limits.minutes == 40
    world = felt(limit=7)
    assert world.limits.minutes == 7
    assert played(world, "scrub felt", "soak felt in tub", *["wait"] * 4)[-1] == (7, 25)
    again = msgspec.convert(msgspec.to_builtins(world.scenario), type(world.scenario))
    assert again == world.scenario


def test_kit_of_a_files_own_may_stand_there_several_times() -> None:
    tubs = [*FELT["things"], FELT["things"][3]]
    world = felt(tasks=[{**FELT, "things": tubs}], kit_names=["tub"])
    assert [each.capacity for each in problem_of(world).resources if each.name == "tub"] == [2]
    answers = ["scrub felt", "soak cork in tub_1", "soak felt in tub_2", *["wait"] * 5]
    assert played(world, *answers)[-1] == (9, 100)


def test_numbers_of_exact_states_agree_and_batches_refuse_it() -> None:
    """What is left of the felt is 8 minutes, whatever there is of slate and cork."""
    world = felt()
    numbers = encoding(world)
    state = world.start()
    assert numbers.outlook.minutes_left(state) == 8
    assert numbers.potential(state) == pytest.approx(1 + 32 / 40)
    state = world.step(state, {AGENT: Act("soak in", "cork", "tub")}).state
    assert numbers.outlook.minutes_left(state) == 8
    assert numbers.score(state) == 0
    with pytest.raises(Refused, match="a batch does not cover spare actions"):
        batch_of(world)
