"""Time passes in the kitchen while a seat is silent: bodies stand, tools work, orders come and run out."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Answer, Entry, Episode
from backburner.kernel.play import play_now
from backburner.kernel.testing import ContractViolation, check_world
from backburner.kernel.values import canonical_json, digest
from backburner.worlds.cuisineworld.game import Commands, CuisineWorld
from backburner.worlds.cuisineworld.game.state import MOST_SILENT, State
from backburner.worlds.cuisineworld.metrics.measures import assessment
from backburner.worlds.cuisineworld.metrics.score import scoring
from support.cuisineworld.play import DISPATCHER, MEATCAKE, after, codes, steps_of, world_of


def silent_for(world: CuisineWorld, state: State, steps: int) -> State:
    """The state after everybody was silent for so many steps, phase by phase."""
    until = state.steps + steps
    while state.steps < until and (seats := world.deciders(state)):
        left = until - state.steps
        state = world.step(state, {seat: world.silence(state, seat, left) for seat in seats}).state
    return state


@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_silence_of_one_seat_is_one_step_and_time_is_not_frozen(rules: str) -> None:
    world = world_of("level_0@bodies=1,feedback=full", rules)
    start = after(world, *MEATCAKE[:9])  # the blender is at work for one step yet
    step = world.step(start, {DISPATCHER: world.silence(start, DISPATCHER, 4)})
    assert (step.state.steps, step.state.turns) == (13, 13) and step.refusals == ()
    assert step.state.at == start.at and step.state.held == start.held
    blender = world.compiled.place_number["blender0"]
    assert start.busy[blender] == 1 and step.state.busy[blender] == 0
    assert [(e.time, e.what, e.lane) for e in step.events if e.kind == "work" and e.lane == "blender0"] == [
        (10, "end", "blender0")
    ]
    assert step.state == silent_for(world, silent_for(world, start, 1), 3)


def test_what_was_told_stays_and_what_is_done_meanwhile_is_told_with_the_next_decision() -> None:
    world = world_of("level_0@bodies=1,feedback=full")
    state = after(world, *MEATCAKE[:9])
    told = world.observe(state, DISPATCHER)
    silent = silent_for(world, state, 4)
    seen = world.observe(silent, DISPATCHER)
    assert (seen.done, seen.finished, seen.refusals) == (told.done, told.finished, told.refusals)
    assert seen.step == 13 and seen.done[0].verb == "activate"
    decided = steps_of(world, "get_agent0_blender0", state=silent)[-1].state
    seen = world.observe(decided, DISPATCHER)
    assert seen.finished == (("blender0", "salmonMeatcake"),) and [act.verb for act in seen.done] == ["get"]
    later = steps_of(world, "noop_agent0", state=decided)[-1].state
    assert later.told == () and world.observe(later, DISPATCHER).finished == ()


def test_an_order_runs_out_while_everybody_thinks() -> None:
    world = world_of("level_3")
    start = world.start()
    left = start.orders[0].left
    assert silent_for(world, start, left).expired == 0
    gone = silent_for(world, start, left + 1)
    assert gone.expired == 1 and gone.arrived > 1 and gone.feedback.idle is False


def test_play_ends_within_a_silence_where_its_steps_are_over() -> None:
    world = world_of("level_3")
    end = silent_for(world, world.start(), MOST_SILENT)
    assert end.steps == world.scenario.steps and world.deciders(end) == ()


def test_who_is_silent_stands_while_others_act_and_keeps_its_refusals() -> None:
    world = world_of("level_3@seats=each")
    start = world.start()
    wrong = {"agent0": Commands(("put_agent0_blender0",)), "agent1": Commands(("noop_agent1",))}
    state = world.step(start, wrong).state
    (refusal,) = world.observe(state, "agent0").refusals
    decisions = {
        "agent0": world.silence(state, "agent0", 5),
        "agent1": Commands(("goto_agent1_storage0",)),
    }
    step = world.step(state, decisions)
    assert step.state.steps == 2 and step.state.at[0] == state.at[0] and step.state.at[1] != state.at[1]
    assert step.refusals == () and world.observe(step.state, "agent0").refusals == (refusal,)
    assert world.observe(step.state, "agent1").refusals == ()


def test_one_bad_command_does_not_void_silence_nor_silence_other_commands() -> None:
    world = world_of("level_3@seats=each", "released")
    start = world.start()
    silent = world.silence(start, "agent0", 1)
    step = world.step(start, {"agent0": silent, "agent1": Commands(("goto_agent1_storage0",))})
    assert step.refusals == () and step.state.steps == 1
    step = world.step(start, {"agent0": silent, "agent1": Commands(())})
    assert codes(step) == ["empty"] and step.refusals[0].seat == "agent1"


def test_where_seats_decide_in_turn_whoever_thinks_is_passed_over() -> None:
    world = world_of("level_5@decide=in_turn,head_chef=yes,seats=each")
    state = world.start()
    for _ in range(2):  # a step of the kitchen each
        for seat in world.seats:
            assert world.deciders(state) == (seat,)
            silence = world.silence(state, seat, 7)
            decision = Commands(("goto_agent1_storage0",)) if seat == "agent1" else silence
            assert world.observe(state, seat).decided == ()
            state = world.step(state, {seat: decision}).state
    assert state.steps == 2 and state.instruction is None


@pytest.mark.parametrize(
    "wrong",
    [
        Commands(("noop_agent0",), silent=1),
        Commands((), silent=-1),
        Commands((), silent=MOST_SILENT + 1),
        Commands((), "Hurry!", silent=1),
    ],
)
def test_what_is_no_silence_is_no_decision(wrong: Commands) -> None:
    world = world_of("level_3")
    step = world.step(world.start(), {DISPATCHER: wrong})
    assert codes(step) == ["no_command"] and step.state.steps == 1


def test_without_silence_states_and_decisions_are_written_as_before() -> None:
    world = world_of("level_3")
    assert canonical_json(Commands(("noop_agent0",))) == b'{"commands":["noop_agent0"]}'
    assert b"told" not in canonical_json(after(world, *MEATCAKE))


# --- records and metrics -----------------------------------------------------------------------------------


def singly(world: CuisineWorld, episode: Episode) -> Episode:
    """The record with a line for each step of a silence."""
    state, entries = world.start(episode.header.seed), list[Entry]()
    for entry in episode.entries:
        decisions: dict[str, Any] = {seat: answer.decision for seat, answer in entry.answers.items()}
        for before, step in world.singly(state, world.step(state, decisions)):
            one = step.state.steps - before.steps == 1 and all(each.silent for each in decisions.values())
            answers = {
                seat: Answer(world.silence(before, seat, 1), silent=True) if one else answer
                for seat, answer in entry.answers.items()
            }
            entries.append(Entry(len(entries), answers, digest(step.state), step.events, step.refusals))
            state = step.state
    return replace(episode, entries=tuple(entries))


def played(id: str, latency: str) -> tuple[CuisineWorld, Episode]:
    """Greedy play in which each decision takes so many steps."""
    world = world_of(id)
    policies = make_policies(AgentSpec(f"greedy@latency={latency}"), world)
    clock = Timing("latency").bound(world, dict.fromkeys(world.seats, latency))
    return world, play_now(world, policies, clock=clock)


@pytest.mark.parametrize("id", ["level_3@bodies=3,tau=1.0", "level_9@bodies=4,seats=0.3+1.2"])
def test_metrics_and_windows_see_each_step_of_a_silence(id: str) -> None:
    world, episode = played(id, "3")
    assert check(episode, world) == len(episode.entries)
    single = singly(world, episode)
    assert len(single.entries) > len(episode.entries)
    assert scoring.measure(episode) == scoring.measure(single)
    windows = assessment(world).windows
    assert windows is not None and windows(episode) == windows(single)
    states = [moment for entry in episode.entries for moment in entry.answers.values() if moment.silent]
    assert states and "silent for" in world.words(states[0].decision)


# --- what thinking costs -----------------------------------------------------------------------------------

LATENCIES = ("0", "0.25", "1", "4")


def served_and_failed(levels: tuple[int, ...], episodes: int, latency: str) -> tuple[int, int]:
    """Orders, in all, of the first episodes of these levels at the pace τ = 2."""
    ids = (f"level_{level}@episode={episode}" for level in levels for episode in range(episodes))
    endings = [played(id, latency)[1].ending for id in ids]
    numbers = [ending.numbers for ending in endings if ending is not None]
    return sum(int(each["completed"]) for each in numbers), sum(int(each["failed"]) for each in numbers)


def test_a_little_thinking_costs_orders() -> None:
    found = [served_and_failed((3, 12), 1, latency) for latency in ("0", "0.25", "1", "4")]
    assert found == [(9, 0), (7, 2), (3, 7), (1, 9)]


@pytest.mark.slow
def test_the_curve_of_thinking_in_a_level_of_each_class() -> None:
    """Greedy with two bodies, twelve plays: one very simple, simple, intermediate and advanced level, each in
    the first three episodes. Of the orders that were served or ran out, 1, .77, .36 and .08 were served, at
    thoughts of 0, 0.25, 1 and 4 steps."""
    found = [served_and_failed((1, 3, 9, 12), 3, latency) for latency in LATENCIES]
    assert found == [(66, 0), (50, 15), (24, 42), (5, 56)]


@pytest.mark.parametrize("id", ["level_3@seats=each", "level_5@decide=in_turn,head_chef=yes", "level_12"])
def test_where_thinking_takes_no_time_play_is_as_it_was(id: str) -> None:
    world, episode = played(id, "0")
    without = play_now(world, make_policies(AgentSpec("greedy"), world))
    assert [(each.digest, each.events) for each in episode.entries] == [
        (each.digest, each.events) for each in without.entries
    ]


# --- the kit, and planted faults ----------------------------------------------------------------------------


class Patient(CuisineWorld):
    """Orders wait while everybody is silent."""

    def step(self, state: State, decisions: Any) -> Any:
        step = super().step(state, decisions)
        silent = all(isinstance(each, Commands) and each.silent for each in decisions.values())
        if not silent or step.state.expired == state.expired:
            return step
        events = tuple(event for event in step.events if event.what != "expired")
        return replace(step, state=replace(step.state, expired=state.expired), events=events)


class Frozen(CuisineWorld):
    """Time stands still while somebody thinks."""

    def step(self, state: State, decisions: Any) -> Any:
        step = super().step(state, decisions)
        silent = any(isinstance(each, Commands) and each.silent for each in decisions.values())
        return replace(step, state=replace(step.state, steps=state.steps)) if silent else step


class Forgetful(CuisineWorld):
    """A silence wipes out what was told."""

    def step(self, state: State, decisions: Any) -> Any:
        step = super().step(state, decisions)
        return replace(step, state=replace(step.state, told=()))


@pytest.mark.parametrize("rules", ["standard", "released"])
@pytest.mark.parametrize(
    "id",
    [
        "level_3@feedback=full",
        "level_9@bodies=4,feedback=full,seats=0.3+1.2",
        "level_5@bodies=3,decide=in_turn,feedback=full,head_chef=yes,seats=each",
    ],
)
def test_silence_keeps_the_rules_of_the_kit(id: str, rules: str) -> None:
    ran = check_world(world_of(id, rules), episodes=1, max_steps=120).ran
    assert all(cases for check, cases in ran.items() if "silence" in check and check != FORGIVES), ran


FORGIVES = "silence_forgives_nothing"
"""Answers that nobody can read end no play; it goes on to its end, which may be too far for the kit."""


@pytest.mark.parametrize(
    ("planted", "rule"),
    [
        (Patient, "silence_breaks_what_time_breaks"),
        (Frozen, "silence_takes_time"),
        (Forgetful, "silence_leaves_the_rest_as_it_is"),
    ],
)
def test_a_planted_fault_is_noticed(planted: type[CuisineWorld], rule: str) -> None:
    good = world_of("level_3@feedback=full")
    world = planted(good.id, good.scenario, good.rules, good.limits)
    with pytest.raises(ContractViolation, match=rule):
        check_world(world, episodes=1)
