"""Time passes while a seat is silent: bodies under way go on, free ones stand and stay free."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.replay import shots_of, windows_of
from backburner.kernel.testing import ContractViolation, check_world
from backburner.kernel.values import Refusal, Seat, Step, canonical_json
from backburner.worlds.clocked_kitchen.game import ClockedKitchen, Input
from backburner.worlds.clocked_kitchen.game.state import LATE, State
from backburner.worlds.clocked_kitchen.metrics.score import scoring
from support.clocked_kitchen.play import world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


def silent_for(world: ClockedKitchen, state: State, ticks: int) -> State:
    """The state after all who are asked were silent at the same time."""
    return world.step(
        state, {seat: world.silence(state, seat, ticks) for seat in world.deciders(state)}
    ).state


def test_a_silence_of_one_seat_is_one_step_and_its_bodies_are_as_free_as_before() -> None:
    world = world_of("level_0@seats=one", ROOM)
    both = Input(("get_agent0_salmon_storage0", "move_agent1_up"))
    state = world.step(world.start(), {"dispatcher": both}).state  # in tick 2 agent1 is free
    after = silent_for(world, state, 20)
    # agent0 has free hands in tick 9, and the dispatcher is asked anyway.
    assert after.tick == 22 and after.errands == (None, None) and world.deciders(after) == ("dispatcher",)
    assert world.compiled.kitchen.things[after.held[0]] == "salmon"


def test_a_silence_ends_when_another_seat_must_decide() -> None:
    world = world_of("level_0", ROOM)
    start = world.start()
    step = world.step(
        start, {"agent0": world.silence(start, "agent0", 50), "agent1": Input(("move_agent1_up",))}
    )
    assert (step.state.tick, world.deciders(step.state)) == (2, ("agent0", "agent1"))
    assert step.state.feedback == () and step.refusals == ()


def test_who_stands_and_gives_way_cannot_act_for_a_while_and_time_goes_on() -> None:
    world = world_of("level_0", ("#SS###", "#....B", "##TT##"))
    start = world.start()
    # agent0 passes agent1, which takes them both to tick 6: until then nobody is free, so that both are asked
    # and have nothing to decide.
    decisions = {"agent0": Input(("goto_agent0_blender0",)), "agent1": world.silence(start, "agent1", 1)}
    state = world.step(start, decisions).state
    assert state.tick == 1 and state.free_at == (6, 6)
    assert (
        world.deciders(state)
        == ("agent0", "agent1")
        == tuple(seat for seat in world.seats if world.occupied(state, seat))
    )
    after = silent_for(world, state, 20)
    assert after.tick == 6 and world.deciders(after) == ("agent1",)
    assert silent_for(world, silent_for(world, state, 2), 3) == silent_for(world, state, 5)


def test_what_comes_to_nothing_meanwhile_is_told_with_the_next_decision() -> None:
    world = world_of("level_0@seats=one", ROOM)
    fetch, also = "get_agent0_salmon_storage0", "get_agent1_salmon_storage0"
    state = world.step(world.start(), {"dispatcher": Input((fetch, also))}).state
    while not all(held >= 0 for held in state.held):
        state = world.step(state, {"dispatcher": Input(ticks=10)}).state
    # Both bring a salmon to the one blender: the second finds one in it, while the dispatcher thinks.
    bring = Input(("put_agent0_blender0", "put_agent1_blender0"))
    state = world.step(state, {"dispatcher": bring}).state
    assert any(state.errands), "one of them is on its way"
    told = state.feedback
    after = silent_for(world, state, 100)
    assert after.feedback == told and len(after.untold) == 1 and LATE in after.untold[0].detail
    assert world.observe(after, "dispatcher").refusals == (*told, *after.untold)
    decided = world.step(after, {"dispatcher": Input(("noop_agent0", "noop_agent1"))}).state
    assert decided.feedback == after.untold and decided.untold == ()


def test_where_everybody_is_always_asked_silence_is_to_keep_as_live_records_have_it() -> None:
    world = world_of("level_0@asks=always", ROOM)
    start = world.start()
    assert world.silence(start, "agent0", 1) == Input() and world.silence(start, "agent0", 7) == Input(
        ticks=7
    )
    step = world.step(start, {"agent0": Input(("get_agent0_salmon_storage0",)), "agent1": Input()})
    assert world.occupied(step.state, "agent0") and not world.occupied(step.state, "agent1")


def test_no_text_reads_as_silence_and_states_without_it_are_written_as_before() -> None:
    world = world_of("level_0", ROOM)
    start = world.start()
    silence = world.silence(start, "agent0", 3)
    assert world.parse(start, "agent0", world.words(silence)) != silence
    assert silence not in [option.decision for option in world.menu(start, "agent0").options]
    assert b"untold" not in canonical_json(start) and b"silent" not in canonical_json(Input())


SECONDS = ("0", "0.2", "0.5", "1", "2", "4", "8")


def slowly(id: str, seconds: str) -> tuple[ClockedKitchen, Episode]:
    """Greedy, after so many seconds of thought for each decision."""
    world: ClockedKitchen = registry.world(f"clocked_kitchen/{id}")
    policies = make_policies(AgentSpec(f"greedy@latency={seconds}"), world)
    return world, play_now(world, policies, clock=Timing("latency").bound(world, latencies(policies)))


@pytest.mark.parametrize(
    ("asks", "shares"),
    [
        ("always", [0.915, 0.825, 0.643, 0.446, 0.304, 0.113, 0.0]),
        ("free", [0.898, 0.862, 0.627, 0.456, 0.304]),
    ],
)
def test_the_curve_of_thinking_in_a_level_of_each_class(asks: str, shares: list[float]) -> None:
    """The share of orders served of those served or failed, at τ = 1.5: a very simple, simple, intermediate
    and advanced level, each in its first two episodes."""
    found = []
    for latency in SECONDS[: len(shares)]:
        served = failed = 0
        for level, episode in product((1, 3, 9, 12), (0, 1)):
            ending = slowly(f"level_{level}@asks={asks},episode={episode},tau=1.5", latency)[1].ending
            assert ending is not None
            served += int(ending.numbers["completed"])
            failed += int(ending.numbers["failed"])
        found.append(round(served / (served + failed), 3))
    assert found == shares


def test_where_thinking_takes_no_time_play_is_as_it_was() -> None:
    world, episode = slowly("level_3@seconds=30", "0")
    without = play_now(world, make_policies(AgentSpec("greedy"), world))
    assert [(each.digest, each.events) for each in episode.entries] == [
        (each.digest, each.events) for each in without.entries
    ]


def test_metrics_and_windows_see_orders_run_out_in_silences() -> None:
    world, episode = slowly("level_3@tau=1.5", "2")
    assert check(episode, world) == len(episode.entries)
    measured = scoring.measure(episode)
    windows = list(windows_of(episode, world))
    assert measured["failed"] == sum(window.state == "missed" for window in windows) > 0
    assert measured["completed"] == sum(window.state == "kept" for window in windows)
    assert len(shots_of(episode, world)) > len(episode.entries)


# --- planted faults ----------------------------------------------------------------------------------------


class Waiting(ClockedKitchen):
    """Who is silent is taken to wait, as who gives no command is."""

    def silence(self, state: State, seat: Seat, ticks: int) -> Input:
        return Input(ticks=ticks)


class Patient(ClockedKitchen):
    """Orders wait while everybody is silent."""

    def step(self, state: State, decisions: Mapping[Seat, Input | Refusal]) -> Step[State]:
        step = super().step(state, decisions)
        if not all(isinstance(each, Input) and each.silent for each in decisions.values()):
            return step
        events = tuple(event for event in step.events if event.what != "expired")
        return replace(step, state=replace(step.state, expired=state.expired), events=events)


class Impatient(ClockedKitchen):
    """A silence lasts until a body is free, however long it was to be."""

    def step(self, state: State, decisions: Mapping[Seat, Input | Refusal]) -> Step[State]:
        longer = {
            seat: replace(each, ticks=each.ticks + 1) if isinstance(each, Input) and each.silent else each
            for seat, each in decisions.items()
        }
        return super().step(state, longer)


@pytest.mark.parametrize(
    ("planted", "rule"),
    [
        (Waiting, "silence_takes_time"),
        (Patient, "silence_breaks_what_time_breaks"),
        (Impatient, "silence_takes_time"),
    ],
)
def test_a_planted_fault_is_noticed(planted: type[ClockedKitchen], rule: str) -> None:
    good: ClockedKitchen = registry.world("clocked_kitchen/level_3")
    world = planted(good.id, good.scenario, good.rules, good.limits)
    with pytest.raises(ContractViolation, match=rule):
        check_world(world, episodes=1, max_steps=90)
