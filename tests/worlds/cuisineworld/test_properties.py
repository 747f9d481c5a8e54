"""Whatever is said costs what the rules say, never crashes, and makes nothing out of nothing."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.values import Step
from backburner.worlds.cuisineworld.game.state import MOST_TOLD, Commands, State
from backburner.worlds.cuisineworld.game.world import CuisineWorld
from support.cuisineworld.play import codes, world_of

WORLDS = {rules: world_of("level_9@bodies=3", rules) for rules in ("standard", "released")}

places = st.sampled_from([*WORLDS["standard"].compiled.places, "pot0", "moon", ""])
items = st.sampled_from([*WORLDS["standard"].compiled.things[:30], "Hopper", "unicorn", ""])
verbs = st.sampled_from(["goto", "get", "put", "activate", "noop", "chop", ""])
bodies = st.sampled_from(
    ["agent0", "agent1", "agent2", "agent3", "agent-1", "2", "agent", "agent²", "robot0"]
)
written = st.one_of(
    st.builds("{}_{}_{}".format, verbs, bodies, places),
    st.builds("{}_{}_{}_{}".format, verbs, bodies, items, places),
    st.builds("{}_{}".format, verbs, bodies),
    st.text(max_size=30),
)


@given(st.lists(st.lists(written, max_size=5), max_size=12), st.sampled_from(["standard", "released"]))
@settings(max_examples=200)
def test_any_commands_make_a_step(lists: list[list[str]], rules: str) -> None:
    world = WORLDS[rules]
    state = world.start()
    for commands in lists:
        step = world.step(state, {"dispatcher": Commands(tuple(commands))})
        assert step.state.steps == state.steps + 1
        sound(world, state, step)
        state = step.state


@given(st.text(), st.sampled_from(["standard", "released"]))
@settings(max_examples=200)
def test_any_text_takes_a_turn(text: str, rules: str) -> None:
    world = WORLDS[rules]
    start = world.start()
    step = world.step(start, {"dispatcher": world.parse(start, "dispatcher", text)})
    assert step.state.turns == 1
    assert step.state.steps == 1 or (rules == "released" and codes(step) == ["no_command"])


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(["goto_agent0_storage0"] * 10_000),
        " ".join(f"goto_agent{number}_storage0" for number in range(10_000)),
        " ".join(f"cook_agent0_oven{number}" for number in range(10_000)),
        "goto_" * 10_000,
        "goto(agent0" + ", storage0" * 10_000,
        "a" * 1_000_000,
        "goto_agent" + "9" * 100_000,
        "Let me think about what would be best here. " * 10_000,
    ],
    ids=["the same body", "many bodies", "unknown verbs", "verbs", "one call", "a", "digits", "prose"],
)
def test_ten_thousand_commands_cost_a_step_and_a_bounded_record(text: str, rules: str) -> None:
    world = WORLDS[rules]
    start = world.start()
    step = world.step(start, {"dispatcher": world.parse(start, "dispatcher", text)})
    assert 1 <= len(step.refusals) <= MOST_TOLD + 1
    assert step.state.turns == 1
    assert len(world.describe(world.observe(step.state, "dispatcher"))) < 10_000


def test_how_many_more_were_refused_is_told() -> None:
    world = WORLDS["standard"]
    step = world.step(world.start(), {"dispatcher": Commands(("goto_agent0_storage0",) * 10_000)})
    assert codes(step) == ["duplicate_agent"] * MOST_TOLD + ["more"]
    assert step.refusals[-1].get("count") == 10_000 - 1 - MOST_TOLD
    assert step.state.at[0] == 0


@pytest.mark.parametrize("seed", range(20))
def test_random_play_from_the_menu_is_never_refused(seed: int) -> None:
    """One command for each body, drawn from the menu; earlier ones of the same step may get in the way,
    so that only the first is always accepted."""
    draw = random.Random(seed)
    world = world_of(f"level_{draw.choice([2, 5, 9, 11])}@bodies=3,tau=1.0")
    state = world.start()
    while world.deciders(state):
        options = world.menu(state, "dispatcher").options
        chosen = [draw.choice([o for o in options if o.body == f"agent{body}"]).decision for body in range(3)]
        step = world.step(state, {"dispatcher": world.together(chosen)})
        assert all(refusal.index > 0 for refusal in step.refusals)
        sound(world, state, step)
        state = step.state


def sound(world: CuisineWorld, before: State, step: Step[State]) -> None:
    """What holds in every state and over every step."""
    compiled, state = world.compiled, step.state
    for place, content in enumerate(state.inside):
        assert len(content) <= compiled.capacity[place]
        if place not in compiled.tables:
            assert len(set(content)) == len(content)
        busy = state.busy[place]
        assert 0 <= busy <= max(0, compiled.busy_steps[place] - 1)
        assert not (busy or state.ready >> place & 1) or len(content) == 1
    assert set(state.inside[compiled.tables[0]]) <= set(compiled.dish_things)
    keys = [(order.left, compiled.dishes[order.dish]) for order in state.orders]
    assert keys == sorted(keys) and len(keys) <= world.scenario.most_open
    assert len(state.served) + state.expired + len(state.orders) == state.arrived
    assert state.failed <= state.expired
    accounted(world, before, state)


def accounted(world: CuisineWorld, before: State, state: State) -> None:
    """Nothing is made of nothing: what there is more of, a body took, or a tool made."""
    made = {deed.thing for deed in state.feedback.done if deed.verb in (2, 4)}
    assert {thing for thing in everything(state) if count(state, thing) > count(before, thing)} <= made


def everything(state: State) -> set[int]:
    return {thing for content in state.inside for thing in content} | {t for t in state.held if t >= 0}


def count(state: State, thing: int) -> int:
    return sum(content.count(thing) for content in state.inside) + state.held.count(thing)
