"""A world of another package, known by its pack alone: every command that ours have, it has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.command_line import Ran, ran
from support.packages import distribution, on_the_path

WORKSHOP = """
from backburner.kernel.pack import Pack, Entry

PACK = Pack(
    name="workshop",
    title="The workshop (tests)",
    version=1,
    catalogue="workshop_catalogue:catalogue",
    oracle="backburner.scheduling.oracle:ORACLE",
    agents={"greedy": Entry("workshop_catalogue:greedy", "takes what is first on the menu")},
)
"""

CATALOGUE = """
from backburner.agents.scripted import FirstLegalPolicy
from backburner.worlds.timearena.game.catalogue import TimeArenaCatalogue


class Catalogue(TimeArenaCatalogue):
    name = "workshop"

    def suites(self):
        return {"all": ("lab1", "lab2")}


def greedy(world):
    return FirstLegalPolicy()


catalogue = Catalogue()
"""
"""The tasks of TimeArena, as if another package had them."""


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder that it is in, which is the current one too."""
    folder = tmp_path_factory.mktemp("site")
    modules = {"workshop_pack": WORKSHOP, "workshop_catalogue": CATALOGUE}
    distribution(folder, "workshops", {"workshop": "workshop_pack:PACK"}, **modules)
    with pytest.MonkeyPatch.context() as patch, on_the_path(folder, patch):
        patch.chdir(folder)
        yield folder


def backburner(*args: str, code: int = 0) -> Ran:
    run = ran(*args, columns=200)
    assert run.code == code, run.stderr
    return run


def test_it_is_listed_and_shown() -> None:
    assert "The workshop (tests)" in backburner("worlds").stdout
    (told,) = (
        world for world in json.loads(backburner("worlds", "--json").stdout) if world["world"] == "workshop"
    )
    assert told["agents"] == {
        "greedy": "takes what is first on the menu",
        "oracle": "plays the best plan that the world's oracle finds in a minute",
    }
    assert backburner("list", "workshop/all").stdout.split() == ["workshop/lab1", "workshop/lab2"]
    assert "test_tube" in backburner("show", "workshop/lab1").stdout


def test_its_oracle_solves_it() -> None:
    """wash 4, add 4, heat 5: a chain."""
    (solution,) = json.loads(backburner("solve", "workshop/lab1", "--json").stdout)
    assert (solution["scenario"], solution["status"], solution["objective"]) == (
        "workshop/lab1",
        "optimal",
        13,
    )
    refused = backburner("solve", "workshop/lab1", "--oracle", "space=calls", code=2)
    assert refused.stderr.strip() == (
        "backburner: workshop/lab1: the oracle of this world has no option 'space'; "
        "that of collab_overcooked has"
    )
    names = ("solve", "workshop/lab1", "--write-optima", "optima.json")
    assert "no optima of this world are shipped" in backburner(*names, code=2).stderr


def test_its_agents_play_and_are_scored(installed: Path) -> None:
    agents = ("--agent", "greedy", "--agent", "oracle", "--agent", "random")
    backburner("run", "workshop/all", *agents, "--out", "runs")
    (scores,) = json.loads(backburner("score", "runs", "--json").stdout)
    completed = {row["agent"]: row["figures"]["Completed"]["value"] for row in scores["rows"]}
    assert completed["oracle"] == 100
    report = json.loads(backburner("report", "runs", "--json").stdout)
    assert Path(installed, report["report"]).exists()
    refused = backburner("run", "workshop/lab1", "--agent", "clumsy", "--out", "others", code=2)
    assert "this world has no agent 'clumsy'; it has greedy, oracle" in refused.stderr


def test_models_are_prompted_for_it_in_the_words_for_any_world() -> None:
    run = backburner("show", "workshop/lab1", "--prompt", "react")
    assert "test_tube" in run.stdout


def test_its_suites_are_data_to_train_with(installed: Path) -> None:
    """It says nothing of parts: each scenario is one. Its oracle is asked for every state all the same."""
    made = json.loads(
        backburner(
            *("export", "workshop/all", "--format"),
            *("trajectories@agents=oracle,greedy,test=0.5,validation=0", "data", "--json"),
        ).stdout
    )
    assert made["rows"]["scenarios/train"] == made["rows"]["scenarios/test"] == 1
    assert made["rows"]["preferences/train"] > 0 and not made["left_out"]
    card = (installed / "data" / "README.md").read_text("utf-8")
    assert "workshop: workshop/lab1" in card and "world workshop 1" in card
