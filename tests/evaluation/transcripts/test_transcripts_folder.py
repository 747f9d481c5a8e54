from __future__ import annotations

import re
from pathlib import Path

import pytest

from backburner.agents.planned import world_agent
from backburner.evaluation.transcripts.page import Links, PageOf, write_transcripts
from backburner.kernel import registry
from backburner.kernel.episode import write_episode
from backburner.kernel.errors import BadFile
from backburner.kernel.play import play_now

IDS = ("timearena/cooking1", "timearena/cooking2", "timearena/lab1")


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    files = []
    for agent in ("greedy", "oracle"):
        for id in IDS:
            world = registry.world(id)
            files.append(folder / agent / f"{id.rpartition('/')[2]}.jsonl")
            write_episode(play_now(world, world_agent(agent, world)), files[-1])
    return files


def pages(records: list[Path], folder: Path) -> list[PageOf]:
    return [PageOf(path, folder / f"{at:04}.html", Links()) for at, path in enumerate(records)]


@pytest.mark.parametrize("workers", [1, 2])
def test_pages_of_a_folder_lead_to_the_oracles_pages(records, tmp_path, workers):
    oracles = [path for path in records if path.parent.name == "oracle"]
    spent, unwritten = write_transcripts(pages(records, tmp_path), oracles, workers=workers)
    assert unwritten == {} and spent.keys() == set(records)
    written = {file.name: file.read_text() for file in tmp_path.glob("*.html")}
    assert sorted(written) == [f"{at:04}.html" for at in range(6)]
    for at in range(3):
        assert f'href="{at + 3:04}.html" class="plan"' in written[f"{at:04}.html"]
        assert re.search(rf'href="{at + 3:04}.html#step-1" class="time"', written[f"{at:04}.html"])
        assert "the oracle&#39;s own play" in written[f"{at + 3:04}.html"]


def test_a_record_that_is_gone_is_named_and_the_others_are_written(records, tmp_path):
    gone = tmp_path / "gone.jsonl"
    spent, found = write_transcripts(pages([gone, records[0]], tmp_path / "pages"))
    assert list(spent) == [records[0]]
    assert list(found) == [gone] and "No such file" in found[gone]
    assert (tmp_path / "pages" / "0001.html").exists()


def test_a_place_where_nothing_can_be_written_stops_it(records, tmp_path):
    (tmp_path / "pages").write_text("a file")
    with pytest.raises(BadFile, match="is a file, not a folder"):
        write_transcripts(pages(records[:1], tmp_path / "pages"))
