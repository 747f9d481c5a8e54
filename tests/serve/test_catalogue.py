"""What pages may choose from, and what they may not ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from backburner.kernel import packs, registry
from backburner.kernel.errors import BackburnerError
from backburner.serve import catalogue


def test_every_world_is_offered_with_something_to_begin_with() -> None:
    told = {world.name: world for world in catalogue.worlds_told()}
    assert set(packs.names()) <= set(told)
    for world in told.values():
        assert not world.trouble and world.picks and world.suites
        for pick in world.picks:
            scenario = catalogue.scenario_told(pick.name)
            assert scenario.id == pick.name, "a pick is written as its id is"
            assert scenario.people and scenario.goal and scenario.agents


def test_what_a_pack_picks_stands_in_its_catalogue() -> None:
    for name in packs.names():
        for path, about in packs.pack(name).picks.items():
            assert about and registry.expand(f"{name}/{path}") == [f"{name}/{path}"]


def test_a_scenario_says_who_can_play_it() -> None:
    told = catalogue.scenario_told("collab_overcooked/boiled_egg")
    assert told.seats == ("chef", "assistant")
    agents = [agent.name for agent in told.agents]
    assert agents[0] == told.stand_in == "greedy"
    assert {"random", "first-legal", "clumsy"} <= set(agents)
    assert not any(":" in name or name == "human" for name in agents)
    assert told.people and told.models and told.drawn


def test_a_scenario_says_whether_it_goes_by_the_clock_and_how_it_is_called_the_other_way() -> None:
    turns = catalogue.scenario_told("clocked_kitchen/level_3@bodies=4")
    clock = catalogue.scenario_told(turns.other_pace)
    assert (turns.pace, clock.pace) == ("turns", "clock")
    assert clock.id == "clocked_kitchen/level_3@asks=always,bodies=4"
    assert clock.other_pace == turns.id
    assert catalogue.scenario_told("timearena/cooking1").other_pace == ""
    assert catalogue.scenario_told("desk/made/lab").other_pace == "desk/made/lab@asks=always"
    (built, *_) = registry.expand("desk/built-2")  # they have no options
    assert catalogue.scenario_told(built).other_pace == ""


def test_who_begins_with_a_pick_of_a_world_with_a_clock_plays_by_the_clock() -> None:
    (told,) = (world for world in catalogue.worlds_told() if world.name == "clocked_kitchen")
    assert catalogue.scenario_told(told.picks[0].name).pace == "clock"


@pytest.mark.parametrize(
    "id",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "timearena/../../../etc/passwd.json",
        "timearena/x.json",
        "scenario.json",
        "timearena",
        "timearena/",
        "",
        "nowhere/cooking1",
        "timearena/cooking1\n",
        "timearena/" + "a" * 5000,
        "timearena/<script>alert(1)</script>",
        "http://evil.example/timearena/x",
        "timearena/cooking1@kit=\x1b[2J",
    ],
)
def test_no_page_names_a_file(id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scenario.json").write_text("{}")
    (tmp_path / "nowhere").mkdir()
    with pytest.raises(BackburnerError) as refused:
        catalogue.scenario_told(id)
    assert str(refused.value).isprintable()
    with pytest.raises(BackburnerError):
        catalogue.scenarios_told(id)


def test_models_come_from_the_hosts_file(tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    file.write_text(
        '{"models": [{"name": "small", "model": "qwen3:8b", "base_url": "http://10.0.0.3:11434/v1",'
        ' "about": "eight billion", "headers": {"X-Team": "$TEAM"}}]}'
    )
    (entry,) = catalogue.read_models(file)
    assert (entry.endpoint.model, entry.endpoint.base_url) == ("qwen3:8b", "http://10.0.0.3:11434/v1")
    told = catalogue.models_told([entry])
    assert [model.name for model in told] == ["small", catalogue.STAND_IN.name]
    assert not any(secret in repr(told) for secret in ("10.0.0.3", "qwen3", "TEAM"))


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (
            '{"models": [{"name": "a", "model": "b"}, {"name": "a", "model": "c"}]}',
            "models[1] 'a', field 'name'",
        ),
        ('{"models": [{"name": "", "model": "b"}]}', "field 'name'"),
        ('{"models": [{"name": "a", "model": ""}]}', "field 'model'"),
        ('{"models": [{"name": "a", "modell": "b"}]}', "did you mean model?"),
        ('{"model": []}', "did you mean"),
        ("[]", "expected"),
        ("{", "not JSON"),
    ],
)
def test_a_file_of_models_is_read_strictly(written: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "models.json"
    file.write_text(written)
    with pytest.raises(BackburnerError) as refused:
        catalogue.read_models(file)
    assert str(file) in str(refused.value) and said.lower() in str(refused.value).lower()
