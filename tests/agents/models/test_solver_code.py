"""Programs of a model: what is let through, how they are run, and what of them is read and played."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from backburner.agents.models import ScriptedModel, model_policy
from backburner.agents.models.client import Message
from backburner.agents.models.formalisation import stated
from backburner.agents.models.policy import policy_in_record, runs_programs
from backburner.agents.models.solver_code import Ran, program_in, program_of, run
from backburner.agents.models.stand_in import StandIn
from backburner.evaluation.scoring.formalised import comparison_of, thoughts_of
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import Episode
from backburner.kernel.errors import Refused
from backburner.kernel.oracle import solve_world
from backburner.kernel.play import play_now

RICE = registry.world("timearena/cooking1")
BEST = solve_world(RICE)
METHOD = "formalise@allow_solver_code=yes,target=minizinc"

real = pytest.mark.skipif(not shutil.which("minizinc"), reason="needs: apt install minizinc")

FAKE = """#!{python}
import os, sys, time
*flags, path = sys.argv[1:]
assert flags == ["--time-limit", "20000"] and os.environ["TMPDIR"] == os.path.dirname(path) == os.getcwd()
text = open(path).read()
with open({seen!r}, "a") as seen:
    seen.write(text + "\\0")
for line in text.splitlines():  # its programs are of Python, in comments
    if line.startswith("% "):
        exec(line[2:])
