"""What holds in every play: random recipes, random rules and limits, good and bad decisions."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from backburner.kernel.activities import activities, score_curve
from backburner.kernel.values import Event, Refusal, canonical_json, digest
from backburner.worlds.recipe2plan.game import Cook, Limits, Piece, Recipe2Plan, Rules
from backburner.worlds.recipe2plan.game.compiled import COOK
from backburner.worlds.recipe2plan.game.reading import PLAN_AGENT, cut
from backburner.worlds.recipe2plan.game.state import Kitchen
from support.recipe2plan.play import (
    BREAD,
    SOUP,
    Turn,
    choices,
    kitchen_of,
    limit_sets,
    paths,
    rule_sets,
    walk,
    world_of,
    worlds,
)

some = settings(max_examples=100)


@some
@given(worlds(), choices)
def test_a_state_never_changes_in_place(world: Recipe2Plan, numbers: list[int]) -> None:
    turns = [(canonical_json(turn.before), hash(turn.before), turn) for turn in walk(world, numbers)]
    for written, hashed, turn in turns:
        assert canonical_json(turn.before) == written and hash(turn.before) == hashed
        assert world.step(turn.before, {COOK: turn.decision}) == turn.step


@some
@given(paths(), rule_sets(), limit_sets(), choices)
def test_the_same_decisions_lead_to_the_same_digests(
    path: str, rules: Rules, limits: Limits, numbers: list[int]
) -> None:
    """A world remembers nothing of play: any other world of the same id takes over at any state."""
    turns = list(walk(world_of(path, rules, limits), numbers))
    other = world_of(path, rules, limits)
    for turn in reversed(turns):
        step = other.step(turn.before, {COOK: turn.decision})
        assert digest(step.state) == digest(turn.step.state)
        assert step == turn.step


@some
@given(worlds(), choices)
def test_clock_and_progress_never_go_back(world: Recipe2Plan, numbers: list[int]) -> None:
    for before, _, step in walk(world, numbers):
        old, new = before.kitchen, step.state.kitchen
        assert new.clock >= old.clock and new.done >= old.done and new.finish >= old.finish
        assert all(after <= was for was, after in zip(old.left, new.left, strict=True))
        assert min(new.left) >= 0


@some
@given(worlds(), choices)
def test_the_counters_count_what_was_accepted(world: Recipe2Plan, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        kitchen = turn.step.state.kitchen
        whole = [job.step.seconds for job in world.compiled.jobs]
        assert kitchen.done == kitchen.left.count(0)
        assert kitchen.worked == sum(whole) - sum(kitchen.left)
        begun = [left < all_ for left, all_ in zip(kitchen.left, whole, strict=True)]
        assert all(ended is not None for ended, b in zip(kitchen.ends, begun, strict=True) if b)
        assert turn.step.state.feedback.executed == kitchen.actions - turn.before.kitchen.actions


@some
@given(worlds(), choices)
def test_a_refused_action_changes_nothing_unless_the_rules_say_so(
    world: Recipe2Plan, numbers: list[int]
) -> None:
    for before, decision, step in walk(world, numbers):
        if not step.refusals or step.refusals[0].index:
            continue
        old, new = before.kitchen, step.state.kitchen
        if world.rules.refused_actions_move_clock and isinstance(decision, Cook) and decision.actions:
            new = msgspec.structs.replace(new, clock=old.clock, running=old.running)
        assert new == old


@some
@given(worlds(), choices)
def test_no_step_begins_before_what_it_needs_has_ended(world: Recipe2Plan, numbers: list[int]) -> None:
    """By the events; pieces of no length end a running step early, so not under that rule."""
    begun: dict[str, float] = {}
    ended: dict[str, float] = {}
    for activity in sorted(activities(all_events(list(walk(world, numbers)))), key=lambda a: a.start):
        begun.setdefault(activity.label, activity.start)
        ended[activity.label] = activity.end
    if world.rules.zero_length_actions:
        return
    for job in world.compiled.jobs:
        for need in (world.compiled.jobs[need] for need in job.after if job.label in begun):
            assert ended[need.label] <= begun[job.label]


@some
@given(worlds(), choices)
def test_an_accepted_step_keeps_its_limits(world: Recipe2Plan, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        kitchen = turn.before.kitchen
        decision = turn.decision
        if turn.step.refusals or not isinstance(decision, Cook) or len(decision.actions) != 1:
            continue
        piece = decision.actions[0]
        job = world.compiled.job_of(piece)
        assert not isinstance(job, Refusal)
        for lag in job.lags:
            ended = kitchen.ends[lag.earlier]
            assert ended is None or piece.start <= ended + lag.seconds


@some
@given(worlds(), choices)
def test_why_play_is_over(world: Recipe2Plan, numbers: list[int]) -> None:
    for _, decision, step in walk(world, numbers):
        state, complete = step.state, step.state.kitchen.done == len(world.compiled.jobs)
        outcome = world.outcome(state)
        statuses = {"": "running", "completed": "ended", "finish": "ended"}
        assert (outcome.status, outcome.reason) == (statuses.get(state.ended, "cut off"), state.ended)
        assert bool(outcome.numbers["completed"]) == complete
        assert (world.deciders(state) == ()) == (state.ended != "")
        if complete and not world.rules.goes_on_when_complete:
            assert state.ended == "completed"
        if isinstance(decision, Cook) and decision.finish:
            assert state.ended in ("finish", "completed")
        if world.limits == Limits():
            assert state.ended in ("", "finish", "completed")


@some
@given(worlds(), choices)
def test_states_steps_and_decisions_come_back_from_json(world: Recipe2Plan, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        state = turn.step.state
        back = msgspec.json.decode(msgspec.json.encode(state), type=world.state_type)
        assert back == state and hash(back) == hash(state) and digest(back) == digest(state)
        for event in turn.step.events:
            assert msgspec.json.decode(msgspec.json.encode(event), type=Event) == event
        if isinstance(turn.decision, Cook):
            written = msgspec.json.encode(turn.decision)
            assert msgspec.json.decode(written, type=world.decision_type) == turn.decision


# --- menus ----------------------------------------------------------------------------------------


@some
@given(worlds(), choices)
def test_what_is_offered_is_accepted_and_not_a_second_earlier(world: Recipe2Plan, numbers: list[int]) -> None:
    for turn in walk(world, numbers):
        for option in world.menu(turn.before, COOK).options:
            assert not world.step(turn.before, {COOK: option.decision}).refusals
            for piece in option.decision.actions:
                assert option.label in world.words(option.decision)
                assert (
                    option.waits
                    or piece.start == turn.before.kitchen.clock
                    or not accepted(
                        world, turn.before.kitchen, msgspec.structs.replace(piece, start=piece.start - 1)
                    )
                )


@some
@given(worlds(), choices)
def test_what_waits_begins_when_the_last_has_ended(world: Recipe2Plan, numbers: list[int]) -> None:
    """It is there exactly while something runs: what can begin then, or to finish."""
    for turn in walk(world, numbers):
        if not world.deciders(turn.before):
            continue
        options, running = world.menu(turn.before, COOK).options, turn.before.kitchen.running
        waiting = [option.decision for option in options if option.waits]
        assert bool(waiting) == bool(running)
        last = max((one.ends for one in running), default=None)
        assert all(decision.finish or decision.actions[0].start == last for decision in waiting)
        assert len(waiting) == 1 or not any(decision.finish for decision in waiting)


@some
@given(worlds(), choices, st.integers(0, 5000))
def test_what_is_not_offered_is_never_accepted_whole(
    world: Recipe2Plan, numbers: list[int], wait: int
) -> None:
    """A step that is not on the menu is refused now and at any later second."""
    for turn in walk(world, numbers):
        kitchen = turn.before.kitchen
        offered = {
            (p.recipe, p.step) for o in world.menu(turn.before, COOK).options for p in o.decision.actions
        }
        for job in world.compiled.jobs:
            left = kitchen.left[job.index]
            if left and (job.recipe, job.number) not in offered:
                assert not accepted(world, kitchen, Piece(job.number, job.recipe, left, kitchen.clock + wait))


def accepted(world: Recipe2Plan, kitchen: Kitchen, piece: Piece) -> bool:
    job = world.compiled.job_of(piece)
    return not isinstance(job, Refusal) and world.rulebook.legality.obstacle(kitchen, job, piece) is None


# --- events ---------------------------------------------------------------------------------------


def all_events(turns: list[Turn]) -> list[Event]:
    return [event for turn in turns for event in turn.step.events]


@some
@given(worlds(), choices)
def test_events_are_in_order(world: Recipe2Plan, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    times = [event.time for event in all_events(turns)]
    assert times == sorted(times)
    for before, _, step in turns:
        assert all(before.kitchen.clock <= event.time for event in step.events)
        if not step.state.ended:
            assert all(event.time <= step.state.kitchen.clock for event in step.events)


@some
@given(worlds(), choices)
def test_starts_and_ends_share_a_key_of_their_own(world: Recipe2Plan, numbers: list[int]) -> None:
    """While play goes on, what runs by itself is open; when it is over, nothing is."""
    turns = list(walk(world, numbers))
    events = all_events(turns)
    opened = Counter(event.key for event in events if event.what == "start")
    closed = Counter(event.key for event in events if event.what == "end")
    assert set(opened.values()) <= {1} and set(closed.values()) <= {1}
    if turns:
        state = turns[-1].step.state
        assert len(opened) - len(closed) == (0 if state.ended else len(state.kitchen.running))


@some
@given(worlds(), choices)
def test_the_cooks_lane_has_no_gap_and_no_overlap(world: Recipe2Plan, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    clock = turns[-1].step.state.kitchen.clock if turns else 0
    cook = [activity for activity in activities(all_events(turns)) if activity.lane == COOK]
    longer = [activity for activity in cook if activity.end > activity.start]
    assert all(a.end == b.start for a, b in pairwise(longer))
    assert not longer or (longer[0].start, longer[-1].end) == (0, clock)


@some
@given(worlds(), choices)
def test_the_work_of_the_events_is_what_was_accepted(world: Recipe2Plan, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    if not turns or not turns[-1].step.state.ended:
        return
    kitchen = turns[-1].step.state.kitchen
    work = [activity for activity in activities(all_events(turns)) if activity.kind == "work"]
    assert len(work) == kitchen.actions
    assert sum(activity.end - activity.start for activity in work) == kitchen.worked
    assert max((activity.end for activity in work), default=0) == kitchen.finish


@some
@given(worlds(), choices)
def test_the_score_of_the_events_is_the_progress(world: Recipe2Plan, numbers: list[int]) -> None:
    turns = list(walk(world, numbers))
    curve = score_curve(all_events(turns))
    assert all(a <= b for (_, a), (_, b) in pairwise(curve))
    if turns:
        assert curve[-1][1] == world.outcome(turns[-1].step.state).numbers["progress_percent"]


# --- reading --------------------------------------------------------------------------------------

_pieces = st.builds(
    Piece,
    st.integers(0, 9),
    st.sampled_from(["Soup", "Bread", "Stew-2"]),
    st.integers(0, 100_000),
    st.integers(0, 100_000),
)
_fragments = st.sampled_from(
    ["Action: ", "Thought:", "Observation:", "Step(", "Step(0, Soup, 00:05:00, ", "00:00:00)", "Finish", "*/",
     "5 min", "'", '"', ", ", "\n", "(", ")", "²", "٣", "action: finish"]
)  # fmt: skip


@some
@given(st.lists(_pieces, min_size=1, max_size=6), rule_sets(), st.booleans())
def test_words_are_read_back(pieces: list[Piece], rules: Rules, finish: bool) -> None:
    world = kitchen_of(SOUP, BREAD, rules=rules)
    decision = Cook(tuple(sorted(pieces, key=lambda piece: piece.start)), finish)
    assert world.parse(world.start(), COOK, world.words(decision)) == decision


@some
@given(st.lists(_fragments | st.text(max_size=8), max_size=25).map("".join), rule_sets())
def test_any_text_is_read_or_refused(text: str, rules: Rules) -> None:
    world = kitchen_of(SOUP, BREAD, rules=rules)
    for decision in (world.parse(world.start(), COOK, text), world.reader.read_plan(text, PLAN_AGENT)):
        assert isinstance(decision, Cook | Refusal)
        world.step(world.start(), {COOK: decision})
    assert cut(cut(text)) == cut(text)
