"""Planners at the table: ours, and programs of every kind."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from backburner.agents.planner import FAULT, PLANNED
from backburner.agents.roster import check_plays, check_spec, make_policies
from backburner.agents.spec import AgentSpec
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.errors import BackburnerError
from backburner.kernel.oracle import solve_world
from backburner.kernel.play import play_now
from backburner.kernel.schedule import problem_of

TEA = "timearena/cooking1"

SERIAL = """
import json, os, sys, time
problem = json.load(open(sys.argv[1]))
starts, now, left = {}, 0, {each["name"]: each for each in problem["activities"]}
while left:  # one thing at a time, in any order that may be; what is begun ends at its deadline
    each = next(a for a in left.values() if not set(a.get("predecessors", ())) & left.keys())
    due = each.get("deadline")
    start = max(now, each.get("release", 0)) if due is None else due - each["duration"]
    starts[each["name"]], now = start, max(now, start + each["duration"])
    del left[each["name"]]
def answer(**said):
    json.dump(said, open(sys.argv[2], "w"))
"""
"""How a planner begins that knows a plan, and how it would say so."""

GOOD = "answer(starts=starts, makespan=now, proven=False)"


def command(
    folder: Path, body: str, *, head: str = SERIAL, words: tuple[str, ...] = ("{problem}", "{plan}")
) -> str:
    """A planner that is a program; its name."""
    (folder / "mine.py").write_text(head + body, "utf-8")
    (folder / "mine.json").write_text(json.dumps([sys.executable, "mine.py", *words]), "utf-8")
    return f"planner:command:{folder / 'mine.json'}"


def played(agent: str, id: str = TEA, seed: int = 0) -> Episode:
    world = registry.world(id)
    return play_now(world, make_policies(AgentSpec(agent), world), seed)


def thoughts(episode: Episode, purpose: str) -> list[str]:
    answers = [answer for entry in episode.entries for answer in entry.answers.values()]
    return [said.text for answer in answers for said in answer.thoughts if said.purpose == purpose]


def refused(agent: str, id: str = TEA) -> str:
    """What is told before the first step."""
    world = registry.world(id)
    with pytest.raises(BackburnerError) as caught:
        make_policies(AgentSpec(agent), world)
    with pytest.raises(BackburnerError) as again:
        check_spec(AgentSpec(agent))
        check_plays(AgentSpec(agent), world)
    assert str(again.value) == str(caught.value)
    return str(caught.value)


# --- ours --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("replan", ["refusal", "always"])
@pytest.mark.parametrize("id", [TEA, "recipe2plan/Tacos+Smore-Bars", "desk/made/counter", "projects/bakery"])
def test_ours_plays_what_the_oracle_finds_and_again_from_every_state(id: str, replan: str) -> None:
    world = registry.world(id)
    episode = played(f"planner:ours@replan={replan}", id)
    assert episode.ending is not None
    assert episode.ending.numbers[world.time_unit] == solve_world(world).objective
    assert not thoughts(episode, FAULT)
    assert len(thoughts(episode, PLANNED)) == (len(episode.entries) if replan == "always" else 1)


def test_it_looks_at_the_state_unless_its_seat_is_told_the_problem() -> None:
    told, kept = played("planner:ours", "projects/ft06"), played("planner:ours")
    assert (told.header.players["agent"].informed, kept.header.players["agent"].informed) == (False, True)
    assert told.header.players["agent"].settings == {"limit": "20", "replan": "refusal"}


# --- programs of one's own ---------------------------------------------------------------------------------


def test_a_program_plays_and_what_it_says_is_kept_beside_what_the_world_says(tmp_path: Path) -> None:
    # One thing at a time: the sum of all durations.
    episode = played(command(tmp_path, GOOD))
    world = registry.world(TEA)
    total = sum(each.duration for each in problem_of(world).activities)
    assert episode.ending is not None
    assert episode.ending.numbers["minutes"] == total
    (said,) = thoughts(episode, PLANNED)
    assert json.loads(said)["makespan"] == total
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mine.json", "mine.py"]


def test_a_program_plans_again_from_every_state(tmp_path: Path) -> None:
    once, always = played(command(tmp_path, GOOD)), played(f"{command(tmp_path, GOOD)}@replan=always")
    assert once.ending == always.ending
    assert len(thoughts(always, PLANNED)) == len(always.entries)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("raise ValueError('no pots')", "ends with exit status 1"),
        ("os.kill(os.getpid(), 11)", "killed by signal 11"),
        ("time.sleep(60)", "no plan within 1 s"),
        ("os.fork() or time.sleep(60)\ntime.sleep(60)", "no plan within 1 s"),
        ("while True: print('x' * 100_000)", "File too large"),
        ("open(sys.argv[2], 'w').write('[' * 10**5)", "its answer: not a plan"),
        ("open(sys.argv[2], 'wb').write(bytes([255]))", "its answer: not a plan"),
        ("open(sys.argv[2], 'w').write('{\"starts\": {\"a\": -1}}')", "its answer: not a plan"),
        ("os.mkfifo(sys.argv[2])", "is no regular file"),
        ("pass", "it leaves no plan"),
        ("answer(status='infeasible')", "it has no plan: infeasible"),
        ("answer(starts={'wash dsh': 0})", "unknown activity 'wash dsh' in its plan; did you mean"),
        ("del starts[max(starts)]\nanswer(starts=starts)", "its plan does not start"),
        ("bytearray(5 << 30)", "MemoryError"),
    ],
)
def test_whoever_fails_lets_time_pass_and_nothing_else_stops(tmp_path: Path, body: str, why: str) -> None:
    episode = played(f"{command(tmp_path, body)}@limit=1")
    assert episode.ending is not None
    assert (episode.ending.status, episode.ending.reason) == ("cut off", "time_limit")
    (told,) = thoughts(episode, FAULT)
    assert why in told
    assert len(told) < 600


def test_a_liar_is_refused_and_asked_again_until_it_is_refused_too_often(tmp_path: Path) -> None:
    lie = "answer(starts={name: 10 * n for n, name in enumerate(sorted(starts))}, makespan=1, proven=True)"
    episode = played(command(tmp_path, lie))
    assert episode.ending is not None
    assert episode.ending.numbers["completed"] == 0
    assert thoughts(episode, FAULT)


def test_nothing_that_a_program_has_started_is_left(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "heard")
    heard = os.open(tmp_path / "heard", os.O_RDONLY | os.O_NONBLOCK)
    child = (
        "import subprocess\nsubprocess.Popen('sleep 2; echo left', shell=True, stdout=open('heard', 'w'))\n"
    )
    assert not thoughts(played(command(tmp_path, f"{child}{GOOD}")), FAULT)
    os.set_blocking(heard, True)
    assert os.read(heard, 10) == b""  # whoever could have written is gone
    os.close(heard)


def test_a_model_of_minizinc_goes_out_and_what_is_printed_comes_back(tmp_path: Path) -> None:
    # A solver would print the start of each part: here all in a chain, in the order of the file.
    body = """
