"""Jobs from names: an option that is varied over a suite."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from backburner.agents.spec import AgentSpec
from backburner.evaluation.running.chains_of_jobs import world_of
from backburner.evaluation.running.jobs import clear_dead_parts, finished, jobs_of, with_each
from backburner.evaluation.running.runner import run
from backburner.kernel.episode import EpisodeFile, part_written_here, read_episode, write_episode
from backburner.kernel.errors import Refused, UnknownName


def test_an_option_is_varied_value_by_value_over_ids_and_suites() -> None:
    names = with_each(["cuisineworld/quick", "cuisineworld/level_3@tau=1.5"], "bodies", ["2", "4"])
    assert names == [
        "cuisineworld/quick@bodies=2",
        "cuisineworld/level_3@bodies=2,tau=1.5",
        "cuisineworld/quick@bodies=4",
        "cuisineworld/level_3@bodies=4,tau=1.5",
    ]


def test_jobs_are_scenarios_times_values_and_no_scenario_is_played_twice() -> None:
    names = with_each(["cuisineworld/quick", "cuisineworld/level_3@tau=1.5"], "bodies", ["2", "4", "2"])
    jobs = jobs_of(names, [AgentSpec("random")], 1, "standard", "article")
    assert len(jobs) == 2 * 4, "level_3 at 1.5 is one of the quick four"
    assert {job.scenario for job in jobs} >= {
        "cuisineworld/level_3@tau=1.5",
        "cuisineworld/level_3@bodies=4,tau=1.5",
    }


def test_a_world_without_the_option_says_so() -> None:
    (name,) = with_each(["timearena/pairs"], "bodies", ["2"])
    with pytest.raises(UnknownName, match="unknown option 'bodies' in timearena"):
        jobs_of([name], [AgentSpec("random")], 1, "standard", "article")


def test_what_cannot_be_varied_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="says already what bodies is"):
        with_each(["cuisineworld/all@bodies=3"], "bodies", ["2"])
    for name in (str(tmp_path), "lunch.json"):
        with pytest.raises(Refused, match="scenario files say themselves"):
            with_each([name], "bodies", ["2"])


def test_part_files_go_when_their_writer_on_this_machine_is_dead(tmp_path: Path) -> None:
    """Those of the living stay; so do those of other machines, of other records, and of who knows whom."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    mine, other = tmp_path / "mine.jsonl", tmp_path / "other.jsonl"
    living = EpisodeFile(mine).part
    dead, dead_other = (living_to(EpisodeFile(path).part, ended.pid) for path in (mine, other))
    elsewhere = tmp_path / f"mine.jsonl.part-another.machine-{ended.pid}"
    strange = tmp_path / "mine.jsonl.part-"
    for part in (living, dead, dead_other, elsewhere, strange):
        part.write_text("")
    clear_dead_parts([mine, tmp_path / "nowhere" / "mine.jsonl"])
    assert set(tmp_path.iterdir()) == {living, dead_other, elsewhere, strange}


def living_to(part: Path, process: int) -> Path:
    """The part file that a process of this machine would write in this one's place."""
    return part.with_name(f"{part.name.rpartition('-')[0]}-{process}")


def test_a_part_file_tells_its_record_and_its_writer(tmp_path: Path) -> None:
    part = EpisodeFile(tmp_path / "a.part-b-1.jsonl").part
    name, process = part_written_here(part) or ("", 0)
    assert (name, living_to(part, process)) == ("a.part-b-1.jsonl", part)
    assert part_written_here(tmp_path / "a.jsonl") is None


def test_a_record_from_before_a_field_of_the_rules_is_the_same_experiment(tmp_path: Path) -> None:
    """What the rules did not know yet was as its default says, so that a run goes on in the same folder."""
    (job,) = jobs_of(["recipe2plan/Cobbler+Pancakes"], [AgentSpec("greedy")], 1, "standard", "article")
    playing = world_of(job)
    path = job.path(tmp_path, playing.id)
    run([job], tmp_path)
    played = read_episode(path)
    assert isinstance(played.header.rules, dict)
    for changed, same in (({"reasoning_is_read": None}, True), ({"zero_length_actions": True}, False)):
        rules = {key: value for key, value in (played.header.rules | changed).items() if value is not None}
        header = replace(played.header, rules=rules)
        write_episode(replace(played, header=header), path)
        if same:
            assert finished(path, job, playing) == played.ending
        else:
            with pytest.raises(Refused, match="recorded with another rule set"):
                finished(path, job, playing)
