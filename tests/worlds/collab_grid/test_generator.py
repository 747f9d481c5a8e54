"""The grid's kitchens are drafted as those of Collab-Overcooked; only what is said is left out."""

from __future__ import annotations

from backburner.agents.planned import plan_policy
from backburner.kernel import testing
from backburner.kernel.oracle import Request, solve_world
from backburner.kernel.play import play_now
from backburner.kernel.replay import decisions_in, trajectory
from support.collab_overcooked.drafts import drafted, generator_of, world_of_draft

HERE, PUBLISHED = "collab_grid", "collab_overcooked"


def test_both_worlds_have_the_same_kitchens() -> None:
    ours, theirs = drafted(HERE, 3), drafted(PUBLISHED, 3)
    assert {**ours.fields, "told": "more"} == theirs.fields and ours.symbols == theirs.symbols


def test_a_proven_plan_of_moves_is_played_and_measured() -> None:
    world = world_of_draft(HERE, drafted(HERE, 3, depth=1))
    solution = solve_world(world, Request(effort=2.0))
    assert solution.status == "optimal" and solution.objective
    episode = play_now(world, plan_policy(world, solution))
    assert episode.ending is not None and episode.ending.numbers["steps"] == solution.objective
    decisions = [decisions_in(world, entry) for _, entry, _ in trajectory(episode, world)]
    assert len(decisions) == solution.objective
    generator = generator_of(HERE)
    own = generator.own(world, solution, decisions)
    works = len(generator.structure(world).activities)
    assert 1 <= round(own["handovers"] * works) <= works
    testing.check_world(world)
