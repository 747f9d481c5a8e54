"""What a notebook shows of worlds, episodes, plans and scores."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

import backburner
from backburner.evaluation.comparing.comparison import compare, side_of
from backburner.kernel import packs
from backburner.kernel.charts import Bar, Bars, Group
from backburner.kernel.episode import Episode

KITCHEN = "timearena/cooking1"


def shown(value: object) -> str:
    """A value as a notebook shows it: whole XML, no script, no address, and no colour without a dark one."""
    html = value._repr_html_()  # type: ignore[attr-defined]
    assert html is not None
    ElementTree.fromstring(html)
    assert not re.search(r"<script|javascript:|\son\w+=|https?://(?!www\.w3\.org/2000/svg)|url\((?!#)", html)
    used = set(re.findall(r"var\(--c-([0-9a-f]{6}),", html))
    dark = re.findall(r"\.backburner \{ (--c-[^}]*)\}", html)
    assert len(dark) == 2 and all(f"--c-{colour}: #" in rule for rule in dark for colour in used)
    return html


@pytest.fixture(scope="module")
def episode() -> Episode:
    world = backburner.world(KITCHEN)
    return backburner.play_now(world, backburner.agent("greedy", world))


@pytest.mark.parametrize("name", packs.names())
def test_every_world_is_a_picture_with_what_seats_are_told(name: str) -> None:
    world = backburner.world(backburner.expand(f"{name}/all")[0])
    html = shown(world)
    assert "<svg" in html and world.id.replace("&", "&amp;") in html
    assert all(f"what {seat} is told" in html for seat in world.seats)
    assert "<svg" in shown(world.scene(world.start()))


def test_an_episode_is_its_timeline_and_how_it_ended(episode: Episode) -> None:
    html = shown(episode)
    assert html.count("<svg") == 2  # the last scene is folded away
    assert "16 minutes" in html and "all as recorded" in html and "fry beef" in html


def test_a_plan_is_shown_with_its_proof_and_played() -> None:
    html = shown(backburner.solve_world(backburner.world(KITCHEN)))
    assert "16 minutes" in html and "optimal" in html and "none can be better than 16" in html
    assert "<svg" in html and "decisions</summary>" in html
    unknown = replace(backburner.solve_world(backburner.world(KITCHEN)), scenario="elsewhere/7")
    assert "<svg" not in shown(unknown)


def test_scores_are_a_table_of_agents(episode: Episode) -> None:
    world = backburner.world(KITCHEN)
    (scores,) = backburner.score([episode, backburner.play_now(world, backburner.RandomPolicy())])
    html = shown(scores)
    assert "<td>greedy</td>" in html and "<td>random</td>" in html and "1 scenario" in html


def test_comparisons_and_charts_are_pictures(episode: Episode) -> None:
    """Greedy takes 16 minutes in the one scenario, serial 23: one pair, better in all of it."""
    world = backburner.world(KITCHEN)
    serial = backburner.play_now(world, backburner.SerialPolicy())
    records = [(Path(), played) for played in (episode, serial)]
    sides = [side_of(name, records, Path()) for name in ("greedy", "serial")]
    (comparison,) = compare(backburner.score([episode, serial]), *sides)
    html = shown(comparison)
    assert "greedy against serial" in html and "<td>100 / 0 / 0</td>" in html
    assert "<svg" in shown(Bars("Time", "min", (Group("", (Bar("a & b", 3.0),)),)))


def test_foreign_text_is_text(episode: Episode) -> None:
    """A stranger's record, of an unknown world, is shown all the same."""
    bad = "<script>alert(1)</script>\x1b\u202e"
    player = replace(next(iter(episode.header.players.values())), name=bad)
    header = replace(episode.header, id=f"nowhere/{bad}", world="nowhere", players={"agent": player})
    html = shown(replace(episode, header=header))
    assert "&lt;script&gt;" in html and "\u202e" not in html and "\x1b" not in html


def test_pictures_on_one_page_share_no_names() -> None:
    """Every piece defines its foods by names of its own: cooking1's are not those of cooking2."""
    pieces = [shown(backburner.world(f"timearena/{task}")) for task in ("cooking1", "cooking2")]
    names = [set(re.findall(r'id="(bb-[0-9a-f]{8}-\d+)"', piece)) for piece in pieces]
    assert all(names) and not names[0] & names[1]


def test_a_notebook_s_loop_runs_and_a_world_is_played_all_the_same() -> None:
    async def cell() -> Episode:
        return backburner.play_now(backburner.world(KITCHEN), backburner.FirstLegalPolicy())

    assert asyncio.run(cell()).finished
