"""The play on a server that ships: where it was played; its page and its picture are of this record."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from backburner.drawing.scene.picture import in_words
from backburner.evaluation.transcripts.page import transcript_html
from backburner.kernel.episode import read_episode
from backburner.kernel.replay import shots_of

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "examples" / "live" / "level_2.jsonl"
PAGE = RECORD.with_suffix(".html")
STEP = 41
PICTURE = ROOT / "docs" / "images" / "live-level-2.svg"


def test_its_states_were_observed_on_the_server_for_tests() -> None:
    episode = read_episode(RECORD)
    reports = [entry.answers["server"].decision["report"] for entry in episode.entries[1::2]]
    assert all(report["bots"] and "furnace" in report for report in reports)
    assert reports[0]["ground"]["source"] == (
        "flying-squid 1.12.0, backburner's test server, Minecraft 1.16.5"
    )


def test_its_page_can_be_made_and_the_one_beside_it_has_the_same_steps() -> None:
    made, shipped = transcript_html(RECORD, read_episode(RECORD)), PAGE.read_text("utf-8")
    for page in (made, shipped):
        assert "flying-squid 1.12.0" in page and "all as recorded" in page and 'class="terrain"' in page
    assert re.findall(r'id="step-\d+"', made) == re.findall(r'id="step-\d+"', shipped)
    results = [re.findall(r'<p class="result">([^<]*)', page) for page in (made, shipped)]
    assert results[0] == results[1]


def test_its_picture_is_a_scene_of_it() -> None:
    shown = ElementTree.parse(PICTURE).findtext("{http://www.w3.org/2000/svg}desc")
    shots = [shot for shot in shots_of(read_episode(RECORD)) if shot.step == STEP]
    assert shown == in_words(shots[-1].scene) and "furnace at column 16, row 13, burning" in shown


def test_it_is_small() -> None:
    assert sum(file.stat().st_size for file in (RECORD, PAGE, PICTURE)) < 300_000
