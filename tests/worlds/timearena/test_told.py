"""What the agent is told: every fact that the released prompts carry, and none that they do not.

A row is a fact: where it is told, fragments of ours that tell it and fragments that would give more away,
in which scenarios and under which rule sets. ``nowhere`` stands for all that is ever told.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from backburner.agents.models import first_prompt
from backburner.agents.models.methods import METHODS
from backburner.kernel.errors import Refused
from backburner.worlds.timearena.game.rule_set import PRESETS
from backburner.worlds.timearena.game.scenarios import shipped_tasks, suites
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import Game, world_of

BRIEFING, STATE, REFUSAL, NOWHERE = "briefing", "state", "refusal", "nowhere"
EXACT = ("released", "released-reflexion")
ALL = tuple(PRESETS)
TASKS = tuple(shipped_tasks())


class Fact(NamedTuple):
    """``says``: fragments that must occur (in small letters); ``never``: fragments that must not."""

    fact: str
    where: str
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    tasks: tuple[str, ...] = TASKS
    rules: tuple[str, ...] = ALL


FACTS = (
    # how to answer
    Fact(
        "the action alone, no other signs",
        BRIEFING,
        ("write nothing but the action", "no words or signs"),
        rules=EXACT,
    ),
    Fact("one action at a time", BRIEFING, ("you do one action at a time",)),
    Fact("two kinds of actions", BRIEFING, ("keep you busy until they are finished", "go on by themselves")),
    Fact("the names of the list, without their states", BRIEFING, ("with names from the list of things",)),
    Fact("wait is an action of each task", BRIEFING, ("- wait: let one minute go by",)),
    # glosses: no vessel, nothing that is needed
    Fact(
        "what to cook and to fry in is to be found out",
        BRIEFING,
        ("boil raw food until", "fry raw food until"),
        ("in a pot", "in a fryer", "in the pot", "in the fryer"),
        ("cooking1", "cooking2", "cooking10"),
    ),
    Fact(
        "what to water with is to be found out",
        BRIEFING,
        ("with something",),
        ("with a tool",),
        ("household4",),
    ),
    Fact(
        "dissolved in the liquid, of whatever it is",
        BRIEFING,
        ("solid in the liquid",),
        ("of a vessel",),
        ("lab3", "lab5", "lab8"),
    ),
    Fact(
        "weeding takes a thing",
        BRIEFING,
        ("use a thing against the weeds",),
        ("use a tool",),
        ("household5",),
    ),
    # goals
    Fact("shrimp: not how", BRIEFING, ("one dish with shrimp",), ("fried shrimp",), ("cooking2",)),
    Fact(
        "dough, cheese, tomato and fried beef, baked",
        BRIEFING,
        ("baked dish with dough, cheese, tomato and fried beef",),
        ("pizza",),
        ("cooking6",),
    ),
    Fact("chicken: not how", BRIEFING, ("with chicken and fried rice",), ("fried chicken",), ("cooking7",)),
    Fact(
        "rice: not how",
        BRIEFING,
        ("with rice, nori seaweed and cooked fish",),
        ("cooked rice.", "cooked rice,"),
        ("cooking9",),
    ),
    Fact("the trash is disposed of", BRIEFING, ("dispose of the trash",), ("take care of",), ("household2",)),
    Fact(
        "clothes are washed and hung up, with no machine in the goal",
        BRIEFING,
        ("goal: wash the clothes and hang them up.",),
        ("in the washing machine",),
        ("household3",),
    ),
    Fact(
        "care of fruit trees, not which",
        BRIEFING,
        ("goal: look after fruit trees.",),
        ("water it", "trim it"),
        ("household4",),
    ),
    Fact(
        "a bed for flowers, by weeding and hoeing",
        BRIEFING,
        ("flowers to be planted", "by weeding and hoeing"),
        ("full of herbicide", "can full"),
        ("household5",),
    ),
    Fact(
        "mop and sweeper are stored",
        BRIEFING,
        ("store the mop and the sweeper",),
        ("the tools",),
        ("household8",),
    ),
    Fact("news and entertainment", BRIEFING, ("with news and entertainment",), (), ("household9",)),
    Fact(
        "a mixture, in no vessel", BRIEFING, ("goal: make a mixture of",), ("in a beaker",), ("lab2", "lab5")
    ),
    Fact("the acid is diluted", BRIEFING, ("diluted nitric acid",), ("in a beaker",), ("lab6",)),
    Fact(
        "a product out of chemicals, by heating, cooling and drying",
        BRIEFING,
        ("from chemicals; this takes heating, cooling and drying",),
        ("from ethanol", "a catalyst", "benzyl alcohol", "an oxidizing agent"),
        ("lab7", "lab9"),
    ),
    Fact(
        "a pH test of a salt solution, and a label",
        BRIEFING,
        ("ph test of a salt solution", "label it"),
        ("with ph paper", "dissolve a salt"),
        ("lab8",),
    ),
    Fact(
        "crystals of copper sulfate, not the way to them",
        BRIEFING,
        ("goal: obtain crystals of copper sulfate.",),
        ("filter them", "out of a"),
        ("lab10",),
    ),
    # each minute
    Fact("the minute of the decision", STATE, ("minute 0. your action?",)),
    Fact(
        "an invalid action: all actions with their glosses again",
        REFUSAL,
        ("actions:\n- ", "- wait: let one minute go by"),
        rules=EXACT,
    ),
    Fact(
        "an unknown thing: all things again", REFUSAL, ("no such thing here.\nthings (obj)\n",), rules=EXACT
    ),
    # never
    Fact(
        "no limits, score or durations before something starts",
        NOWHERE,
        never=(
            "40 minutes",
            "80 minutes",
            "five",
            "5 errors",
            "score",
            "in a row",
            "limit",
            "takes 2",
            "takes 3",
        ),
    ),
)


def told_at(where: str, path: str, rules: str) -> str:
    """What is told there, in small letters."""
    game = Game(path, rules, "article")
    briefing = game.world.briefing(AGENT)
    opening = game.world.describe(game.world.observe(game.state, AGENT))
    verb = next(verb for verb in game.world.compiled.verbs.values() if not verb.takes_two)
    refused = [
        game.world.describe(game.world.observe(game.say(text).state, AGENT))
        for text in ("sing", "quit" if rules == "released-reflexion" else "hum", verb.words("moon"))
    ]
    texts = {BRIEFING: [briefing], STATE: [opening], REFUSAL: refused, NOWHERE: [briefing, opening, *refused]}
    return "\n".join(texts[where]).lower()


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: fact.fact)
def test_a_fact_is_told_where_the_released_prompts_tell_it(fact: Fact) -> None:
    for task in fact.tasks:
        for rules in fact.rules:
            told = told_at(fact.where, task, rules)
            for fragment in fact.says:
                assert fragment in told, (task, rules, fragment)
            for fragment in fact.never:
                assert fragment not in told, (task, rules, fragment)


def test_no_goal_names_a_vessel_or_tool_of_its_task() -> None:
    """They are on the list of things; which of them a goal takes is to be found out.

    The dish that is served, the cup that is drunk from, the trash, the dishwasher and the stirrer are goals
    themselves.
    """
    served = {
        "dish",
        "cup",
        "trash",
        "dishwasher",
        "magnetic_stirrer",
        "test_tube",
        "copper_sulfate_solution",
    }
    for task in shipped_tasks().values():
        seconds = {thing.name for thing in task.things if any(role.slot == 2 for role in thing.roles)}
        for name in seconds - served:
            assert name.replace("_", " ") not in task.goal.lower(), (task.id, name)


@pytest.mark.parametrize("path", ["cooking1", "lab6+household9"])
def test_an_invalid_action_is_told_each_action_once(path: str) -> None:
    world = world_of(path, "released")
    told = world.describe(world.observe(Game(path, "released").say("sing").state, AGENT))
    forms = [verb.form for verb in world.compiled.verbs.values()]
    assert [told.count(f"- {form}: ") for form in forms] == [1] * len(forms)


@pytest.mark.parametrize("method", sorted(METHODS.keys() - {"calls"}))  # whose answers are no words
def test_every_method_says_that_nothing_but_the_action_is_read(method: str) -> None:
    world = world_of("household1", "released", "article")
    try:
        prompt = first_prompt(method, world)
    except Refused:  # makes no sense here
        return
    assert "Write nothing but the action" in "\n".join(message.content for message in prompt)


def test_marks_of_owners_and_states_are_told_for_every_pair() -> None:
    for path in suites()["pairs"]:
        world = world_of(path, "released")
        told = world.briefing(AGENT)
        for item in world.compiled.items:
            assert f"{item.name} (only for task {item.task + 1})" in told or not item.renamed
            assert not item.thing.roles or f"{item.name}: {item.thing.roles[0].before}" in told
