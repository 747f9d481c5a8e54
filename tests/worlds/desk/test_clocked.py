"""Every minute is asked about: a call holds the attention for its minutes, and the clock goes on.

`desk/made/counter`: a check takes 3 minutes, `report` 3, `rota` 4, all others 1 or 2.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from backburner.agents.latency import latencies
from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.claims import verify
from backburner.kernel.clock import Clocked, Timing
from backburner.kernel.episode import Episode
from backburner.kernel.errors import UnknownName
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.testing import check_world
from backburner.kernel.values import canonical_json
from backburner.worlds.desk.game import Desk
from backburner.worlds.desk.game.rule_set import Limits
from backburner.worlds.desk.game.state import A_MINUTE, Done, Idle, Reply, Start, Telling, Wait
from backburner.worlds.desk.game.transition import AGENT
from backburner.worlds.desk.metrics.score import scoring
from support.desk.days import day, drawn, take, world_of

CLOCKED: Desk = registry.world("desk/made/counter@asks=always")
SILENT = {"tool": "run", "runs": [5], "silent": True, "told": {"least": 2, "most": 9}, "deliverable": {}}
FILE = {"tool": "file", "hands": 3, "deliverable": {"deadline": 9}}


def always(file: dict[str, Any], limits: str = "none") -> Desk:
    return world_of({**file, "asks": "always"}, limits)


def played(id: str, agent: str, latency: str = "") -> Episode:
    world = registry.world(id)
    policies = make_policies(AgentSpec(agent + (f"@latency={latency}" if latency else "")), world)
    clock = Timing("latency").bound(world, latencies(policies)) if latency else None
    return play_now(world, policies, 0, clock=clock)


# --- one mechanism --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_a_call_and_silence_for_the_rest_of_its_minutes_are_the_call_of_who_is_asked_when_free(
    seed: int,
) -> None:
    """The same state and the same events, from every state of a drawn play, under limits that cut it."""
    draw = random.Random(f"law {seed}")
    base = world_of(drawn(seed)) if seed % 3 else registry.world("desk/made/counter")
    assert isinstance(base, Desk)
    limits = Limits(draw.choice([None, 7, 18, 29]), draw.choice([None, 6]))
    free, clocked = (
        Desk(base.id, replace(base.scenario, asks=asks), base.rules, limits) for asks in ("free", "always")
    )
    state, compared = free.start(seed), 0
    while free.deciders(state) and state.minute < 150:
        options = [option.decision for option in free.menu(state, AGENT).options]
        starts = [Start(j.tool, j.subject, free.compiled.right_inputs[j.name]) for j in free.scenario.jobs]
        for call in (*(each for each in options if not isinstance(each, Wait)), *starts, Idle(3), "hm"):
            whole = take(free, state, call)
            step = take(clocked, state, call)
            events, refusals = [*step.events], [*step.refusals]
            while step.state.held:
                assert clocked.occupied(step.state, AGENT) and not step.state.closed
                step = take(
                    clocked, step.state, Idle(draw.randint(1, step.state.free_at - step.state.minute))
                )
                events += step.events
            assert (step.state, tuple(events), tuple(refusals)) == (whole.state, whole.events, whole.refusals)
            compared += 1
        state = take(free, state, draw.choice([*options, *starts])).state
    assert compared >= 4


def test_states_of_who_is_asked_when_free_are_written_as_before() -> None:
    state = take(registry.world("desk/made/counter"), registry.world("desk/made/counter").start(), "build()")
    assert b"busy_until" not in canonical_json(state.state)
    assert b'"busy_until":2' in canonical_json(take(CLOCKED, CLOCKED.start(), "build()").state)
    assert b"asks" not in canonical_json(registry.world("desk/made/counter").scenario)


# --- while the attention is held ------------------------------------------------------------------------


def test_while_a_call_goes_on_there_is_nothing_but_to_wait() -> None:
    world = always(day([FILE, {"tool": "run", "runs": [5]}]))
    held = take(world, world.start(), "file()").state
    assert (held.minute, held.busy_until, held.decisions) == (1, 3, 1)
    assert [option.decision for option in world.menu(held, AGENT).options] == [A_MINUTE]
    busy = "A call takes your attention until 09:03: you can only wait.\n09:00: you filed file#1."
    assert world.describe(world.observe(held, AGENT)).startswith(busy)
    for call in ("run()", "finish()", "cancel(file)", "check(job=file)", "hm"):
        step = take(world, held, call)
        assert [refusal.code for refusal in step.refusals] == [
            "unreadable" if call == "hm" else "attention_taken"
        ]
        # It is a minute of silence: no call is counted, and the work goes on.
        assert step.state == take(world, held, Idle(1)).state == take(world, held, "wait()").state
    filed = take(world, held, "wait()", "wait()").state
    assert (filed.minute, filed.filed, filed.decisions) == (3, (Done("file", 3, True),), 1)


def test_a_wait_is_a_minute_and_no_call() -> None:
    world = always(day([FILE]))
    state = world.start()
    for call in ("wait()", "wait(minutes=20)", "wait(until=09:30, wakes=none)"):
        state = take(world, state, call).state
    assert (state.minute, state.decisions, state.feedback.kind) == (3, 0, "waited")
    waits = [option.decision for option in world.menu(state, AGENT).options if option.passes]
    assert waits == [A_MINUTE]
    assert "wait ends after 1 min" in world.briefing(AGENT)


def test_nobody_knows_what_a_check_finds_before_it_is_over() -> None:
    """0-1 run, to 6 in silence; two days in which it takes 5 minutes, and 8. Checked from 7 to 11."""
    found = []
    for runs in ([5], [8]):
        world = always(day([{**SILENT, "runs": runs}, {**FILE, "deliverable": {}}]))
        state = take(world, world.start(), "run()", *[A_MINUTE] * 6, "check(run)").state
        seen = []
        while state.held:
            step = take(world, state, Idle(1))
            seen.append((world.observe(state, AGENT), world.menu(state, AGENT), world.scene(state, AGENT)))
            seen.append(world.known(AGENT, state, step.events, step.state) if step.state.held else ())
            state = step.state
        found.append((seen, state))
    (one, ended), (other, going_on) = found
    assert one == other and (ended.minute, going_on.minute) == (11, 11)
    assert ended.news == (Telling(11, "end", "run", "ok"),) and not going_on.news
    assert [run.asked for run in going_on.runs] == [7]


def test_the_beginning_of_a_check_does_not_tell_its_seat_whether_it_is_in_vain() -> None:
    world = always(day([SILENT, {**FILE, "deliverable": {}}]))
    before = take(world, world.start(), "run()").state
    step = take(world, before, "check(run)")
    assert [(event.what, event.kind) for event in step.events] == [("start", "wait")]
    assert world.known(AGENT, before, step.events, step.state) == ()


def test_what_is_told_while_a_call_goes_on_is_told_with_what_comes_of_it() -> None:
    """A request at 2 within hands from 0 to 3 is news at once; one at 4, after that, is yet to be shown."""
    door = {
        "name": "door",
        "at": 2,
        "window": 9,
        "text": "which?",
        "answer": "left",
        "choices": ["left", "no"],
    }
    world = always(
        day([FILE, {"tool": "run", "deliverable": {}}], requests=[door, {**door, "name": "bell", "at": 4}])
    )
    held = take(world, world.start(), "file()", Idle(1)).state
    assert held.news == (Telling(2, "request", "door"),) and not held.unshown
    after = take(world, held, Idle(3)).state
    assert [told.name for told in after.news] == ["door", "file"]
    assert after.unshown == (Telling(4, "request", "bell"),)


def test_an_answer_counts_when_it_is_given_and_not_before() -> None:
    door = {"name": "door", "at": 0, "window": 4, "text": "which?", "answer": "left", "hands": 3}
    world = always(day([FILE], requests=[door]))
    step = take(world, world.start(), Reply("door", "left"))
    assert world.outcome(step.state).numbers["score"] == 0 and [e.what for e in step.events] == ["start"]
    given = take(world, step.state, Idle(2))
    assert world.outcome(given.state).numbers["score"] == 50
    assert [(e.time, e.what) for e in given.events] == [(3, "delivered"), (3, "end"), (3, "score")]


def test_play_ends_when_the_attention_is_free_or_the_desk_closes() -> None:
    """All is done at 3 of 1 to 5: a check in vain of what does not count holds until then."""
    spare = {"tool": "spare", "runs": [9]}
    file = day([{"tool": "run", "runs": [2], "deliverable": {}}, spare])
    world = always(file)
    state = take(world, world.start(), "run()", "spare()", "check(job=spare)", Idle(1)).state
    assert (state.minute, state.closed, world.rulebook.is_done(state)) == (4, "", True)
    assert take(world, state, Idle(9)).state.closed == "done"
    assert take(world, state, Idle(9)).state.minute == 6
    shut = Desk(world.id, world.scenario, world.rules, Limits(4))
    cut = take(shut, shut.start(), "run()", "spare()", "check(job=spare)", Idle(1)).state
    assert (cut.minute, cut.closed, cut.held) == (4, "done", False)


def test_what_is_left_to_do_is_told_of_the_moment_at_which_the_attention_is_free() -> None:
    """0-3 file, 3-4 run, which ends at 9: at 1, too, nothing can be begun before 3."""
    world = always(day([FILE, {"tool": "run", "runs": [5], "deliverable": {}}]))
    left = world.remaining(take(world, world.start(), "file()").state)
    assert left.now == 3 and [each.name for each in left.problem.activities] == ["run"]


# --- whole plays ----------------------------------------------------------------------------------------


def test_the_proven_plan_is_played_minute_by_minute() -> None:
    """30 minutes are 30 decisions. The ten calls of the plan take 1 + 2 + 1 + 3 + 2 + 1 + 4 + 3 + 3 + 1 = 21
    minutes of hands; its two waits take 4 + 5 = 9. Events differ in how many calls were made before."""
    plan = CLOCKED.plan(CLOCKED.scenario.optimum.starts)  # type: ignore[union-attr]
    calls = [each for each in plan if each != A_MINUTE]
    assert (len(plan), len(calls)) == (30, 10)
    turns, clock = (played(f"desk/made/counter{asks}", "oracle") for asks in ("", "@asks=always"))
    assert (len(turns.entries), len(clock.entries)) == (12, 30)
    assert turns.ending.numbers == clock.ending.numbers == {"minutes": 30, "score": 100.0, "completed": 1}  # type: ignore[union-attr]
    happened = [[(e.time, e.what, e.lane, e.label, e.kind) for e in one.events()] for one in (turns, clock)]
    assert happened[0] == happened[1]
    assert verify(clock).steps == 30


@pytest.mark.parametrize("agent", ["oracle", "eager", "critical", "polling", "greedy"])
@pytest.mark.parametrize("id", ["desk/made/counter", "desk/made/lab"])
def test_who_waits_for_notes_alone_measures_the_same_in_either(agent: str, id: str) -> None:
    turns, clock = (scoring.measure(played(f"{id}{asks}", agent)) for asks in ("", "@asks=always"))
    assert turns == clock and turns["minutes"] >= turns["optimum"]


def test_thought_takes_time_by_the_clock_as_well() -> None:
    """A third of a minute is carried from call to call, and waits go in thought: the plan ends two later."""
    none, some = (played("desk/made/counter@asks=always", "oracle", latency) for latency in ("0", "20"))
    assert (none.ending.numbers["minutes"], some.ending.numbers["minutes"]) == (30, 32)  # type: ignore[union-attr]
    slow = played("desk/made/counter@asks=always", "eager", "60")
    assert verify(slow).steps == len(slow.entries)
    asked = [entry for entry in slow.entries if not entry.answers[AGENT].silent]
    assert not any(refusal.code == "attention_taken" for entry in slow.entries for refusal in entry.refusals)
    assert len(asked) < len(slow.entries)


def test_the_problem_is_the_same_and_its_plan_is_played() -> None:
    world = always(day([SILENT, FILE]))
    pytest.importorskip("ortools")
    found = solve_world(world, Request())
    # run 0-1 to 6, file 1-4, check 6-10: each minute is a decision.
    assert (found.status, found.objective, len(found.plan)) == ("optimal", 10, 10)


def test_drawn_attempts_are_played_by_the_clock() -> None:
    pytest.importorskip("ortools")
    turns, clock = (played(f"desk/made/counter@{asks}draws=seed", "oracle") for asks in ("", "asks=always,"))
    assert turns.ending.numbers == clock.ending.numbers  # type: ignore[union-attr]


# --- what it is called ----------------------------------------------------------------------------------


def test_a_desk_says_whether_it_goes_by_the_clock() -> None:
    turns = registry.world("desk/made/counter")
    assert isinstance(CLOCKED, Clocked) and CLOCKED.clock_option == ("asks", "always")
    assert (CLOCKED.tick_seconds, turns.tick_seconds) == (2.0, None)
    assert registry.world("desk/made/counter@asks=free").id == "desk/made/counter"
    assert CLOCKED.scenario.optimum == turns.scenario.optimum
    assert not CLOCKED.occupied(CLOCKED.start(), AGENT)
    with pytest.raises(UnknownName, match="did you mean always"):
        registry.world("desk/made/counter@asks=allways")


def test_ticks_of_the_day_are_shorter_than_those_of_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    for seconds in (0.0, 61.0):
        monkeypatch.setattr("backburner.worlds.desk.game.world.TICK_SECONDS", seconds)
        with pytest.raises(AssertionError, match="a tick of 60000000 microseconds lasts"):
            check_world(CLOCKED, episodes=1)