print("a1 0\\n----------")  # a first solution, which is not the last
now, text = 0, open(sys.argv[1]).read()
for n, line in enumerate(text.partition("duration = [")[2].partition("]")[0].split(","), 1):
    print(f"a{n} {now}")
    now += int(line)
print(f"makespan = {now};\\n----------\\n==========")
"""
    agent = command(tmp_path, body, head="import sys\n", words=("{problem}",))
    world = registry.world(TEA)
    total = sum(each.duration for each in problem_of(world).activities)
    episode = played(f"{agent}@format=minizinc")
    assert episode.ending is not None
    assert episode.ending.numbers[world.time_unit] == total
    (said,) = thoughts(episode, PLANNED)
    assert (json.loads(said)["makespan"], json.loads(said)["proven"]) == (total, True)


def test_durative_actions_go_out_in_two_files_and_a_line_for_each_comes_back(tmp_path: Path) -> None:
    body = """
import re
now = 0
domain = open(sys.argv[1]).read()
for name, duration in re.findall(r":durative-action (a\\d+).*?duration (\\d+)", domain, re.S):
    print(f"{now + 0.001:.3f}: ({name}) [{duration}.0]")
    now += int(duration)
assert "(:metric minimize (total-time))" in open(sys.argv[2]).read()
"""
    agent = command(tmp_path, body, head="import sys\n", words=("{domain}", "{problem}"))
    episode = played(f"{agent}@format=pddl2.1")
    total = sum(each.duration for each in problem_of(registry.world(TEA)).activities)
    assert episode.ending is not None
    assert (episode.ending.numbers["minutes"], thoughts(episode, FAULT)) == (total, [])


@pytest.mark.parametrize(
    ("agent", "id", "why"),
    [
        ("planner:our", TEA, "unknown planner 'our'; did you mean ours"),
        ("planner:lpg", TEA, "engine lpg is not installed"),
        ("planner:lpg@format=up", TEA, "unknown option 'format'"),
        ("planner:ours@limits=3", TEA, "unknown option 'limits' in method planner:ours; did you mean limit?"),
        ("planner:ours@format=up", TEA, "unknown option 'format'"),
        ("planner:ours@replan=sometimes", TEA, "unknown replan of method planner:ours 'sometimes'"),
        ("planner:command:none.json", TEA, "none.json: No such file"),
    ],
)
def test_what_is_no_planner_is_refused_before_the_first_step(agent: str, id: str, why: str) -> None:
    assert why in refused(agent, id)


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ('["python"]', "the command has no {problem}"),
        ('{"run": "python {problem}"}', "not a list of words"),
        ("[", "not a list of words"),
    ],
)
def test_a_command_that_is_none_is_refused(tmp_path: Path, written: str, why: str) -> None:
    (tmp_path / "mine.json").write_text(written, "utf-8")
    assert why in refused(f"planner:command:{tmp_path / 'mine.json'}")


def test_worlds_and_formats_that_cannot_be_planned_for_are_refused_before_the_first_step(
    tmp_path: Path,
) -> None:
    agent = command(tmp_path, GOOD)
    assert "no way to say" in refused(f"{agent}@format=psplib", "projects/bakery")
    assert "does not state its scenario" in refused(agent, "collab_overcooked/baked_bell_pepper")


def test_a_program_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('["no-such-planner", "{problem}"]', "utf-8")
    (told,) = thoughts(played(f"planner:command:{tmp_path / 'mine.json'}"), FAULT)
    assert "no-such-planner: " in told


def test_one_takes_part_in_a_team_and_thinks_for_as_long_as_it_is_said() -> None:
    assert AgentSpec("planner:ours+random").members == ("planner:ours", "random")
    late = played("planner:ours@limit=5@latency=60")
    assert late.header.players["agent"].name == "planner:ours@limit=5@latency=60"
