"""Records of play under a clock as people see them: thoughts as waits, silence that is no answer."""

from __future__ import annotations

from pathlib import Path

from backburner.agents.roster import make_policies
from backburner.agents.spec import AgentSpec
from backburner.drawing.timeline import timeline_svg
from backburner.evaluation.transcripts.page import transcript_html
from backburner.kernel import registry
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.replay import story_of, times_of


def slow(id: str, **seconds: str) -> Episode:
    world = registry.world(id)
    clock = Timing("latency").bound(world, seconds)
    return play_now(world, make_policies(AgentSpec("greedy"), world), clock=clock)


def test_a_thought_is_a_wait_from_where_its_seat_was_asked_to_its_decision() -> None:
    """Two minutes and a half for each decision in TimeArena: the half is carried, so 2, 3, 2, 3 ..."""
    episode = slow("timearena/cooking1", agent="150")
    thoughts = [event for event in story_of(episode) if event.key.startswith("thinks agent")]
    begins, ends = ([event.time for event in thoughts if event.what == what] for what in ("start", "end"))
    assert {event.kind for event in thoughts} == {"wait"}
    assert [end - begin for begin, end in zip(begins, ends, strict=True)][:4] == [2, 3, 2, 3]
    assert begins[0] == 0
    assert times_of(episode)[:2] == [0, 2]
    assert "waits, or thinks" in timeline_svg(story_of(episode))


def test_without_a_clock_the_story_is_the_events() -> None:
    world = registry.world("timearena/cooking1")
    episode = play_now(world, make_policies(AgentSpec("greedy"), world))
    assert story_of(episode) == tuple(episode.events())


def test_pages_tell_thoughts_and_silences() -> None:
    episode = slow("timearena/cooking1", agent="150")
    page = transcript_html(Path("record.jsonl"), episode)
    assert "thought for 150 s, asked before step 0" in page
    assert page.count("silent: it thinks") == sum(not entry.decided for entry in episode.entries)
    assert "thoughts:" not in page
    assert "not read as any decision" not in page


def test_two_seats_think_side_by_side() -> None:
    episode = slow("collab_grid/baked_bell_pepper", chef="2", assistant="3")
    lanes = {event.lane for event in story_of(episode) if event.label == "thinks"}
    assert lanes == {*episode.header.seats}
    transcript_html(Path("record.jsonl"), episode)
