"""Robotouille in words: what is told, and what is read as which action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.kernel.values import Fault, Refusal
from backburner.worlds.robotouille.game.legality import NO_ACTION
from backburner.worlds.robotouille.game.rule_set import NO_LIMITS, PRESETS, Limits, Rules
from backburner.worlds.robotouille.game.scenarios import DISPATCHER, Scenario, shipped_domain
from backburner.worlds.robotouille.game.state import FINISH, IDLE, Acts, State
from backburner.worlds.robotouille.game.text import refusal_text
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import attempt, problem, say, world_in
from support.robotouille.random_kitchens import choices, walk, worlds

both_presets = pytest.mark.parametrize("rules", PRESETS)
some = settings(max_examples=30)

SMALL = ["stove patty", "table bread"]
MOVE = Acts(("move(p1=robot1,s1=stove1,s2=table1)",))
COOK = Acts(("cook(i1=patty1,p1=robot1,s1=stove1)",))


def read(answer: str, rules: str | Rules = "standard") -> Acts | Refusal:
    world = world_in(SMALL, rules=rules)
    return world.parse(world.start(), "robot1", answer)


def code(answer: str, rules: str | Rules = "standard") -> str:
    found = read(answer, rules)
    assert isinstance(found, Refusal), found
    return found.code


# --- what is told -----------------------------------------------------------------------------------


SEEN = """\
This is not possible now: robot1 takes bread1 from table1.

Station stove1:
stove1 is a stove
stove1 is taken by robot1
stove1 has patty1 at it
stove1 itself has patty1 lying on it

Station table1:
table1 is a table
table1 has bread1 at it
table1 itself has bread1 lying on it
nobody stands at table1

Item patty1:
patty1 is a patty for a hamburger
patty1 is fit for cooking on a stove
patty1 is being cooked
patty1 is at stove1
patty1 lies on stove1 itself
nothing lies on patty1

Item bread1:
bread1 is a slice of bread
bread1 is at table1
bread1 lies on table1 itself
nothing lies on bread1

Player robot1:
robot1 is a robot
robot1 stands at stove1
robot1 has empty hands

What can be done now:
robot1 goes from stove1 to table1
robot1 takes patty1 from stove1
Wait

