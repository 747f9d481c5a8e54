"""While a cook thinks it stays, and its partner and the utensils go on."""

from __future__ import annotations

from msgspec import UNSET
from msgspec.structs import replace

from backburner.kernel import registry
from backburner.kernel.values import Refusal, canonical_json
from backburner.worlds.collab_grid.game import Action, CollabGrid, Limits, State
from backburner.worlds.collab_overcooked.game.state import SEATS, Content
from support.collab_overcooked.kitchens import CHEF_AT_POT, POT, kitchen_with

GRID: CollabGrid = registry.world("collab_grid/boiled_egg", limits="none")
CHEF, ASSISTANT = SEATS
STAY, START = Action("stay"), Action("interact", "start")


def silence(ticks: int) -> Action:
    return GRID.silence(GRID.start(), CHEF, ticks)


def ruined(state: State) -> list[int]:
    """How many reports of what is gone each cook reads."""
    return [len(GRID.observe(state, seat).ruined) for seat in SEATS]


def test_an_egg_cooks_in_one_line_of_silence() -> None:
    """Started in the step from 0 to 1, which is its first tick; both are silent until it is ready."""
    state = State(kitchen_with(CHEF_AT_POT, contents=(Content(POT, ("egg",)),)))
    state = GRID.step(state, {CHEF: START, ASSISTANT: STAY}).state
    cooking = state.kitchen.contents[0]
    step = GRID.step(state, dict.fromkeys(SEATS, silence(30)))
    assert [(e.time, e.what, e.kind) for e in step.events] == [(cooking.steps, "end", "work")]
    assert GRID.now(step.state) == 31
    assert step.state.kitchen.contents[0].ready


def test_who_acts_is_told_of_and_who_is_silent_is_not() -> None:
    step = GRID.step(GRID.start(), {CHEF: silence(4), ASSISTANT: STAY})
    assert GRID.now(step.state) == 1
    assert {event.lane for event in step.events} == {ASSISTANT}


def test_a_refusal_is_told_until_the_next_decision() -> None:
    nothing = Action("interact", "egg")
    state = GRID.step(GRID.start(), {CHEF: nothing, ASSISTANT: STAY}).state
    for _ in range(2):
        assert GRID.observe(state, CHEF).refusal is not None
        state = GRID.step(state, {CHEF: silence(2), ASSISTANT: STAY}).state
    state = GRID.step(state, {CHEF: STAY, ASSISTANT: silence(1)}).state
    assert GRID.observe(state, CHEF).refusal is None


def test_what_is_gone_meanwhile_is_told_after_the_next_decision() -> None:
    """The chef starts what matches no recipe while the assistant thinks. The assistant is told after the step
    of its decision, and no more after that of the one that follows."""
    state = State(kitchen_with(CHEF_AT_POT, contents=(Content(POT, ("egg", "egg", "egg")),)))
    state = GRID.step(state, {CHEF: START, ASSISTANT: silence(3)}).state
    assert state.kitchen.ruined == (POT,)
    state = GRID.step(state, {CHEF: STAY, ASSISTANT: silence(2)}).state
    assert ruined(state) == [0, 0]
    state = GRID.step(state, {CHEF: STAY, ASSISTANT: STAY}).state
    assert ruined(state) == [0, 1]
    thinking = GRID.step(state, dict.fromkeys(SEATS, silence(5))).state
    assert ruined(thinking) == [0, 1], "asked again, it is told the same"
    for later in (state, thinking):
        after = GRID.step(later, {CHEF: STAY, ASSISTANT: STAY}).state
        assert ruined(after) == [0, 0]
        assert after.late is UNSET


def test_a_limit_of_steps_falls_into_a_silence() -> None:
    world = CollabGrid("collab_grid/user/test", GRID.scenario, GRID.rules, Limits(3))
    state = world.step(world.start(), dict.fromkeys(SEATS, silence(8))).state
    assert (state.ended, world.now(state)) == ("step_limit", 3)


def test_silence_is_not_to_stay() -> None:
    assert canonical_json(STAY) == b'{"verb":"stay"}'
    assert b'"late"' not in canonical_json(GRID.start())
    assert isinstance(GRID.parse(GRID.start(), CHEF, GRID.words(silence(1))), Refusal)
    odd = [replace(silence(2), silent=n) for n in (-1, 10**9)]
    for each in (*odd, replace(silence(2), verb="north"), replace(silence(2), parameter="egg")):
        (refusal,) = GRID.step(GRID.start(), {CHEF: each, ASSISTANT: STAY}).refusals
        assert refusal.code == "unreadable", each
