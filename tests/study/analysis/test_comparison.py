"""People beside models: the same scenarios under the same conditions, by the metrics that records are scored
by."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, variance
from typing import Any

import pytest
from scipy import stats
from typer.testing import CliRunner

from support.study.study_data import write_table

pytest.importorskip("statsmodels")

import backburner
from backburner.cli import app
from backburner.evaluation.scoring.scores import load, score
from backburner.kernel.errors import BackburnerError
from backburner.kernel.policy import Reply
from backburner.study.analysis.comparison import People, compare_with_models

DISHES = ("timearena/cooking1", "timearena/cooking2")


class Slow:
    """Waits for so long, then takes the first thing on the menu that is no waiting."""

    informed = False

    def __init__(self, name: str, patience: int, play: str = "strict") -> None:
        self.name, self.patience, self.settings = name, patience, {"play": play}

    async def decide(self, turn: Any, memory: int | None) -> Reply:
        waited = memory or 0
        lines = [option.label for option in turn.menu.options]
        act = next((line for line in lines if line != "wait"), "wait")
        return Reply("wait" if waited < self.patience else act, memory=waited + 1)


def played(folder: Path, agent: Slow, ids: Sequence[str], seed: int = 0, rules: str = "standard") -> Path:
    for id in ids:
        episode = backburner.play_now(backburner.world(id, rules=rules), agent, seed=seed)
        name = f"{agent.name}-{agent.patience}-{id.replace('/', '-')}-{seed}-{rules}.jsonl"
        backburner.write_episode(episode, folder / name)
    return folder


def study(folder: Path, patiences: Sequence[int], ids: Sequence[str] = DISHES, play: str = "strict") -> Path:
    """One person for each patience, who plays all dishes."""
    rows = []
    for number, patience in enumerate(patiences):
        played(folder / "records", Slow(f"human{number}", patience, play), ids)
        for record in sorted((folder / "records").glob(f"human{number}-*.jsonl")):
            about = {"episode": record.stem, "participant": f"p{number}", "condition": "solo"}
            rows.append(about | {"record": f"records/{record.name}"})
    write_table(folder, "episodes", rows)
    measures = [{"episode": row["episode"], "measure": "any", "value": 1} for row in rows]
    write_table(folder, "measures", measures)
    return folder


def times(folder: Path, key: str = "CT") -> dict[tuple[str, str], list[float]]:
    """The figures of single episodes by agent and scenario, as records are scored anywhere."""
    (world,) = score([episode for _, episode in load(folder).episodes])
    metric = next(each for each in world.metrics if each.key == key)
    found: dict[tuple[str, str], list[float]] = {}
    for episode, measures in world.measured:
        value = metric.over([measures])
        if value is not None:
            found.setdefault((episode.header.agent, episode.header.id), []).append(value)
    return found


def difference(found: People, key: str = "CT") -> Any:
    return next(each for each in found.worlds[0].differences if each.metric == key)


def test_a_difference_is_each_persons_from_the_models_mean_on_the_same_scenario(tmp_path: Path) -> None:
    """One seed of the model each, so that its luck is not known: a t-test of the people's own means."""
    data = study(tmp_path / "data", (0, 3, 4, 8))
    runs = played(tmp_path / "runs", Slow("model", 1), DISHES)
    found = difference(compare_with_models(data, runs))
    people, model = times(data / "records"), times(runs)
    own = [
        fmean(people[f"human{number}", id][0] - model["model", id][0] for id in DISHES) for number in range(4)
    ]
    test = stats.ttest_1samp(own, 0)
    low, high = test.confidence_interval()
    assert (found.people, found.model, found.units, found.scenarios, found.luck) == (
        "solo",
        "model",
        4,
        2,
        False,
    )
    got = (found.difference.value, found.difference.low, found.difference.high, found.p)
    assert got == pytest.approx((fmean(own), low, high, test.pvalue))


def test_with_several_seeds_the_models_luck_is_in_the_interval(tmp_path: Path) -> None:
    """One dish: Welch's t-test of people's times and the model's."""
    dish = DISHES[:1]
    data = study(tmp_path / "data", (0, 3, 4, 8), dish)
    for seed, patience in enumerate((1, 2, 6)):
        played(tmp_path / "runs", Slow("model", patience), dish, seed)
    found = difference(compare_with_models(data, tmp_path / "runs"))
    ours = [value for values in times(data / "records").values() for value in values]
    theirs = times(tmp_path / "runs")["model", dish[0]]
    assert len(theirs) == 3 and variance(theirs) > 0
    test = stats.ttest_ind(ours, theirs, equal_var=False)
    assert found.luck and found.p == pytest.approx(test.pvalue)
    assert found.difference.low == pytest.approx(test.confidence_interval().low)


def test_what_the_others_have_not_played_alike_is_named_and_left_out(tmp_path: Path) -> None:
    data = study(tmp_path / "data", (0, 2), DISHES)
    runs = played(tmp_path / "runs", Slow("model", 1), (DISHES[0], "timearena/cooking3"))
    played(runs, Slow("model", 1), DISHES[1:], rules="released")
    found = compare_with_models(data, runs)
    assert difference(found).scenarios == 1
    told = " ".join(found.remarks)
    assert "2 episodes of people are in no comparison" in told
    assert "2 of them under other rules, limits or versions" in told
    assert "2 episodes of models are in no comparison" in told


def test_friendly_play_is_told_as_slips_cost_a_model(tmp_path: Path) -> None:
    data = study(tmp_path / "data", (0, 2), DISHES[:1], "friendly")
    runs = played(tmp_path / "runs", Slow("model", 1), DISHES[:1])
    (told,) = compare_with_models(data, runs).remarks
    assert told.startswith("In 2 of 2 episodes people played in the friendly way")


@pytest.mark.parametrize(
    "record", ["../secret-0-timearena-cooking1-0-standard.jsonl", "/etc/passwd", "records/none.jsonl", ""]
)
def test_records_are_files_of_the_study(tmp_path: Path, record: str) -> None:
    data = study(tmp_path / "data", (0,), DISHES[:1])
    played(tmp_path, Slow("secret", 0), DISHES[:1])
    assert not record.startswith("../secret") or (data / record).is_file()
    row = {"episode": "e", "participant": "p", "condition": "c", "record": record}
    write_table(data, "episodes", [row])
    write_table(data, "measures", [{"episode": "e", "measure": "m", "value": 1}])
    runs = played(tmp_path / "runs", Slow("model", 1), DISHES[:1])
    with pytest.raises(BackburnerError):
        compare_with_models(data, runs)


def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    data = study(tmp_path / "data", (0, 3, 4))
    runs = played(tmp_path / "runs", Slow("model", 1), DISHES)
    words = ["study", "compare", str(data), str(runs), "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0 and "timearena: differences" in result.stdout
    page = (tmp_path / "out" / "people-and-models.html").read_text("utf-8")
    assert "People and models" in page and "<script" not in page
    found = json.loads((tmp_path / "out" / "people-and-models.json").read_text("utf-8"))
    assert [player["name"] for player in found["worlds"][0]["players"]] == ["solo", "model"]
    assert page.count("<svg") == len(list((tmp_path / "out" / "figures").rglob("*.svg")))
