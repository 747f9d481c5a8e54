"""What thinking costs in Minecraft, and that everything which reads a record takes silence as waiting."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from backburner.evaluation.transcripts.page import transcript_html
from backburner.kernel import registry
from backburner.kernel.activities import activities
from backburner.kernel.claims import check
from backburner.kernel.clock import Timing
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.worlds.dispatch.scores import LEAST_FAILED, MOST_SERVED
from backburner.worlds.minecraft.agents.greedy import GreedyDispatcher
from backburner.worlds.minecraft.game import Minecraft
from backburner.worlds.minecraft.metrics.score import assessment, scoring
from backburner.worlds.minecraft.oracle.order_bound import bounds_of
from support.minecraft.play import world_of


class Slow(GreedyDispatcher):
    """Greedy, which needs some seconds for each decision."""

    def __init__(self, world: Minecraft, seconds: str) -> None:
        super().__init__(world)
        self.settings = {"latency": seconds}


def played(world: Minecraft, *seconds: str) -> Episode:
    """Greedy in each seat, as slow as it says; the last is said of all others, too."""
    slow = dict(zip(world.seats, (*seconds, *seconds[-1:] * len(world.seats)), strict=False))
    policies = {seat: Slow(world, latency) for seat, latency in slow.items()}
    return play_now(world, policies, clock=Timing("latency").bound(world, slow))


@pytest.mark.parametrize(
    ("seconds", "cos"), [("0", 0.822), ("0.5", 0.707), ("1", 0.596), ("2", 0.55), ("4", 0.439), ("8", 0.309)]
)
def test_what_a_decision_costs_greedy_on_the_article_s_level(seconds: str, cos: float) -> None:
    """The mean share of orders served of those served or failed."""
    found = []
    for id in registry.expand("minecraft/article"):
        ending = played(registry.world(id), seconds).ending
        assert ending is not None
        served, failed = ending.numbers["completed"], ending.numbers["failed"]
        found.append(served / (served + failed))
    assert round(fmean(found), 3) == cos


@pytest.mark.parametrize("path", ["level_1@seats=each", "level_1@instructor=yes,seats=each"])
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_a_clock_that_charges_nothing_changes_no_state(path: str, rules: str) -> None:
    world = world_of(path, rules)
    without = play_now(world, {seat: GreedyDispatcher(world) for seat in world.seats})
    clocked = played(world, "0")
    assert [entry.digest for entry in clocked.entries] == [entry.digest for entry in without.entries]
    assert list(clocked.events()) == list(without.events())


@pytest.mark.parametrize("path", ["level_2@seats=each", "level_2@instructor=yes,seats=person", "farm/3"])
@pytest.mark.parametrize("rules", ["standard", "released"])
def test_records_with_silences_are_verified_measured_and_shown(path: str, rules: str) -> None:
    """Seats that need 2, 3 and 1.37 seconds; each order has a window, and no more are served than can be."""
    world = world_of(path, rules)
    episode = played(world, "2", "3", "1.37")
    assert check(episode) == len(episode.entries)
    assert any(answer.silent for entry in episode.entries for answer in entry.answers.values())
    numbers, bound = scoring.measure(episode), bounds_of(episode)
    made = assessment(world).windows
    assert made is not None
    states = [window.state for window in made(episode)]
    assert states.count("kept") == numbers["completed"] <= bound[MOST_SERVED]
    assert states.count("missed") == numbers["failed"] >= bound[LEAST_FAILED]
    assert all(each.start <= each.end for each in activities(list(episode.events())))
    assert scoring.sections([(episode, numbers)])
    assert "</html>" in transcript_html(Path("record.jsonl"), episode)
