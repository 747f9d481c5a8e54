"""Episodes held against what is proven of their scenarios, and how answers come to the records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from threading import Barrier

import pytest
from msgspec.structs import replace

from backburner.agents.spec import AgentSpec
from backburner.evaluation.records import records
from backburner.evaluation.report.parts import remarks_on
from backburner.evaluation.running.jobs import jobs_of
from backburner.evaluation.running.runner import run
from backburner.evaluation.scoring.answered import Answers, answers_for, keep_answers, unanswered
from backburner.evaluation.scoring.scores import WorldScores, load, score
from backburner.evaluation.scoring.summary import summary_of
from backburner.evaluation.tables.score_tables import score_tables
from backburner.kernel import registry
from backburner.kernel.answers import FILE, Answered, answers_at, encoded
from backburner.kernel.errors import BadFile
from backburner.kernel.values import digest

BEST = 20
"""Minutes that are said to be the least ones, of any scenario here."""

AGENTS = [AgentSpec("serial"), AgentSpec("first-legal")]


def built(folder: Path, tasks: Mapping[str, list[str]], best: int = BEST) -> Path:
    """A folder of scenario files with their answers, as a build leaves it."""
    folder.mkdir()
    answers = []
    for name, own in tasks.items():
        file = folder / f"{name}.json"
        file.write_text(json.dumps({"world": "timearena", "id": name, "tasks": own}))
        scenario = digest(registry.world(file).scenario)
        answers.append(Answered(scenario, "min", "minutes", "optimal", best, best, {"length": 3.0}))
    (folder / FILE).write_bytes(encoded(answers))
    return folder


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return built(tmp_path / "new", {"one": ["cooking1"], "two": ["cooking2"]})


def played(suite: Path, out: Path, agents: list[AgentSpec] = AGENTS, rules: str = "standard") -> None:
    run(jobs_of([str(suite)], agents, 1, rules, "article"), out, workers=1)


def scored(folder: Path, answers: Answers | None = None) -> WorldScores:
    episodes = [episode for _, episode in load(folder).episodes]
    (world,) = score(episodes, answers=answers_for(folder) if answers is None else answers)
    return world


def test_a_run_takes_the_answers_of_its_scenarios_along(suite: Path, tmp_path: Path) -> None:
    """Those of what was played alone, in the order of digests, each once however often it is repeated."""
    out = tmp_path / "runs"
    played(suite / "two.json", out)
    assert len(answers_at(out)) == 1
    played(suite, out)
    whole = (out / FILE).read_bytes()
    assert answers_at(out) == answers_at(suite)
    assert whole == encoded(answers_at(out)[each] for each in sorted(answers_at(out)))
    played(suite, out)
    assert (out / FILE).read_bytes() == whole
    assert len(list(records(out))) == 4, "answers are no record"
    assert not load(out).unusable


def test_what_stands_among_the_records_stays_but_for_a_new_answer_of_the_same(tmp_path: Path) -> None:
    suite = built(tmp_path / "new", {"one": ["cooking1"]})
    (digest_of_one,) = answers_at(suite)
    old = Answered(digest_of_one, "min", "minutes", "feasible", 99, 1)
    other = replace(old, scenario="f" * 16)
    out = tmp_path / "runs"
    out.mkdir()
    (out / FILE).write_bytes(encoded([other, old]))
    keep_answers([(suite / "one.json", digest_of_one)], out)
    assert answers_at(out) == {**answers_at(suite), other.scenario: other}


def test_runs_that_begin_at_once_lose_no_answers(tmp_path: Path) -> None:
    """Eight runs keep two answers each, all but the first and last shared with a neighbour: nine in all."""
    tasks = {f"n{number}": [f"cooking{number % 10 + 1}"] for number in range(9)}
    suite, out = built(tmp_path / "new", tasks), tmp_path / "runs"
    out.mkdir()
    beside = [
        (suite / f"{name}.json", digest(registry.world(suite / f"{name}.json").scenario)) for name in tasks
    ]
    at_once = Barrier(8)

    def keep(first: int) -> None:
        at_once.wait()
        keep_answers(beside[first : first + 2], out)

    with ThreadPoolExecutor(8) as runs:
        list(runs.map(keep, range(8)))
    assert [file.name for file in out.iterdir()] == [FILE]
    assert (out / FILE).read_bytes() == encoded(answers_at(suite)[each] for each in sorted(answers_at(suite)))


def test_attained_and_regret_are_of_the_minutes_that_a_play_took(suite: Path, tmp_path: Path) -> None:
    """All is done: attained is the mean of 20 / T, regret that of T / 20 - 1, in per cent."""
    out = tmp_path / "runs"
    played(suite, out)
    world = scored(out)
    for row in world.rows:
        endings = [e.ending for e, _ in world.measured if e.header.agent == row.agent]
        minutes = [ending.numbers["minutes"] for ending in endings if ending is not None]
        assert len(minutes) == 2
        assert row.figures["attained"].value == pytest.approx(100 * fmean(BEST / each for each in minutes))
        assert row.figures["regret*"].value == pytest.approx(100 * fmean(each / BEST - 1 for each in minutes))
    assert set(world.answers) == set(answers_at(suite))
    assert [metric.key for metric in summary_of(world).metrics][:2] == ["attained", "regret*"]


def test_work_that_is_left_counts_as_its_share_and_as_done_at_the_limit(tmp_path: Path) -> None:
    """Play ends after 12 minutes, before anybody is ready: the regret is 12 / 10 - 1, what is attained is the
    share of the work times 10 / 12."""
    folder = tmp_path / "new"
    folder.mkdir()
    file = folder / "one.json"
    file.write_text(json.dumps({"world": "timearena", "id": "one", "tasks": ["cooking1"], "limit": 12}))
    scenario = digest(registry.world(file).scenario)
    (folder / FILE).write_bytes(encoded([Answered(scenario, "min", "minutes", "optimal", 10, 10)]))
    out = tmp_path / "runs"
    played(folder, out, AGENTS[:1])
    world = scored(out)
    ((episode, measures),) = world.measured
    assert episode.ending is not None
    share = episode.ending.numbers["score"] / 100
    assert 0 < share < 1
    assert measures["attained"] == pytest.approx(share * 10 / 12)
    assert measures["regret*"] == pytest.approx(0.2)


def test_published_scenarios_have_no_such_columns(suite: Path, tmp_path: Path) -> None:
    """Neither alone nor beside built ones."""
    out = tmp_path / "runs"
    run(jobs_of(["timearena/lab1"], AGENTS[:1], 1, "standard", "article"), out, workers=1)
    alone = scored(out)
    assert "attained" not in [metric.key for metric in alone.metrics]
    before = [str(table) for table in score_tables(alone, 120)]
    played(suite, out, AGENTS[:1])
    together = [str(table) for table in score_tables(scored(out), 120)]
    assert before[0] in together
    assert sum("attained" in table for table in together) == 1


def test_without_answers_a_line_says_what_is_left_out(suite: Path, tmp_path: Path) -> None:
    """A file that is put there by hand serves; play by other rules is not held against an answer."""
    out = tmp_path / "runs"
    played(suite, out, AGENTS[:1])
    (out / FILE).rename(tmp_path / FILE)
    bare = scored(out, {})
    assert "2 scenario files" in unanswered("timearena", bare.measured)
    assert "attained" not in [metric.key for metric in bare.metrics]
    (tmp_path / FILE).rename(out / FILE)
    world = scored(out)
    assert not unanswered("timearena", world.measured)
    inside = next(records(out))
    assert answers_for(inside) == answers_for(inside.parent) == answers_for(out), "from any part of the run"
    others = tmp_path / "others"
    played(suite, others, AGENTS[:1], rules="released")
    assert not any("attained" in measures for _, measures in scored(others).measured)
    released = {key: replace(answer, rules="released") for key, answer in answers_at(suite).items()}
    assert all("attained" in measures for _, measures in scored(others, released).measured)
    assert "attained" not in [metric.key for metric in scored(out, released).metrics]


def test_a_suite_whose_build_dropped_many_drafts_is_marked(suite: Path, tmp_path: Path) -> None:
    """One answer tells of a fifth; the other is of a build that dropped next to none."""
    out = tmp_path / "runs"
    played(suite, out, AGENTS[:1])
    assert not scored(out).on_answers
    one, other = answers_at(out).values()
    (out / FILE).write_bytes(encoded([replace(one, unproven=0.2083), other]))
    (line,) = scored(out).on_answers
    assert line.startswith("timearena: up to 21% of the drafts of these scenarios were dropped")
    assert line in list(remarks_on(scored(out)))


def test_a_broken_file_of_answers_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{}\n")
    with pytest.raises(BadFile, match=r"answers\.jsonl: line 1"):
        answers_for(tmp_path)
