"""Models of MiniZinc: what is written comes back, and no model of anybody else is read.

That solvers find our optimum in them is tried where there are some, in integrations/planners.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from backburner.formats.files import exported, imported
from backburner.kernel.errors import BadFile, Refused
from backburner.kernel.schedule import Activity, Problem, Resource
from support.scheduling.tiny_problems import tiny_problem, with_windows


def drawn(random: Random) -> Problem:
    problem = with_windows(tiny_problem(random), random)
    return replace(
        problem, decision_ticks=random.choice([0, 1]), complete=random.random() < 0.5, unit="seconds"
    )


@given(st.randoms(use_true_random=False).map(drawn))
@settings(max_examples=60, deadline=None)
def test_every_problem_comes_back(tmp_path_factory: pytest.TempPathFactory, problem: Problem) -> None:
    file = tmp_path_factory.mktemp("m") / "a.mzn"
    file.write_bytes(exported(problem, "minizinc", strict=True).content)
    assert imported(file) == problem


TEA = Problem("minutes", (Activity('tea "x"\\', 3, 1, (), ("cup",)),), (Resource("cup"),), "all of it")


def test_other_data_of_our_model_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.mzn"
    text = exported(TEA, "minizinc").content.decode()
    assert text.isascii() and '% a1 = "tea \\"x\\"\\\\"' in text
    file.write_text(text.replace("duration = [3];", "duration = [5];"))
    assert imported(file).activities[0] == replace(TEA.activities[0], duration=5)


@pytest.mark.parametrize(
    ("old", "new", "error", "why"),
    [
        ("solve minimize", "solve maximize", Refused, "only as backburner writes it"),
        ("n = 1;", 'n = 1;\ninclude "/etc/passwd";', Refused, "only as backburner writes it"),
        ("n = 1;", "n = show(1);", BadFile, "data of this model"),
        ("n = 1;\n", "", BadFile, "missing required field `n`"),
        ("duration = [3]", "duration = [3, 4]", BadFile, "parameters do not fit together"),
        (
            "operator_time = [1]",
            "operator_time = [4]",
            BadFile,
            "field 'operator_time': 4; its duration is 3",
        ),
        ("n = 1;", "n = 99999999999;", BadFile, "Expected `int` <= 200000"),
        ("[1]);\nsets", "[-1]);\nsets", BadFile, "Expected `int` >= 0"),
        ("[1]);\nsets", "[200001]);\nsets", BadFile, "more than 200000 units"),
        ("predecessors = [{}]", "predecessors = [{2}]", BadFile, "unknown activity 'a2'"),
    ],
)
def test_what_is_not_ours_is_refused(
    tmp_path: Path, old: str, new: str, error: type[Exception], why: str
) -> None:
    text = exported(TEA, "minizinc").content.decode()
    assert old in text
    file = tmp_path / "a.mzn"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(error, match=why):
        imported(file)