Goal: A cooked patty on a table."""


def test_an_observation_in_full() -> None:
    """The patty cooks, and then the robot wants a bread that is out of its reach."""
    world = world_in(SMALL, goal_description="A cooked patty on a table.")
    state = say(world, world.start(), "robot1 cooks patty1 on stove1")
    state, _ = attempt(world, state, "robot1 takes bread1 from table1")
    assert world.describe(world.observe(state, "robot1")) == SEEN


def test_the_briefing_names_robots_actions_goal_and_how_to_answer() -> None:
    world = world_in(["table", "table"], robots=(0, 1), goal_description="Tidy up.")
    told = world.briefing("robot2").splitlines()
    assert told[0] == "You are robot2. Other robots work here too: robot1."
    assert told[-1] == "Goal: Tidy up."
    assert "Action: <an action from the list>" in told
    listed = {line.partition(":")[0] for line in told if line.startswith("- ")}
    assert {f"- {action.language_description}" for action in shipped_domain().action_defs} <= listed
    dispatcher = world_in(["table", "table"], robots=(0, 1), play="dispatcher")
    assert dispatcher.briefing(DISPATCHER).startswith("You command all robots: robot1, robot2.")


def test_the_briefing_is_the_same_whatever_the_kitchen_holds() -> None:
    """It tells neither things and facts, which are seen in play, nor how many steps are allowed."""
    limits = Limits(steps=7), Limits(steps=8)
    kitchens = [world_in(SMALL, limits=limits[0]), world_in(["sink pot", "table bowl"], limits=limits[1])]
    assert len({world.briefing("robot1") for world in kitchens}) == 1


@some
@given(worlds(), choices)
def test_timers_and_steps_are_not_told(world: Robotouille, numbers: list[int]) -> None:
    """Whoever decides sees the same whatever the counts that are not complete, and at any step."""
    for turn in walk(world, numbers):
        state = turn.step.state
        for seat in world.deciders(state):
            variant = replace(state, kitchen=with_other_counts(world, state), steps=state.steps + 1)
            assert world.observe(variant, seat) == world.observe(state, seat)
            assert world.menu(variant, seat) == world.menu(state, seat)


def with_other_counts(world: Robotouille, state: State) -> Any:
    """The kitchen with one less of each count of ticks or cuts that has begun and is not full."""
    compiled, layout = world.compiled, world.compiled.layout(state.kitchen)
    changed = []
    for one in state.kitchen.effects:
        parts = compiled.effects.ground_nodes(layout, one.effect, one.args)
        counts = [count - (1 < count < parts[place].full) for place, count in enumerate(one.counts)]
        changed.append(replace(one, counts=tuple(counts)))
    return replace(state.kitchen, effects=tuple(changed))


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_each_thing_is_told_with_what_holds_of_it(world: Robotouille, numbers: list[int]) -> None:
    for turn in walk(world, numbers[:10]):
        layout, facts = world.compiled.layout(turn.before.kitchen), turn.before.kitchen.facts
        seen = world.observe(turn.before, world.seats[0]).things
        assert [thing.name for thing in seen] == [thing.name for thing in layout.objects]
        assert sum(len(thing.facts) for thing in seen) == sum(
            len(args) for _, args in layout.true_atoms(facts)
        )
        for thing in seen:
            assert all(thing.name in sentence for sentence in thing.facts)


@pytest.mark.parametrize(
    "code",
    [
        "no_action",
        "unknown_action",
        "ambiguous",
        "too_many",
        "other_robot",
        "twice",
        "runs_already",
        "impossible",
        "of_another_world",
    ],
)
def test_every_refusal_has_a_sentence(code: str) -> None:
    detail = (("action", "go()"), ("said", "robot1 goes"), ("robot", "robot1"), ("given", 3), ("robots", 2))
    told = refusal_text(Refusal(code, Fault.MISMATCH, detail))
    assert told.endswith(".") and "None" not in told and "go()" not in told


# --- what is read -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ("robot1 goes from stove1 to table1", MOVE),
        ("Action: robot1 goes from stove1 to table1", MOVE),
        ("Off we go.\nAction: robot1 goes from stove1 to table1\nThat is all.", MOVE),
        ("Action: robot1 goes from stove1 to table1\nAction: robot1 cooks patty1 on stove1", MOVE),
        ("Action: move(p1=robot1,s1=stove1,s2=table1)", MOVE),
        ("\n\n  robot1 goes from stove1 to table1  \n", MOVE),
        ("Action: Finish", FINISH),
        ("**Action:** Wait", Acts(("wait()",))),
        ("Wait", Acts(("wait()",))),
    ],
)  # fmt: skip
@both_presets
def test_what_any_rules_read(rules: str, answer: str, decision: Acts) -> None:
    assert read(answer, rules) == decision


@pytest.mark.parametrize(
    ("answer", "decision", "released"),
    [
        ("action: *ROBOT1 cooks  patty1 on stove1.*", COOK, "unknown_action"),
        ('Action: "robot1 cooks patty1 on stove1"', COOK, "unknown_action"),
        ("Action: `robot1 cooks patty1 on stove1`", COOK, "unknown_action"),
        ("finish", FINISH, "unknown_action"),
        ("wait", Acts(("wait()",)), "unknown_action"),
    ],
)
def test_what_standard_forgives(answer: str, decision: Acts, released: str) -> None:
    assert read(answer) == decision
    assert code(answer, "released") == released


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("", "no_action"),
        (" \n\t\n", "no_action"),
        ("Action:", "unknown_action"),
        ("I cook the patty.", "unknown_action"),
        ("robot1 cooks patty1 on stove1 and waits", "unknown_action"),
        ("robot1 cooks patty9 on stove1", "unknown_action"),
        ("robot1 cooks stove1 on patty1", "unknown_action"),
        ("robot1 goes from stove1 to stove1", "unknown_action"),
        ("{p1} goes from {s1} to {s2}", "unknown_action"),
        ("wait(", "unknown_action"),
    ],
)
@both_presets
def test_what_is_no_action(rules: str, answer: str, expected: str) -> None:
    assert code(answer, rules) == expected


@both_presets
def test_an_impossible_action_is_read_as_what_it_is(rules: str) -> None:
    """So that the refusal of the step can say what is in its way."""
    bread = Acts(("pick-up-item(i1=bread1,p1=robot1,s1=table1)",))
    assert read("Action: robot1 takes bread1 from table1", rules) == bread


def test_what_the_words_leave_open_is_filled_in_as_nearly_possible() -> None:
    """The sentence for stacking names no station: it is meant where the robot stands, beside the bread."""
    world = world_in(["table bread", "table cheese", "stove"], robots=(0,))
    state = say(world, world.start(), "robot1 goes from table1 to stove1")
    state = say(world, state, "robot1 goes from stove1 to table2", "robot1 takes cheese1 from table2")
    found = world.parse(state, "robot1", "robot1 stacks cheese1 on bread1")
    assert found in (
        Acts(("stack(i1=cheese1,i2=bread1,p1=robot1,s1=table1)",)),
        Acts(("stack(i1=cheese1,i2=bread1,p1=robot1,s1=table2)",)),
    )
    assert isinstance(found, Acts)
    (refusal,) = world.step(state, {"robot1": found}).refusals
    assert len(missing(refusal)) == 1


def missing(refusal: Refusal) -> Sequence[str]:
    found = refusal.get("missing")
    assert isinstance(found, tuple)
    return found


def test_a_refusal_keeps_no_more_than_a_line_of_what_was_said() -> None:
    found = read("Action: " + "x" * 5000)
    assert isinstance(found, Refusal)
    assert len(str(found.get("said"))) == 200


def test_sentences_with_a_parameter_twice_or_none() -> None:
    """Of a domain of another author: both names must be the same, and what is not said stays open."""
    domain = shipped_domain()
    for text, said in (("{p1}: to {s2}! {s2}!", "robot1: to table1! table1!"), ("go", "go")):
        actions = tuple(
            replace(action, language_description=text) if action.name == "move" else action
            for action in domain.action_defs
        )
        scenario = Scenario(problem(SMALL), domain=replace(domain, action_defs=actions))
        world = Robotouille("robotouille/user/test", scenario, PRESETS["standard"], NO_LIMITS)
        assert world.parse(world.start(), "robot1", said) == MOVE
        other = world.parse(world.start(), "robot1", "robot1: to table1! stove1!")
        assert isinstance(other, Refusal) and other.code == "unknown_action"


# --- a dispatcher -----------------------------------------------------------------------------------


FIRST = "robot1 goes from table1 to table3"
SECOND = "robot2 goes from table2 to table1"
GOES = ("move(p1=robot1,s1=table1,s2=table3)", "move(p1=robot2,s1=table2,s2=table1)")


def dispatched(answer: str, rules: str = "standard") -> Acts | Refusal:
    world = world_in(["table"] * 3, robots=(0, 1), play="dispatcher", rules=rules)
    return world.parse(world.start(), DISPATCHER, answer)


@both_presets
def test_a_dispatcher_writes_a_line_for_each_robot(rules: str) -> None:
    """The second action is possible only after the first; it is read all the same."""
    assert dispatched(f"Action: {FIRST}\nand then\nAction: {SECOND}", rules) == Acts(GOES)
    assert dispatched(f"Action: {FIRST}", rules) == Acts(GOES[:1])
    assert dispatched(f"{FIRST}\n{SECOND}", rules) == Acts(GOES[:1])  # without a mark it is one action
    assert dispatched("Action: Idle", rules) == IDLE
    assert dispatched(f"Action: Idle\nAction: {FIRST}\nAction: Finish", rules) == Acts(GOES[:1], finish=True)
    assert dispatched("", rules) == NO_ACTION


def test_more_lines_than_robots() -> None:
    found = dispatched(f"Action: {FIRST}\n" * 3)
    assert isinstance(found, Refusal) and (found.code, found.get("given")) == ("too_many", 3)


# --- everything that is said is read back, and nothing makes the reader fail -------------------------


@some
@given(worlds(), choices)
def test_words_are_read_back(world: Robotouille, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        for seat in world.deciders(turn.before):
            for option in world.menu(turn.before, seat).options:
                assert world.parse(turn.before, seat, world.words(option.decision)) == option.decision
                assert world.parse(turn.before, seat, f"Action: {option.label}") == option.decision


WORDS = (
    "robot1",
    "goes",
    "from",
    "table1",
    "to",
    "stove1",
    "Action:",
    "*",
    "\n",
    "{p1}",
    "(",
    "ſ",
    "İ",
    "ﬁ",
    "\ud800",
)
"""Of these, some make other words in small letters, and one is half a sign."""


@some
@given(
    worlds(),
    st.one_of(st.text(max_size=200), st.lists(st.sampled_from(WORDS), max_size=60).map(" ".join)),
    st.integers(1, 100),
)
def test_any_text_is_read_or_refused(world: Robotouille, answer: str, times: int) -> None:
    state = world.start()
    for seat in world.deciders(state):
        found = world.parse(state, seat, answer * times)
        assert isinstance(found, Acts | Refusal)
        assert found == world.parse(state, seat, answer * times)
