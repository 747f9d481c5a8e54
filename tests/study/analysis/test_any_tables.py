"""Whatever stands in a study's tables, it is analysed or refused in a line: nothing breaks, nothing hangs."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from support.study.study_data import write_table

pytest.importorskip("statsmodels")

import msgspec

from backburner.kernel.errors import BackburnerError
from backburner.study.analysis.analysis import analyse
from backburner.study.analysis.page import figures, write_analysis
from backburner.study.analysis.sections import study_sections, variable_sections

KEYS = st.sampled_from(["a", "b", "c", "C(x)", "1", "ü", "=1", "x:y", "[T.1]"])
NUMBERS = st.one_of(
    st.sampled_from(["", "NA", "0", "1", "2", "3", "5", "1e14", "-1e14", "1e99", "1e-300", "x", "inf"]),
    st.integers(1, 5).map(str),
    st.floats(-10, 10, allow_nan=False).map(str),
)
EPISODES = st.lists(
    st.fixed_dictionaries(
        {
            "participant": KEYS,
            "condition": KEYS,
            "order": st.sampled_from(["", "1", "2", "3"]),
            "team": st.sampled_from(["", "", "", "t", "u"]),
            "level": st.sampled_from(["", "l1", "l2"]),
            "status": st.sampled_from(["", "ended", "failed"]),
            "practice": st.sampled_from(["", "true", "false"]),
        }
    ),
    max_size=30,
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(
    EPISODES,
    st.lists(NUMBERS, min_size=30, max_size=30),
    st.lists(st.tuples(KEYS, KEYS, KEYS, NUMBERS), max_size=20),
    st.lists(KEYS, max_size=2),
    st.lists(st.tuples(KEYS, st.sampled_from(["g", "h"])), max_size=9),
)
@example([], [], [("a", "i", "c", "3")], [], [])
def test_tables_are_analysed_or_refused(
    episodes: list[dict[str, str]],
    values: list[str],
    answers: list[tuple[str, str, str, str]],
    excluded: list[str],
    people: list[tuple[str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_table(folder, "episodes", [{"episode": f"e{i}"} | row for i, row in enumerate(episodes)])
        numbered = enumerate(zip(episodes, values, strict=False))
        measures = [{"episode": f"e{i}", "measure": "m", "value": value} for i, (_, value) in numbered]
        write_table(folder, "measures", measures)
        told = ("participant", "item", "condition", "value")
        write_table(folder, "answers", [dict(zip(told, row, strict=True)) for row in answers])
        write_table(folder, "exclusions", [{"participant": person, "rule": "r"} for person in excluded])
        if people:
            write_table(folder, "participants", [{"participant": p, "group": g} for p, g in people])
        for table in ("episodes", "measures", "answers", "exclusions"):
            if not (folder / f"{table}.csv").read_text().strip():
                (folder / f"{table}.csv").unlink()
        with warnings.catch_warnings():
            warnings.simplefilter("error", SyntaxWarning)
            try:
                found = analyse(folder)
            except BackburnerError as error:
                assert "\n" not in str(error)
                return
        assert study_sections(found)
        for each in found.results:
            assert variable_sections(each, found.labels)
        assert figures(found)
        msgspec.json.encode(found)
        write_analysis(found, folder / "out")
