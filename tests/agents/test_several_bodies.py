"""Scripted agents in seats with several bodies: one decision for all of them."""

from __future__ import annotations

from collections import Counter

from backburner.agents.scripted import FirstLegalPolicy, RandomPolicy, decision_for_all
from backburner.kernel import registry
from backburner.kernel.episode import Episode
from backburner.kernel.menu import Menu, Option
from backburner.kernel.play import play_now
from backburner.kernel.policy import Turn
from backburner.kernel.turns import turn_of
from backburner.worlds.robotouille.game.state import Acts
from support.cuisineworld.play import DISPATCHER, world_of
from support.small_worlds.relay import READER, Relay


def commands(episode: Episode) -> list[tuple[str, ...]]:
    return [entry.answers[DISPATCHER].decision.commands for entry in episode.entries]


def test_random_draws_a_command_for_each_body() -> None:
    world = world_of("level_3@bodies=3,tau=1.0")
    episode = play_now(world, RandomPolicy())
    for said in commands(episode):
        assert [command.split("_")[1] for command in said] == ["agent0", "agent1", "agent2"]
    again = play_now(world, RandomPolicy())
    assert again.entries == episode.entries
    assert play_now(world, RandomPolicy(), seed=1).entries != episode.entries


def test_random_draws_every_command_of_a_body_as_often_as_the_other() -> None:
    """At the start a body of level 0 goes to the storage or the blender, or does nothing."""
    world = world_of("level_0@bodies=2")
    drawn: Counter[str] = Counter()
    for seed in range(300):
        first, second = commands(play_now(world, RandomPolicy(), seed))[0]
        drawn.update((first.removesuffix("_agent0"), second))
    assert len(drawn) == 2 * 3
    assert min(drawn.values()) > 60, "100 of each are expected"


def test_first_legal_gives_every_body_something_to_do() -> None:
    said = commands(play_now(world_of("level_0@bodies=3"), FirstLegalPolicy()))
    assert said[0] == ("goto_agent0_storage0", "goto_agent1_storage0", "goto_agent2_storage0")
    assert [command.split("_")[0] for command in said[1]] == ["get"] * 3


def test_a_seat_with_one_body_decides_for_it_alone() -> None:
    world = world_of("level_0@bodies=2,seats=each")
    for entry in play_now(world, RandomPolicy()).entries:
        assert {seat: len(answer.decision.commands) for seat, answer in entry.answers.items()} == {
            "agent0": 1,
            "agent1": 1,
        }


def test_all_robots_of_a_dispatcher_act() -> None:
    joint = registry.world("robotouille/multi_agent/4@play=dispatcher,seed=42", limits="none")
    (seat,) = joint.seats
    turn = turn_of(joint, joint.start(), seat, 0, 0)
    decision = decision_for_all(turn, lambda options: options[0])
    assert isinstance(decision, Acts) and len(decision.acts) == 2


def test_a_decision_that_is_no_bodys_stands_alone() -> None:
    """As does the pick of a menu that is complete, and of a world that does not tell bodies apart."""
    idle = Option("idle", "idle")
    left, right = Option("left", "left", body="one"), Option("right", "right", body="two")

    def turn(complete: bool) -> Turn:
        menu = Menu((idle, left, right), complete)
        return Turn("seat", 0, 0, *(lambda: "",) * 3, menu=lambda: menu, together=" and ".join)

    assert decision_for_all(turn(False), lambda options: options[0]) == "idle"
    assert decision_for_all(turn(False), lambda options: options[-1]) == "left and right"
    assert decision_for_all(turn(True), lambda options: options[-1]) == "right"
    world = Relay()
    told = turn_of(world, world.start(0), READER, 0, 0)
    assert decision_for_all(told, lambda options: options[0]) == told.menu.options[0].decision
