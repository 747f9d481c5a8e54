"""What an agent is told, fact by fact: where each fact stands, and that it stands nowhere else.

The facts are those of the released prompts, in our words. What is told beyond them has a name: the option
``told`` of an id (``plain``, ``times``, ``conditions``). A row holds over real kitchens under the rule sets
that it names; ``fragments`` must all occur where the fact is told, and none of them anywhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

import pytest
from msgspec import Struct

from backburner.kernel import registry
from backburner.worlds.robotouille.game.scenarios import shipped_problem, tasks
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import world_in

Where = Literal["briefing", "state", "refusal", "nowhere"]
STANDARD, RELEASED = ("standard",), ("released",)
BOTH = (*STANDARD, *RELEASED)


class Row(Struct, frozen=True):
    """A fact: in words, where it is told, the fragments that tell it, and where that holds.

    ``told``: the id's option. ``kitchen``: a key of ``KITCHENS``.
    """

    fact: str
    where: Where
    fragments: tuple[str, ...]
    kitchen: str = "sandwich"
    told: str = "plain"
    rules: Sequence[str] = BOTH
    limits: str = "article"


KITCHENS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "sandwich": ("synchronous/3@seed=42", ("Action: robot1 cuts stove1 on stove1", "Action: Fly")),
    "soup": ("asynchronous/6@seed=42", ("Action: robot1 takes pot1 from sink1",)),
    "two robots": ("multi_agent/1@seed=42", ("Action: robot1 goes from stove1 to stove1",)),
    "dispatcher": ("multi_agent/1@play=dispatcher,seed=42", ("Action: Fly",)),
}
"""For each kitchen the id, and answers that are refused in its first state."""

TABLE = (
    Row("who one is", "briefing", ("You are robot1.",)),
    Row("who else works there", "briefing", ("Other robots work here too: robot2",), "two robots"),
    Row("one commands all", "briefing", ("You command all robots: robot1",), "dispatcher", limits="none"),
    Row("what a station is", "briefing", ("- station: a place for a certain kind of work",)),
    Row("what an item is", "briefing", ("- item: a thing that can be picked up",)),
    Row("what a player is", "briefing", ("- player: a robot at work in this kitchen, you included",)),
    Row("what a container is", "briefing", ("- container: a thing that holds a meal",)),
    Row("what a meal is", "briefing", ("- meal: what is in a container",)),
    Row("one thing is held at a time", "briefing", ("A robot holds no more than one thing.",)),
    Row("an item is worked on at a station", "briefing", ("only where it lies at a station",)),
    Row("it is alone there", "briefing", ("It has to be alone at the station",)),
    Row("items are stacked on items only", "briefing", ("Items can be stacked, and only on items.",)),
    Row("nothing goes into an empty container", "briefing", ("once there is a meal in it",)),
    Row("a meal changes containers", "briefing", ("moved from one container into another",)),
    Row("goals are underspecified", "briefing", ("leaves unsaid what common sense can fill in",)),
    Row("minimal ingredients count", "briefing", ("which things it takes at the least",)),
    Row("ingredients may need preparation", "briefing", ("what has to be done to them before",)),
    Row("play ends with the goal", "briefing", ("play ends when it is reached",)),
    Row("play ends with a limit", "briefing", ("when the steps that you are given have passed",)),
    Row("no limit is told where there is none", "nowhere", ("steps that you are given",), limits="none"),
    Row("how many steps are allowed", "nowhere", ("36", "steps left", "steps are left")),
    Row("that fewer steps are better", "nowhere", ("as few", "fewest", "as soon as")),
    Row("a sandwich", "briefing", ("Sandwich: a slice of bread, prepared ingredients",)),
    Row("a hamburger", "briefing", ("Hamburger: the bottom of a bun, prepared ingredients",)),
    Row("a soup", "briefing", ("Soup: fill a pot with water, boil it while",)),
    Row("Finish ends the run", "briefing", ("'Action: Finish' ends",)),
    # --- actions: their forms are told, what they need and how long they take only where it is asked for
    Row("how an action is written", "briefing", ("- {p1} goes from {s1} to {s2}\n", "- Wait\n")),
    Row("how often to cut, how long to cook", "nowhere", ("further steps", "times it has to be", "at once:")),
    Row("what an action needs", "nowhere", ("to a station where nobody stands", "with empty hands")),
    Row(
        "how often to cut, how long to cook",
        "briefing",
        (
            "cuts {i1} on {s1}: not done at once: times it has to be cut, one after the other: 3\n",
            "cooks {i1} on {s1}: not done at once: takes 3 further steps\n",
            "fries {i1} in {s1}: not done at once: takes 3 further steps\n",
            "on {s1}: not done at once: takes 3 further steps\n",
        ),
        told="times",
    ),
    Row("a wait takes a step", "briefing", ("- Wait: nothing is done, and one step passes",), told="times"),
    Row("what an action needs", "nowhere", ("to a station where nobody stands",), told="times"),
    Row(
        "what an action needs",
        "briefing",
        (
            "takes 3 further steps; an item that lies alone on a stove, with empty hands",
            "- {p1} goes from {s1} to {s2}: to a station where nobody stands",
        ),
        told="conditions",
    ),
    # --- the goal: ingredients in the order of the released sentence
    Row("the goal", "briefing", ("Goal: A sandwich with lettuce and tomato, made on a table.",)),
    Row("the goal", "state", ("Goal: A sandwich with lettuce and tomato, made on a table.",)),
    Row("the goal", "briefing", ("Goal: A soup of a whole potato, served in a bowl",), "soup"),
    # --- the state: every fact that holds, and what can be done now
    Row("what a thing is", "state", ("bread1 is a slice of bread",)),
    Row("what an item is fit for", "state", ("is fit for cutting on a board",)),
    Row("where a robot stands", "state", ("robot1 stands at", "robot1 has empty hands")),
    Row("which station is free", "state", ("nobody stands at", "nothing is on")),
    Row("what lies on what", "state", ("lies on", "nothing lies on")),
    Row("what can be done now", "state", ("What can be done now:\nrobot1 goes from",)),
    Row("all may be done to all robots", "state", ("\nrobot2 goes from",), "two robots", rules=RELEASED),
    Row("one acts with one's own robot", "nowhere", ("\nrobot2 goes from",), "two robots", rules=STANDARD),
    Row("cells of the grid", "nowhere", ("(0, 0)", " cell", "grid")),
    Row("what is in a container", "state", ("nothing is in pot1",), "soup"),
    # --- a refused answer: that it is impossible or unknown, not why
    Row("an action is not in the list", "refusal", ("There is no action 'Fly'",)),
    Row("an action is impossible", "refusal", ("This is not possible now: robot1 takes pot1",), "soup"),
    Row("why it is impossible", "nowhere", ("missing", "because", "precondition", "item_on("), "soup"),
    Row("a count that nobody knows", "nowhere", ("?",)),
    Row("a count that nobody knows", "nowhere", ("?",), told="times"),
    Row("a count that nobody knows", "nowhere", ("?",), told="conditions"),
)  # fmt: skip


@cache
def texts(kitchen: str, told: str, rules: str, limits: str) -> Mapping[str, str]:
    """Everything that is told about a kitchen at its beginning, by where it is told."""
    id, answers = KITCHENS[kitchen]
    path, _, options = id.partition("@")
    asked = ",".join(filter(None, (options, f"told={told}")))
    world = registry.world(f"robotouille/{path}@{asked}", rules=rules, limits=limits)
    state = world.start()
    seat = world.deciders(state)[0]
    return {
        "briefing": world.briefing(seat),
        "state": world.describe(world.observe(state, seat)),
        "refusal": "\n".join(refused(world, answer) for answer in answers),
    }


def refused(world: Robotouille, answer: str) -> str:
    """What is told of a refused answer."""
    state = world.start()
    seat = world.deciders(state)[0]
    step = world.step(state, {seat: world.parse(state, seat, answer)})
    assert step.refusals, answer
    parts = world.description_parts(world.observe(step.state, seat))
    return "".join(part.text for part in parts if part.kind == "feedback")


def cases() -> Iterator[tuple[Row, str]]:
    return ((row, rules) for row in TABLE for rules in row.rules)


@pytest.mark.parametrize(
    ("row", "rules"),
    [pytest.param(row, rules, id=f"{row.fact}-{row.told}-{rules}") for row, rules in cases()],
)
def test_a_fact_is_told_where_the_table_says(row: Row, rules: str) -> None:
    told = texts(row.kitchen, row.told, rules, row.limits)
    for where, text in told.items():
        for fragment in row.fragments:
            if where == row.where:
                assert fragment in text, (where, fragment)
            elif row.where == "nowhere":
                assert fragment not in text, (where, fragment)


def test_a_fact_of_the_briefing_is_told_once_and_not_in_every_state() -> None:
    """Rules, recipes and forms of actions come before play; a state repeats the goal alone."""
    for row, rules in cases():
        if row.where == "briefing" and row.fact != "the goal":
            state = texts(row.kitchen, row.told, rules, row.limits)["state"]
            assert not [fragment for fragment in row.fragments if fragment in state], row.fact


def test_times_are_those_of_the_problem_where_the_rules_look_at_them() -> None:
    """Under ``released`` rules ``config`` is not looked at: three cuts, three further steps."""
    config = {"num_cuts": {"default": 3, "lettuce": 2}, "cook_time": {"default": 5}}
    told = {
        rules: world_in(["table"], rules=rules, config=config, told="times").briefing("robot1")
        for rules in BOTH
    }
    assert "one after the other: 3, lettuce 2\n" in told["standard"]
    assert "cooks {i1} on {s1}: not done at once: takes 5 further steps\n" in told["standard"]
    assert "one after the other: 3\n" in told["released"]
    assert "cooks {i1} on {s1}: not done at once: takes 3 further steps\n" in told["released"]


ORDERS = {
    "synchronous/3": "lettuce tomato",
    "synchronous/7": "cheese lettuce tomato",
    "synchronous/8": "lettuce chicken",
    "synchronous/9": "lettuce tomato",
    "synchronous/10": "cheese onion chicken lettuce tomato",
    "asynchronous/1": "cheese chicken",
    "asynchronous/2": "lettuce chicken",
    "asynchronous/3": "chicken lettuce tomato",
    "asynchronous/5": "onion cheese onion",
    "asynchronous/8": "tomato lettuce chicken",
    "asynchronous/9": "tomato onion chicken",
    "asynchronous/10": "onion potato lettuce onion onion chicken",
    "multi_agent/2": "lettuce tomato",
    "multi_agent/3": "lettuce chicken onion",
    "multi_agent/4": "lettuce chicken",
    "multi_agent/5": "lettuce tomato chicken",
    "multi_agent/6": "lettuce chicken chicken",
    "multi_agent/7": "onion potato tomato",
    "multi_agent/8": "tomato cheese onion chicken",
    "multi_agent/10": "potato tomato chicken potato cheese onion",
    "training/synchronous": "onion cheese",
    "training/asynchronous": "onion chicken",
    "extra/fries_and_sandwich": "chicken lettuce tomato",
}
"""The ingredients that a released goal sentence names, in its order; what it says of stacking comes after.

