"""Nothing that a stranger sends holds the world up or brings it down: answers of a megabyte, records."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any

import msgspec
import pytest

from backburner.kernel.errors import BadFile
from backburner.worlds.recipe2plan.game import catalogue
from backburner.worlds.recipe2plan.game.compiled import COOK
from support.promptly import least_seconds, within
from support.recipe2plan import bare as bare_recipe2plan
from support.recipe2plan.play import BREAD, SOUP, kitchen_of, world_of

SIZE = 1_000_000
PIECES = (
    " ", ",", "-", "->", ":", "::", "1", "1:", "\u0663", "(", ")", "()", "[", "'", '"', "*/", "Step(",
    "step (", "step(1,a,1h,1m)", "Step(1, Soup, 0:01, 0:00)",
    "Step(1, ", "Step(1, Soup, ", "Step(1, Soup, 1:", "Step(1,a,b,", "step(1,a,1 h 1 min,9" + "9" * 80 + ")",
    "1 min", "1 min ", "1 sec", "1 sec, ", "1 hour", "9 h", "1.5m", "Action: ", "action :", "Thought:",
    "observation:", "</think>", "finish", "finish)", ") finish", "Beliefs about ", "beliefs about a",
    "Beliefs about Soup\n", "Autonomous: ", "autonomousaaa", "Dependencies: ", "1->", "1 -> step 2, ",
    "Appliances: ", "oven: 1", "a", "a-", "a\n", "Continuous", "\n", "\t", "\u00e9", "\u0130", "\u017f",
)  # fmt: skip
"""What patterns look for, in parts and whole."""
BEGINNINGS = ("", "Step(1, Soup, ", "Action: Step(1,Soup,", "Beliefs about Soup\nAppliances: ")
ENDS = ("", " zzz", "Finish")


def seconds(read: Callable[[str], object], text: str) -> float:
    """Processor seconds to read it, on a quiet machine."""
    return least_seconds(lambda: read(text), enough=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("piece", PIECES, ids=repr)
def test_a_megabyte_is_read_within_a_tenth_of_a_second(piece: str, rules: str) -> None:
    world = kitchen_of(SOUP, BREAD, rules=rules, knowledge="beliefs")
    state = world.start()
    for beginning, end in product(BEGINNINGS, ENDS):
        text = beginning + piece * (SIZE // len(piece)) + end
        assert seconds(lambda said: world.parse(state, COOK, said), text) < 0.1, (beginning, end)


@pytest.mark.parametrize("piece", ["Step(0, Soup, 00:00:00, 00:00:00)", "Step(9, Soup, 1:00, 1:00), ", "1:"])
def test_a_megabyte_of_a_plan_is_played_and_grows_into_nothing(piece: str) -> None:
    """Thousands of actions of no length are carried out as released; the kitchen forgets what is over."""
    world = kitchen_of(SOUP, rules="released")
    decision = world.reader.read_plan(piece * (SIZE // len(piece)))
    step = world.step(world.start(), {COOK: decision})
    assert len(msgspec.json.encode(step.state)) < 2_000


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize("action", ["Step(1, Soup, 0:01, 0:00)", "Step(1, Soup, 0:00)"])
def test_of_a_very_long_answer_ten_thousand_actions_are_read(action: str, rules: str) -> None:
    world = kitchen_of(SOUP, rules=rules)
    for many in (9_999, 10_000, 10_001, 30_000):
        decision = world.parse(world.start(), COOK, action * many)
        assert len(getattr(decision, "actions", ())) == min(many, 10_000)


def test_of_a_very_long_answer_the_end_is_searched_for_beliefs() -> None:
    world = kitchen_of(SOUP, BREAD, knowledge="beliefs")
    said = "Beliefs about Soup\nAutonomous: 1\nDependencies: none\nAppliances: none\n"
    for text, found in ((f"{'Well. ' * 20_000}{said}", 1), (f"{said}{'Well. ' * 20_000}", 0)):
        decision = world.parse(world.start(), COOK, text)
        assert len(getattr(decision, "beliefs", ())) == found


PARTS = (
    "Step(", "Step(1, ", "Soup, ", "5 min", "90 sec", "1 hour", "05:00", "00:05:00", ", ", ")",
    "'", '"', " min",
    " sec", " hour", "5", "0:", "St", "ep(", " ", "x", "\u0663", "Action: ", "Thought:",
    "Step(0, Soup, 00:05:00, 00:00:00)", "Step(1, Bread, 5 min, 0:00)",
)  # fmt: skip


def test_the_readers_shortcuts_find_what_the_bare_patterns_find() -> None:
    """It replaces units only where some action is not one yet, and looks at nothing before the first."""
    world = kitchen_of(SOUP, BREAD, rules="released")
    draw, found = Random(5), 0
    for _ in range(20_000):
        text = "".join(draw.choices(PARTS, k=draw.randrange(1, 14)))
        expected = bare_recipe2plan.read(text)
        if expected:
            decision = world.parse(world.start(), COOK, text)
            pieces = getattr(decision, "actions", ())
            assert [(one.step, one.recipe, one.seconds, one.start) for one in pieces] == expected, text
            found += 1
    assert found > 5_000


# --- records --------------------------------------------------------------------------------------


def steps(scenario: dict[str, Any]) -> Any:
    return scenario["recipes"][0]["steps"]


HOSTILE: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a step that is not there": (lambda s: steps(s)[1].update(after=[99]), "there is no step 99"),
    "a step before the first": (lambda s: steps(s)[1].update(after=[-1]), "there is no step -1"),
    "a circle": (lambda s: steps(s)[0].update(after=[0]), "step 0 does not come before step 0"),
    "a lag of nothing": (lambda s: steps(s)[1].update(lags=[{"after": 50, "seconds": 5}]), "no step 50"),
    "no recipe": (lambda s: s.update(recipes=[]), "at least one is needed"),
    "no step": (lambda s: s["recipes"][0].update(steps=[]), "at least one is needed"),
    "a million steps": (
        lambda s: s["recipes"][0].update(steps=steps(s)[:1] * 100_000),
        "at most 100 are allowed",
    ),
    "many recipes": (lambda s: s.update(recipes=s["recipes"] * 60), "at most 50"),
    "a recipe twice": (lambda s: s.update(recipes=s["recipes"] * 2), "stands here twice"),
    "an endless step": (lambda s: steps(s)[0].update(seconds=10**30), "to 10000000"),
    "an endless lag": (
        lambda s: steps(s)[1].update(after=[0], lags=[{"after": 0, "seconds": 10**30}]),
        "to 10000000",
    ),
    "less than no time": (lambda s: steps(s)[0].update(seconds=-5), "it is from 1"),
    "a long name": (lambda s: s["recipes"][0].update(name="a" * 10_000), "99 at most"),
    "a name with an escape": (lambda s: s["recipes"][0].update(name="\x1b[2J"), "letters, digits"),
    "a long text": (lambda s: steps(s)[0].update(text="a" * 100_000), "at most 2000"),
    "a text with an escape": (lambda s: steps(s)[0].update(text="cut\x1b[2J"), "one line"),
    "the cook as an appliance": (lambda s: steps(s)[0].update(appliance="cook"), "not 'cook'"),
    "a heat beyond the sun's": (
        lambda s: steps(s)[0].update(appliance="oven", sets_fahrenheit=10**30),
        "field 'sets_fahrenheit': is 1000",
    ),
    "a plan of other recipes": (
        lambda s: s.update(reference=[{"step": 0, "recipe": 7, "seconds": 60, "start": 0}]),
        "names no step",
    ),
    "a plan of no time": (
        lambda s: s.update(reference=[{"step": 0, "recipe": 0, "seconds": 0, "start": 0}]),
        "is 0; it is from 1",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_strangers_record_gets_the_checks_of_a_scenario_file(name: str) -> None:
    """Its header's scenario, rules and limits are handed to the catalogue as plain JSON values."""
    change, why = HOSTILE[name]
    world = world_of("Vada", "standard", "article")
    scenario, rules, limits = map(msgspec.to_builtins, (world.scenario, world.rules, world.limits))
    assert catalogue.restore("recipe2plan/Vada", scenario, rules, limits).scenario == world.scenario
    change(scenario)
    with within(2), pytest.raises(BadFile) as caught:
        catalogue.restore("recipe2plan/Vada", scenario, rules, limits)
    message = str(caught.value)
    assert why in message and "\n" not in message and "\x1b" not in message and len(message) < 400