"""
"""A solver that runs the comments of a program instead of it."""

Answers = Callable[[], list[str]]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Answers:
    """MiniZinc as a stand-in; what it was given to solve."""
    program, seen = tmp_path / "minizinc", tmp_path / "seen"
    program.write_text(FAKE.format(python=sys.executable, seen=str(seen)), "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return lambda: seen.read_text("utf-8").split("\0")[:-1]


def printing(**more: Any) -> str:
    """A program of the stand-in, that prints the best schedule of what is true."""
    activities = stated(RICE).activities
    number = {each.name: place for place, each in enumerate(activities, 1)}
    told = {
        "decisions": [each.start for each in activities],
        "duration": [each.duration for each in activities],
        "hands": [each.duration if each.hands is None else each.hands for each in activities],
        "before": [[number[name], number[each.name]] for each in activities for name in each.after],
        "start": [(BEST.starts or {})[each.name] for each in activities],
        **more,
    }
    return f"% print('hello'); print('backburner: ' + {json.dumps(told)!r}); print('-' * 10)"


def played(*said: str, method: str = METHOD, asked: list[str] | None = None) -> Episode:
    """An episode whose model thinks, then answers with these, then always waits."""
    answers = ["I think.", *said]

    def answer(messages: tuple[Message, ...]) -> str:
        number = sum(message.role == "assistant" for message in messages)
        if asked is not None:
            asked.append(messages[-1].content)
        return answers[number] if number < len(answers) else "wait"

    return play_now(RICE, model_policy(method, RICE, ScriptedModel(answer)))


# --- what is let through -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('include "/etc/passwd";', "beginning of lines alone"),
        ('include "../secret.mzn";', "beginning of lines alone"),
        ('include "secret.mzn";', "unknown file to include 'secret.mzn'"),
        ('include "gecode.mzn";', "unknown file to include"),
        ('include "table.mzn"; include "/etc/passwd";', "beginning of lines alone"),
        ('int: n = 1; include"/etc/passwd";', "beginning of lines alone"),
        ('include\n"/etc/passwd";', "beginning of lines alone"),
        ('include /* "table.mzn"; */ "/etc/passwd";', "beginning of lines alone"),
        ('```\ninclude "x.dzn";\n```', "beginning of lines alone"),
        ("%" * 200_001, "at most 200000 bytes"),
    ],
)
def test_nothing_but_the_library_is_included(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        program_in(text)


def test_a_program_stands_in_its_first_fence_or_is_all_of_the_answer() -> None:
    program = 'include "cumulative.mzn";\nsolve satisfy;'
    assert program_in(program) == program
    assert program_in(f"Here:\n```minizinc\n{program}\n```\nI hope so.\n```\nx\n```").strip() == program


@pytest.mark.parametrize(
    ("method", "why"),
    [
        ("formalise@target=minizinc", "if you allow it: allow_solver_code=yes"),
        ("formalise@target=minizinc,allow_solver_code=no", "if you allow it"),
        (METHOD, "minizinc is not installed"),
    ],
)
def test_without_consent_or_solver_it_is_refused_before_the_first_step(
    method: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Refused, match=why):
        model_policy(method, RICE, ScriptedModel(["x"]))


def test_whoever_looks_at_a_record_runs_nothing_of_it(fake: Answers) -> None:
    player = played(printing()).header.players["agent"]
    assert player.settings["choices"]["allow_solver_code"] == "yes"
    with pytest.raises(Refused, match="nobody does who only looks"):
        policy_in_record(player.settings, RICE, ScriptedModel(["x"]))
    assert runs_programs(METHOD) and not runs_programs("formalise@repairs=1") and not runs_programs("react")
    assert "target" not in model_policy("formalise", RICE, ScriptedModel(["x"])).settings["choices"]


# --- played ------------------------------------------------------------------------------------------------


def test_what_a_program_declares_is_played_and_scored_and_nothing_else_is(fake: Answers) -> None:
    episode = played(f"```minizinc\n{printing()}\n```")
    assert episode.ending is not None and episode.ending.numbers["minutes"] == BEST.objective
    assert thoughts_of(episode, "schedule") == [f"{BEST.objective} minutes"]
    assert thoughts_of(episode, "program")[0].strip() == printing()
    found = comparison_of(episode)
    assert found is not None
    assert {found.activities.f1, found.precedence.f1, found.durations.f1, found.hands.f1} == {1.0}
    assert found.sharing.f1 is found.lags.f1 is None
    (given,) = fake()
    assert 'showJSON(decisions), ", "' in given and "constraint" not in given
    check(episode)


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("% sys.exit('Warning: x\\nError: undefined identifier')", "Error: undefined identifier"),
        ("% print('=====UNSATISFIABLE=====')", "no schedule keeps all constraints"),
        ("% print('=====UNKNOWN=====')", "the solver finds no schedule within 20 s"),
        ("% pass", "the solver prints no schedule"),
        ("% print('backburner: {')", "what the arrays hold cannot be read"),
        (printing(duration=[1]), "duration has 1 values, and decisions has 8"),
        (printing(start=[-1]), r"what the arrays hold cannot be read: .*\$.start\[0\]"),
        (printing(before=[[1, 9]]), r"before: \[1, 9\], and there are activities 1 to 8"),
        (printing(before=[[1, 1]]), r"after: unknown activity"),
        ("% print('x' * (1 << 23) * 2)", "ends with exit status|writes more than"),
        ('include "/etc/passwd";', "beginning of lines alone"),
    ],
)
def test_what_is_wrong_is_told_and_corrected(fake: Answers, program: str, why: str) -> None:
    asked: list[str] = []
    episode = played(program, printing(), asked=asked)
    (told,) = [text for text in asked if "leads to no schedule" in text]
    assert re.search(why, told)
    assert "backburner-" not in told and "Warning" not in told
    assert episode.ending is not None and episode.ending.numbers["minutes"] == BEST.objective


def test_without_repairs_the_model_decides_by_itself(fake: Answers) -> None:
    episode = played("% pass", method=f"{METHOD},repairs=0")
    assert episode.ending is not None and not thoughts_of(episode, "schedule")


def test_a_refusal_is_told_and_what_is_begun_stays_where_it_is(fake: Answers) -> None:
    """What is done last is believed to be possible at 3: it is refused, and the program mended."""
    starts = BEST.starts or {}
    last = max(starts, key=lambda name: starts[name])
    wrong = [3 if each.name == last else starts[each.name] for each in stated(RICE).activities]
    asked: list[str] = []
    episode = played(printing(start=wrong), printing(), asked=asked)
    assert episode.ending is not None and episode.ending.numbers["completed"] == 1
    assert len([text for text in asked if "was refused" in text and "The program as it stands" in text]) == 1
    _, second = fake()
    assert "constraint forall(i in index_set(start))" in second


# --- by MiniZinc itself -----------------------------------------------------------------------------------


@real
def test_minizinc_runs_what_the_page_shows_and_what_is_begun_stays() -> None:
    """Kettle 0 to 1, boiling 1 to 5, lemon beside it, tea at 5; begun at 1 and 2, and now it is 3: tea at 6.
    Slicing twice: the second one is another activity."""
    folder = files("backburner.agents.models") / "templates" / "programs" / "formalise"
    program = program_in(folder.joinpath("example.jinja").read_text("utf-8"))
    found = run(program)
    assert found.starts["make tea"] == 5 and found.starts["boil kettle"] == 1
    again = run(program, found.problem, {"fill kettle": 1, "boil kettle": 2}, 3)
    assert again.starts == {"fill kettle": 1, "boil kettle": 2, "slice lemon": 3, "make tea": 6}
    twice = run(program.replace('"fill kettle"', '"slice lemon"'))
    assert list(twice.starts)[2] == "slice lemon (2)"
    later = run(program.replace('"fill kettle"', '"slice lemon"'), twice.problem, {"slice lemon (2)": 7}, 8)
    assert later.starts["slice lemon (2)"] == 7 and later.starts["slice lemon"] == 9  # slicing takes 2


@real
@pytest.mark.parametrize(
    ("wrong", "why"), [("hand", "undefined identifier"), ("hands = [", "syntax error"), ("", "decisions")]
)
def test_minizinc_says_what_is_wrong(wrong: str, why: str) -> None:
    with pytest.raises(Refused, match=why) as caught:
        run(f"array[1..1] of int: {wrong or 'x'} = [1];\nsolve satisfy;")
    assert "model.mzn" in str(caught.value) and "/" not in str(caught.value).partition("model.mzn")[0]


@real
def test_the_stand_in_writes_a_program_that_minizinc_solves() -> None:
    ran: Ran = run(program_of(stated(RICE), "minutes"))
    assert set(ran.starts) == {each.start for each in stated(RICE).activities}
    episode = play_now(RICE, model_policy(METHOD, RICE, StandIn(skill=1)))
    assert episode.ending is not None and episode.ending.numbers["minutes"] == BEST.objective