"Cheeseburger" is one word: where it comes first here, its other ingredients come first there.
"""


@pytest.mark.parametrize("path", ORDERS)
def test_a_goal_is_told_with_its_ingredients_in_the_released_order(path: str) -> None:
    sentence = registry.world(f"robotouille/{path}", limits="none").goal_sentence
    before = re.sub(r"table: the .*", "", sentence)
    named = re.findall("cheese|lettuce|tomato|onion|chicken|potato", before)
    assert named == ORDERS[path].split()


def test_no_other_task_names_several_ingredients_of_a_dish() -> None:
    several = {path for path, task in tasks().items() if task.goal}
    assert several <= {*ORDERS, "extra/lettuce_cheeseburger"}


def test_a_problem_of_somebody_else_is_told_with_its_own_sentence() -> None:
    """Also where it says that it is a published task's kitchen."""
    scenario = registry.scenario("robotouille/synchronous/3")
    assert scenario.problem == shipped_problem("synchronous/3")
    world = world_in(["table"], goal_description="Tidy up.", task="synchronous/3")
    assert world.goal_sentence == "Tidy up."


def test_what_is_told_changes_nothing_else() -> None:
    """The kitchen, its limits and what is known of it are those of the id without ``told``."""
    plain = registry.world("robotouille/asynchronous/2@seed=84")
    for told in ("times", "conditions"):
        world = registry.world(f"robotouille/asynchronous/2@seed=84,told={told}")
        assert world.limits == plain.limits
        assert world.scenario.problem == plain.scenario.problem
        assert world.start() == plain.start()
    assert registry.world("robotouille/asynchronous/2@seed=84,told=plain").id == plain.id
