"""TimeArena as a scheduling problem, and schedules played by the world."""

from __future__ import annotations

import pytest

from backburner.kernel.errors import Refused
from backburner.kernel.schedule import Activity, Problem, problem_of
from backburner.worlds.timearena.game import Act
from support.timearena.play import Game, standard_but, world_of


def activity(problem: Problem, name: str) -> Activity:
    return next(activity for activity in problem.activities if activity.name == name)


def test_a_problem_by_hand() -> None:
    """household9 has no kit; "activate radio" holds the agent for the minute of its start only."""
    problem = problem_of(world_of("household9"))
    assert problem.unit == "minutes" and problem.forbidden == ()
    assert set(problem.activities) == {
        Activity("find newspaper", 3, 3, (), ("newspaper",)),
        Activity("read newspaper", 5, 5, ("find newspaper",), ("newspaper",)),
        Activity("activate radio", 7, 1, (), ("radio",)),
        Activity("fold quilt", 3, 3, (), ("quilt",)),
    }
    assert {resource.name: resource.capacity for resource in problem.resources} == {
        "newspaper": 1,
        "radio": 1,
        "quilt": 1,
    }


def test_kit_of_one_kind_is_one_resource() -> None:
    """Two tasks, two pots; cooking7 brings two of the three fryers."""
    problem = problem_of(world_of("cooking1+cooking7"))
    capacity = {resource.name: resource.capacity for resource in problem.resources}
    assert (capacity["pot"], capacity["fryer"]) == (2, 3)
    assert activity(problem, "cook rice_1 in pot").resources == ("rice_1", "pot")
    one = problem_of(world_of("cooking1+cooking7@kit=one"))
    assert {r.name: r.capacity for r in one.resources}["fryer"] == 1


def test_watering_occupies_the_tree_that_is_to_be_trimmed() -> None:
    """Hence household4 takes 14 minutes and not 9: fill 0-3, water 3-9, trim 9-14, or the reverse."""
    problem = problem_of(world_of("household4"))
    sharing = [a.name for a in problem.activities if "fruit_tree" in a.resources]
    assert sorted(sharing) == ["trim fruit_tree", "water fruit_tree by watering_can"]


def test_what_the_release_forbids_is_named() -> None:
    """dish_1 of cooking2+cooking3 takes noodle_1 alone, dish_2 noodle_2."""
    forbidden = {
        "add mushroom to dish_1",
        "add shrimp to dish_1",
        "add tomato to dish_2",
    }
    assert set(problem_of(world_of("cooking2+cooking3", "released")).forbidden) == forbidden
    assert problem_of(world_of("cooking2+cooking3")).forbidden == ()


def test_a_problem_says_which_decisions_it_stands_for() -> None:
    assert problem_of(world_of("cooking1")).space.startswith("every decision")
    assert "left out" in problem_of(world_of("cooking1", standard_but(any_pair_counts=True))).space


def test_a_schedule_is_played_by_the_world() -> None:
    """household9: find 0-3, radio 3-10, read 4-9, fold 9-12."""
    game = Game("household9", limits="article")
    starts = {"find newspaper": 0, "activate radio": 3, "read newspaper": 4, "fold quilt": 9}
    for decision in game.world.plan(starts):
        assert not game.decide(decision).last.refusals
    assert (game.state.ended, game.state.minute) == ("completed", 12)


def test_a_schedule_waits_until_its_last_background_action_ends() -> None:
    """Three waits 0-3, find 3-6, read 6-11, fold 11-14, radio 14-15 and six more minutes."""
    world = world_of("household9")
    starts = {"find newspaper": 3, "activate radio": 14, "read newspaper": 6, "fold quilt": 11}
    decisions = world.plan(starts)
    assert [world.words(decision) for decision in decisions] == [
        *["wait"] * 3,
        "find newspaper",
        "read newspaper",
        "fold quilt",
        "activate radio",
        *["wait"] * 6,
    ]


def test_kit_is_chosen_when_a_schedule_is_played() -> None:
    """cooking9: rice 1-6 and fish 2-8 boil at once, in a pot each."""
    world = world_of("cooking9")
    starts = {
        "pick rice": 0, "cook rice in pot": 2, "pick fish": 1, "cook fish in pot": 3, "wash dish": 4,
        "pick nori_seaweed": 7, "add nori_seaweed to dish": 9, "add fish to dish": 10, "add rice to dish": 12,
    }  # fmt: skip
    acts = [decision for decision in world.plan(starts) if isinstance(decision, Act)]
    assert Act("cook in", "rice", "pot_1") in acts and Act("cook in", "fish", "pot_2") in acts
    with pytest.raises(Refused, match="no pot is free then"):
        world_of("cooking9@kit=one").plan(starts)


def test_the_agent_cannot_be_in_two_places() -> None:
    starts = {"find newspaper": 0, "activate radio": 2, "read newspaper": 4, "fold quilt": 9}
    with pytest.raises(Refused, match="starts 'activate radio' at 2; the agent is busy until 3"):
        world_of("household9").plan(starts)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"fold quilt": None}, "does not start 'fold quilt'"),
        ({"fold quill": 9}, "unknown action 'fold quill' in the schedule; did you mean fold quilt"),
    ],
)
def test_a_schedule_starts_each_required_action(change: dict[str, int | None], message: str) -> None:
    starts = {"find newspaper": 0, "activate radio": 3, "read newspaper": 4, "fold quilt": 9} | change
    with pytest.raises(Refused, match=message):
        world_of("household9").plan({name: at for name, at in starts.items() if at is not None})
