"""What holds in every play: random tasks, random rules and limits, good and bad decisions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings

from backburner.kernel.activities import activities, score_curve
from backburner.kernel.values import Event, Outcome, canonical_json, digest
from backburner.worlds.timearena.game import STANDARD, Act, Decision, Limits, Rules, TimeArena, Wait
from backburner.worlds.timearena.game.state import WAIT, State
from backburner.worlds.timearena.game.transition import AGENT
from support.timearena.play import Turn, choices, limit_sets, paths, rule_sets, walk, world_of, worlds

some = settings(max_examples=120)


@some
@given(worlds(), choices)
def test_a_state_never_changes_in_place(world: TimeArena, numbers: list[int]) -> None:
    turns = [(canonical_json(turn.before), hash(turn.before), turn) for turn in walk(world, numbers)]
    for written, hashed, turn in turns:
        assert canonical_json(turn.before) == written and hash(turn.before) == hashed
        assert world.step(turn.before, {AGENT: turn.decision}) == turn.step


@some
@given(paths(), rule_sets(), limit_sets(), choices)
def test_the_same_decisions_lead_to_the_same_digests(
    path: str, rules: Rules, limits: Limits, numbers: list[int]
) -> None:
    """A world remembers nothing of play: any other world of the same id takes over at any state."""
    turns = list(walk(world_of(path, rules, limits), numbers))
    other = world_of(path, rules, limits)
    for turn in reversed(turns):
        step = other.step(turn.before, {AGENT: turn.decision})
        assert digest(step.state) == digest(turn.step.state)
        assert step == turn.step


@some
@given(worlds(), choices)
def test_the_clock_and_the_progress_never_go_back(world: TimeArena, numbers: list[int]) -> None:
    for before, decision, step in walk(world, numbers):
        after = step.state
        assert after.minute > before.minute or after.ended == "quit"
        assert after.minute - before.minute <= 10  # the longest action of all
        assert after.score >= before.score
        assert after.earned >= before.earned
        assert after.finished & before.finished == before.finished
        assert after.lost_minutes - before.lost_minutes <= len(step.refusals), decision


@some
@given(worlds(), choices)
def test_what_is_earned_is_what_is_finished(world: TimeArena, numbers: list[int]) -> None:
    table = world.compiled
    for turn in walk(world, numbers):
        state = turn.step.state
        finished = [role for role in table.roles if role.bit & state.finished]
        assert state.earned == sum(role.role.minutes for role in finished)
        assert state.score <= 100 * state.earned // table.total_minutes


@some
@given(worlds(), choices)
def test_nothing_starts_before_what_it_needs(world: TimeArena, numbers: list[int]) -> None:
    table = world.compiled
    for turn in walk(world, numbers):
        for role in table.roles:
            if role.bit & turn.step.state.finished:
                assert turn.step.state.finished & role.mask == role.mask


@some
@given(worlds(), choices)
def test_a_thing_takes_part_in_one_background_action_at_a_time(world: TimeArena, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        acts = [running.act for running in turn.step.state.running]
        busy = Counter(name for act in acts for name in {act.first, act.second} - {""})
        assert set(busy.values()) <= {1}
        assert not any(world.compiled.verbs[act.verb].occupies_agent for act in acts)


@some
@given(worlds(), choices)
def test_completed_means_everything(world: TimeArena, numbers: list[int]) -> None:
    everything = world.compiled.everything
    for turn in walk(world, numbers):
        state = turn.step.state
        if state.ended == "completed":
            assert state.finished == everything and state.score == 100
            assert not (turn.step.refusals and world.rules.completion_needs_accepted_step)
        if world.rules == STANDARD and state.finished == everything:
            assert state.ended in ("completed", "quit")
        assert (world.deciders(state) == ()) == (state.ended != "")
        assert outcome_agrees(world.outcome(state), state)


def outcome_agrees(outcome: Outcome, state: State) -> bool:
    status = {"": "running", "completed": "ended", "quit": "ended"}.get(state.ended, "cut off")
    numbers = (outcome.numbers["minutes"], outcome.numbers["score"])
    return (outcome.status, outcome.reason, *numbers) == (status, state.ended, state.minute, state.score)


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_states_and_steps_come_back_from_json(world: TimeArena, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        state = turn.step.state
        back = msgspec.json.decode(msgspec.json.encode(state), type=world.state_type)
        assert back == state and hash(back) == hash(state) and digest(back) == digest(state)
        for event in turn.step.events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event


@some
@given(worlds(), choices)
def test_decisions_come_back_from_json(world: TimeArena, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        if isinstance(turn.decision, Act | Wait):
            written = msgspec.json.encode(turn.decision)
            decision: Decision = msgspec.json.decode(written, type=world.decision_type)
            assert decision == turn.decision


@some
@given(worlds(), choices)
def test_the_menu_is_what_is_accepted(world: TimeArena, numbers: list[int]) -> None:
    for before, decision, step in walk(world, numbers):
        menu = world.menu(before, AGENT)
        offered = [option.decision for option in menu.options]
        assert menu.complete and offered[-1] == WAIT and len(set(offered)) == len(offered)
        if isinstance(decision, Act | Wait):
            assert (decision in offered) == (not step.refusals)
        for option in menu.options:
            assert not world.step(before, {AGENT: option.decision}).refusals
            assert world.parse(before, AGENT, option.label) == option.decision
        assert len(menu.under_way) == len(before.running)


# --- events -------------------------------------------------------------------------------------------


def all_events(turns: list[Turn]) -> list[Event]:
    return [event for turn in turns for event in turn.step.events]


@some
@given(worlds(), choices)
def test_events_are_in_order_and_within_their_step(world: TimeArena, numbers: list[int]) -> None:
    for before, _, step in walk(world, numbers):
        times = [event.time for event in step.events]
        assert times == sorted(times)
        assert all(before.minute <= time <= step.state.minute for time in times)


@some
@given(worlds(), choices)
def test_the_score_of_the_events_is_the_score_of_the_state(world: TimeArena, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    curve = score_curve(all_events(turns))
    assert all(a <= b for (_, a), (_, b) in pairwise(curve))
    assert curve[-1][1] == (turns[-1].step.state.score if turns else 0)


@some
@given(worlds(), choices)
def test_one_end_for_each_finished_action(world: TimeArena, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    bits = {attempt.words: attempt.bit for attempt in world.rulebook.legality.fitting}
    ends = [bits.get(event.label, 0) for event in all_events(turns) if event.what == "end"]
    finished = turns[-1].step.state.finished if turns else 0
    assert sum(ends) == finished
    assert len([bit for bit in ends if bit]) == finished.bit_count()


@some
@given(worlds(), choices)
def test_starts_and_ends_share_a_key_of_their_own(world: TimeArena, numbers: list[int]) -> None:
    """What is over has ended or was broken off; while play goes on, the running actions are open."""
    turns = list(walk(world, numbers))
    events = all_events(turns)
    opened = Counter(event.key for event in events if event.what == "start")
    closed = Counter(event.key for event in events if event.what in ("end", "pause"))
    assert set(opened.values()) <= {1} and set(closed.values()) <= {1}
    assert set(closed) <= set(opened)
    if turns:
        state = turns[-1].step.state
        assert len(opened) - len(closed) == (0 if state.ended else len(state.running))


@pytest.mark.slow
@some
@given(worlds(), choices)
def test_the_agents_lane_has_no_gap_and_no_overlap(world: TimeArena, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    minute = turns[-1].step.state.minute if turns else 0
    lanes = activities(all_events(turns))
    agent = [activity for activity in lanes if activity.lane == AGENT]
    assert all(a.end == b.start for a, b in pairwise(agent))
    assert not agent or (agent[0].start, agent[-1].end) == (0, minute)
    for thing in {activity.lane for activity in lanes} - {AGENT}:
        mine = [activity for activity in lanes if activity.lane == thing]
        assert all(a.end <= b.start for a, b in pairwise(mine))
