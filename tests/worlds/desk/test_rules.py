"""What follows from each call, at the edges of minutes; the day is written out in a line or two each time."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from backburner.kernel.values import Fault
from backburner.worlds.desk.game.scenarios import LEVELS
from backburner.worlds.desk.game.state import Cancel, Check, Done, Idle, Reply, Start, State, Telling, Wait
from backburner.worlds.desk.game.transition import AGENT
from support.desk.days import day, take, world_of

RUN = {"tool": "run", "runs": [5]}
SILENT = {**RUN, "silent": True, "told": {"least": 2, "most": 9}}
FILE = {"tool": "file", "deliverable": {"deadline": 9}}
DOOR = {
    "name": "door",
    "at": 3,
    "window": 4,
    "text": "which?",
    "answer": "left",
    "choices": ["left", "right"],
}


def refused(world, state: State, call: str | object) -> tuple[str, Fault, int]:
    """(code, family, minutes that it cost) of a call that is refused, and changes nothing else."""
    step = take(world, state, call)
    (refusal,) = step.refusals
    assert step.state.runs == state.runs and step.state.filed == state.filed
    return refusal.code, refusal.fault, step.state.minute - state.minute


# --- waiting ------------------------------------------------------------------------------------------------


def test_no_wake_up_is_lost() -> None:
    world = world_of(day([{**RUN, "deliverable": {}}, FILE]))
    begun = take(world, world.start(), "run()").state  # 0-1, ends at 6
    thought = take(world, begun, Idle(7)).state
    assert thought.minute == 8 and thought.news == begun.news
    assert [told.name for told in thought.unshown] == ["run"]
    # The end came while the seat thought about a wait for it: the wait is over at once, and tells it.
    for wait in (Wait(), Wait(wakes=("run",)), Wait(minutes=20, wakes=("info",))):
        woken = take(world, thought, wait).state
        assert (woken.minute, woken.news, woken.unshown) == (8, thought.unshown, ())
    assert take(world, thought, Wait(minutes=3, wakes=("urgent",))).state.minute == 11
    # Any other call is told it as well, and then it wakes nobody any more.
    filed = take(world, thought, "file()").state
    assert [told.name for told in filed.news] == ["run", "file"]


def test_what_was_told_before_a_call_wakes_nobody_after_it() -> None:
    world = world_of(day([{**RUN, "deliverable": {}}, {**FILE, "hands": 8}], requests=[{**DOOR, "at": 90}]))
    told = take(world, world.start(), "run()", "file()").state
    assert told.news[0] == Telling(6, "end", "run", "ok")
    assert refused(world, told, "wait(wakes=run)")[:2] == ("no_such_wait", Fault.MISMATCH)


def test_a_wait_for_what_never_comes_does_not_sleep_to_the_horizon() -> None:
    world = world_of(day([FILE]))
    state = take(world, world.start(), "wait()").state
    assert (state.minute, state.closed) == (30, "")
    assert take(world, state, "wait(minutes=500)").state.minute == 60


def test_a_wait_ends_with_the_first_of_its_time_and_what_wakes_it() -> None:
    notices = [{"at": 2, "level": "info", "sender": "a", "text": "b"}]
    world = world_of(day([RUN, FILE], requests=[DOOR], notices=notices))
    for call, minute in {
        "wait(wakes=info)": 2,
        "wait()": 3,
        "wait(minutes=1)": 1,
        "wait(until=09:04, wakes=none)": 4,
        "wait(wakes=urgent, minutes=9)": 9,
    }.items():
        assert take(world, world.start(), call).state.minute == minute
    assert LEVELS == ("info", "note", "urgent")


# --- draws --------------------------------------------------------------------------------------------------


def test_a_cancel_cheats_no_failure() -> None:
    world = world_of(day([{**SILENT, "runs": [5, 3], "deliverable": {}}]))
    for minutes in (1, 5, 9):  # before it fails at 6, and after it has in silence
        again = take(world, world.start(), "run()", Wait(minutes, wakes=()), "cancel(run)", "run()").state
        assert again.runs[0].attempt == 0 and again.runs[0].number == 2
        assert again.runs[0].end == again.minute + 5
    # It is told as failed by a check alone; then the second attempt takes 3.
    failed = take(world, world.start(), "run()", Wait(5, wakes=()), "check(run)").state
    assert failed.news == (Telling(10, "end", "run", "failed"),)
    assert take(world, failed, "run()").state.runs[0].end == 10 + 1 + 3


def test_what_is_given_wrongly_is_rejected_at_its_end_and_uses_up_no_draw() -> None:
    fields = {"kinds": [{"name": "n"}], "inputs": {"n": 7}}
    world = world_of(day([{**RUN, "runs": [5, 3], **fields}, FILE]))
    state = take(world, world.start(), "run(n=8)", Wait(5)).state
    assert state.news[-1] == Telling(6, "end", "run", "rejected")
    assert take(world, state, "run(n=7)").state.runs[0].attempt == 0


def test_nobody_guesses_before_the_inputs_are_known() -> None:
    sheet = {"columns": ["n"], "rows": [[7]]}
    right = {"by": "table", "take": "cell", "of": "run", "column": "n"}
    fields = {"kinds": [{"name": "n"}], "inputs": {"n": right}, "needs": ["run"]}
    request = {**DOOR, "answer": right, "choices": []}
    world = world_of(day([{**RUN, "yields": sheet}, {**FILE, **fields}], requests=[request]))
    begun = take(world, world.start(), "run()", Wait(2)).state
    assert refused(world, begun, "file(n=7)")[:2] == ("input_missing", Fault.MISSING_PREREQUISITE)
    assert refused(world, begun, "reply(to=door, value=7)")[:2] == (
        "input_missing",
        Fault.MISSING_PREREQUISITE,
    )
    told = take(world, begun, Wait()).state
    assert take(world, told, "file(n=7)").state.filed == (Done("file", 7, True),)


def test_what_is_filed_or_answered_wrongly_is_final_and_nobody_says_so() -> None:
    fields = {"kinds": [{"name": "n"}], "inputs": {"n": 7}}
    world = world_of(day([{**FILE, **fields}, RUN], requests=[DOOR]))
    one, other = (take(world, world.start(), f"file(n={n})").state for n in (7, 8))
    assert world.observe(one, AGENT) == world.observe(other, AGENT)
    assert refused(world, other, "file(n=7)")[0] == "already_done"
    answered = [
        take(world, one, Wait(2, wakes=()), f"reply(door, {said})").state for said in ("left", "right")
    ]
    assert world.observe(answered[0], AGENT) == world.observe(answered[1], AGENT)
    assert [world.rulebook.served(state) for state in answered] == [2, 1]
    events = take(world, world.start(), "file(n=7)").events
    assert any(event.what == "score" for event in events)
    assert not any(event.what == "score" for event in world.known(AGENT, world.start(), events, one))


# --- the very minute ----------------------------------------------------------------------------------------


def test_a_check_shows_how_things_stood_when_it_began() -> None:
    world = world_of(day([{**SILENT, "deliverable": {}}]))
    early = take(world, world.start(), "run()", Wait(4, wakes=()), "check(run)")  # begun at 5, ends at 6
    assert early.state.feedback.kind == "wasted" and not early.state.news and early.state.minute == 9
    assert {event.kind for event in early.events if event.lane == AGENT} == {"wait"}
    late = take(world, world.start(), "run()", Wait(5, wakes=()), "check(run)").state
    assert late.news == (Telling(10, "end", "run", "ok"),) and late.closed == "done"


def test_a_resource_is_freed_and_taken_in_one_minute() -> None:
    world = world_of(day([{**RUN, "resource": "desk lamp"}, {**FILE, "resource": "desk lamp"}]))
    begun = take(world, world.start(), "run()").state
    step = take(world, begun, Wait(4), "file()")  # at 5
    assert step.refusals[0].code == "resource_busy" and step.refusals[0].get("by") == ("run",)
    assert not take(world, begun, Wait(5), "file()").refusals  # at 6


def test_who_is_told_nothing_of_an_end_may_try_and_learns_no_end_by_a_refusal() -> None:
    jobs = [{**SILENT, "resource": "lamp"}, {**FILE, "resource": "lamp"}]
    world = world_of(day(jobs))
    busy = take(world, world.start(), "run()", "file()")
    assert (busy.refusals[0].get("least"), busy.refusals[0].get("most")) == (3, 10)  # 1 + 2 to 9
    ended = take(world, world.start(), "run()", Wait(6, wakes=())).state
    listed = [option.label for option in world.menu(ended, AGENT).options]
    assert "file()" not in listed and not take(world, ended, "file()").refusals


def test_a_deadline_at_the_very_minute_counts() -> None:
    world = world_of(day([{**FILE, "hands": 2}]))
    kept = take(world, world.start(), Wait(7, wakes=()), "file()")
    assert kept.state.filed == (Done("file", 9, True),) and world.rulebook.served(kept.state) == 1
    assert [event.what for event in kept.events if event.label == "file"] == ["delivered"]
    late = take(world, world.start(), Wait(8, wakes=()), "file()")
    assert world.rulebook.served(late.state) == 0
    assert [event.what for event in late.events if event.label == "file"] == ["expired", "delivered"]


def test_an_answer_at_the_very_end_of_its_window_counts() -> None:
    world = world_of(day([FILE], requests=[{**DOOR, "hands": 2}]))
    waited = take(world, world.start(), Wait(5, wakes=())).state
    assert take(world, waited, "reply(door, left)").state.answered == (Done("door", 7, True),)
    late = take(world, world.start(), Wait(6, wakes=())).state
    assert refused(world, late, "reply(door, left)") == ("too_late", Fault.TIMING, 1)


def test_two_requests_at_one_minute_are_told_together_and_answered_one_after_the_other() -> None:
    window = {**DOOR, "name": "window", "window": 2}
    world = world_of(day([FILE], requests=[DOOR, window]))
    told = take(world, world.start(), "wait()").state
    assert [each.name for each in told.news] == ["door", "window"] and told.minute == 3
    both = take(world, told, "reply(window, left)", "reply(door, left)").state
    assert [(done.name, done.minute) for done in both.answered] == [("window", 4), ("door", 5)]


def test_a_request_during_hands_is_told_when_they_are_free() -> None:
    world = world_of(day([{**FILE, "hands": 5}], requests=[{**DOOR, "window": 3}]))
    filed = take(world, world.start(), "file()").state
    assert filed.news == (Telling(5, "end", "file", "ok"), Telling(3, "request", "door"))[::-1]
    assert take(world, filed, "reply(door, left)").state.answered == (Done("door", 6, True),)
    lost = take(world, filed, Wait(3, wakes=())).state
    assert (lost.minute, lost.closed, world.rulebook.completed(lost)) == (6, "done", False)


# --- jobs that ask ------------------------------------------------------------------------------------------

ASKS = {**RUN, "resource": "lamp", "pause": {"after": 2, "question": "so?", "answer": "yes", "hands": 2}}


def test_a_job_that_asks_gives_its_resource_back_until_it_goes_on() -> None:
    world = world_of(day([{**ASKS, "silent": True, "deliverable": {}}, {**FILE, "resource": "lamp"}]))
    asks = take(world, world.start(), "run()", Wait()).state  # 0-1, asks at 3; told although it is silent
    assert asks.news == (Telling(3, "pause", "run"),) and asks.minute == 3
    filed = take(world, asks, "file()").state
    on = take(world, filed, "reply(to=run, value=yes)").state  # 4-6, and 3 minutes are left
    assert (on.minute, on.runs[0].end, on.runs[0].answered) == (6, 9, True)
    assert refused(world, on, "reply(to=run, value=yes)")[0] == "already_answered"


def test_a_wrong_reply_to_a_job_is_found_out_at_its_end() -> None:
    world = world_of(day([ASKS, {**FILE, "needs": ["run"]}]))
    state = take(world, world.start(), "run()", Wait(), "reply(run, no)", Wait()).state
    assert state.news[-1] == Telling(8, "end", "run", "rejected")


# --- refusals -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "code", "fault"),
    [
        ("hm?", "unreadable", Fault.UNREADABLE),
        ("file() or run()", "several_calls", Fault.UNREADABLE),
        ("fly()", "unknown_tool", Fault.UNKNOWN_THING),
        ("read(other)", "unknown_subject", Fault.UNKNOWN_THING),
        (Check("flight"), "unknown_job", Fault.UNKNOWN_THING),
        (Wait(wakes=("flight",)), "unknown_job", Fault.UNKNOWN_THING),
        (Reply("window", "left"), "unknown_request", Fault.UNKNOWN_THING),
        ("file(n=many)", "bad_input", Fault.MISMATCH),
        ("file()", "bad_input", Fault.MISMATCH),
        ("file(n=7, m=8)", "bad_input", Fault.MISMATCH),
        (Start("file", inputs=(("n", 7), ("n", 7))), "bad_input", Fault.MISMATCH),
        ("reply(door, middle)", "bad_input", Fault.MISMATCH),
        ("run()", "already_running", Fault.ALREADY_DONE),
        ("rest()", "already_done", Fault.ALREADY_DONE),
        ("sign()", "input_missing", Fault.MISSING_PREREQUISITE),
        ("check(rest)", "not_running", Fault.MISMATCH),
        (Cancel("file"), "not_running", Fault.MISMATCH),
        ("wait(minutes=0)", "no_such_wait", Fault.MISMATCH),
        ("wait(until=09:02)", "no_such_wait", Fault.MISMATCH),
        ("wait(wakes=run)", "no_such_wait", Fault.MISMATCH),
        ("wait(wakes=rest)", "no_such_wait", Fault.MISMATCH),
        ("wait(wakes=file)", "no_such_wait", Fault.MISMATCH),
        (None, "unreadable", Fault.UNREADABLE),
    ],
)
def test_a_refusal_has_its_code_and_family_and_costs_a_minute(call, code: str, fault: Fault) -> None:
    jobs = [
        SILENT,
        {**FILE, "kinds": [{"name": "n"}], "inputs": {"n": 7}},
        {"tool": "rest"},
        {"tool": "sign", "needs": ["run"]},
        {"tool": "read", "subject": "list"},
    ]
    file = day(jobs, requests=[DOOR, {**DOOR, "name": "window", "at": 9}])
    file["tools"][4]["subject"] = "what"
    world = world_of(file)
    state = take(world, world.start(), "run()", "rest()", Wait(1)).state
    assert state.minute == 3
    assert refused(world, state, call) == (code, fault, 1)
    told = world.describe(world.observe(take(world, state, call).state, AGENT))
    assert "refused." in told and "Refused:" not in told


def test_limits_end_play_when_the_desk_closes() -> None:
    world = world_of(day([{**FILE, "hands": 5}], requests=[DOOR]), "article")
    assert (world.limits.minutes, world.limits.decisions) == (2 * (3 + 6), 40)
    shut = replace(world.limits, minutes=4)
    closed = type(world)(world.id, world.scenario, world.rules, shut)
    step = take(closed, closed.start(), "file()")
    assert (step.state.minute, step.state.closed, step.state.filed) == (4, "out of time", ())
    tired = type(world)(world.id, world.scenario, world.rules, replace(world.limits, decisions=2))
    assert take(tired, tired.start(), "hm", "hm").state.closed == "out of decisions"
    left = take(world, world.start(), "finish()").state
    assert world.outcome(left).status == "ended" and left.closed == "left"


# --- what was found by readers of the rules -----------------------------------------------------------------


def test_what_was_filed_first_is_final_though_its_end_was_not_told() -> None:
    """Nobody is told that it ended: who cancels and begins it again does not file it again."""
    inputs = {"kinds": [{"name": "n"}], "inputs": {"n": 7}, "deliverable": {"deadline": 60}}
    world = world_of(day([{**SILENT, **inputs}]))
    wrong = take(world, world.start(), "run(n=8)", Wait(9, wakes=()), "cancel(run)").state
    assert [(done.name, done.right) for done in wrong.filed] == [("run", False)]
    again = take(world, wrong, "run(n=7)", Wait(9, wakes=()), "check(run)").state
    assert [(done.name, done.right) for done in again.filed] == [("run", False)]
    assert world.outcome(again).numbers["score"] == 0


def test_no_refusal_tells_what_a_job_will_ask() -> None:
    asks = {"after": 4, "question": "Which?", "answer": "left", "choices": ["left", "right"]}
    world = world_of(day([{**RUN, "pause": asks}, {"tool": "other", "runs": [5]}, FILE]))
    both = take(world, world.start(), "run()", "other()").state
    codes = {name: refused(world, both, f"reply(to={name}, value=sideways)")[0] for name in ("run", "other")}
    assert codes == {"run": "unknown_request", "other": "unknown_request"}


def test_no_wait_tells_whether_a_silent_job_will_ask() -> None:
    asks = {"after": 4, "question": "Which?", "answer": "left", "choices": ["left", "right"]}
    world = world_of(day([{**SILENT, "pause": asks}, {**SILENT, "tool": "other"}, FILE]))
    both = take(world, world.start(), "run()", "other()").state
    for name in ("run", "other"):
        assert refused(world, both, f"wait(wakes={name})")[0] == "no_such_wait"


def test_events_of_a_silent_deliverable_do_not_tell_the_seat_whether_it_has_ended() -> None:
    def seen(run: int) -> list[tuple[int, str, str]]:
        file = day([{**SILENT, "runs": [run], "deliverable": {"deadline": 8}}, FILE])
        world = world_of(file)
        before = take(world, world.start(), "run()").state
        found = []
        for call in (Wait(8, wakes=()), "cancel(run)"):
            step = take(world, before, call)
            known = world.known(AGENT, before, step.events, step.state)
            found += [(event.time, event.what, event.label) for event in known]
            before = step.state
        return found

    assert seen(3) == seen(9)


def test_a_wait_for_a_time_that_passed_in_thought_is_over_if_something_came_meanwhile() -> None:
    world = world_of(day([{**RUN, "deliverable": {}}, FILE]))
    thought = take(world, world.start(), "run()", Idle(9)).state
    woken = take(world, thought, Wait(until=8))
    assert woken.refusals == () and woken.state.minute == thought.minute


def test_a_question_that_was_answered_is_not_told_as_checked_before() -> None:
    asks = {"after": 2, "question": "Which?", "answer": "left", "choices": ["left", "right"]}
    world = world_of(day([{**RUN, "pause": asks, "deliverable": {}}, FILE]))
    state = take(world, world.start(), "run()", "check(run)", Wait(5), "reply(to=run, value=left)").state
    assert (state.runs[0].phase, state.runs[0].asked) == ("running", -1)
