"""What a person's line stands for, in friendly and in strict play."""

from __future__ import annotations

import random

import pytest

import backburner
from backburner.agents.person.keys import Chosen, Keys
from backburner.agents.person.reading import Reader, meaning
from backburner.kernel.menu import Menus, Option
from backburner.kernel.policy import Turn
from backburner.kernel.text import Text
from backburner.kernel.turns import turn_of
from backburner.kernel.view import View

RICE = "timearena/cooking1"


def turn_in(id: str) -> Turn:
    """The first turn of a scenario."""
    world = backburner.world(id)
    state = world.start(0)
    return turn_of(world, state, world.deciders(state)[0], 0, 0)


def reader_of(id: str, strict: bool = False) -> Reader:
    world = backburner.world(id)
    assert isinstance(world, Text)
    keys = Keys(world.controls, world.verbs, world.together) if isinstance(world, View) else None
    return Reader(keys, world.typed, world.phrases, strict)


def read(line: str, id: str = RICE, strict: bool = False) -> Chosen:
    return reader_of(id, strict).read(line, turn_in(id))


def options(*labels: str) -> list[Option[str]]:
    return [Option(label, label) for label in labels]


def test_a_number_chooses_from_the_menu() -> None:
    """wash dish, pick rice, pick beef, wait"""
    assert read("2").decision == turn_in(RICE).menu.options[1].decision
    assert read("5").problem == "no number 5; the list goes from 1 to 4"
    assert read("0").problem and read("9" * 400).problem


def test_beginnings_are_enough_where_one_action_alone_begins_so() -> None:
    def meant(line: str, *labels: str) -> list[str]:
        return [option.label for option in meaning(line, options(*labels))]

    assert meant("w d", "wash dish", "pick rice", "wait") == ["wash dish"]
    assert meant("RICE", "wash dish", "pick rice") == ["pick rice"]
    assert meant("goto pot", "goto_agent0_pot0", "noop_agent0") == ["goto_agent0_pot0"]
    assert meant("pick", "pick rice", "pick beef") == ["pick rice", "pick beef"]
    assert meant("wait", "wait", "wait for robot1") == ["wait"]
    assert meaning("dish wash", options("wash dish")) == [], "words keep their order"
    assert meaning("...", options("wash dish")) == []


def test_what_could_mean_several_is_asked_back_and_is_no_slip() -> None:
    chosen = read("pick")
    assert chosen.problem == "'pick' could mean pick rice, pick beef: say a little more"
    assert not chosen.slip


def test_in_friendly_play_a_slip_is_explained_with_the_nearest_action() -> None:
    chosen = read("wash disk")
    assert chosen.slip == "wash disk"
    assert chosen.problem.endswith("Did you mean 'wash dish'?")
    chosen = read("add rice to dish")
    assert chosen.problem and chosen.slip == "add rice to dish", "known words, but too early"


@pytest.mark.parametrize(
    ("id", "line", "why"),
    (
        (
            "timearena/household1",
            "brew tea",
            "brew tea with teapot: This action cannot be done",
        ),
        ("cuisineworld/level_1", "activate blender0", "'activate_agent0_blender0': the agent is not there"),
        ("clocked_kitchen/level_1", "put", "'put_agent0_storage0': the agent holds nothing"),
        ("minecraft/level_1", "kill sheep", "killMob(alex, sheep): alex: no sheep near me"),
        ("collab_overcooked/boiled_egg", "deliver", "deliver_soup(): "),
        (
            "robotouille/synchronous/3@seed=42",
            "cut lettuce",
            "This is not possible now: robot1 cuts lettuce1 on ",
        ),
    ),
)
def test_the_true_reason_is_told_for_what_cannot_be_done_yet(id: str, line: str, why: str) -> None:
    """The action is one of the world's, though no menu has it now."""
    problem = read(line, id).problem
    assert problem.startswith(why), problem


@pytest.mark.parametrize(
    "id",
    (
        "timearena/cooking1+lab2",
        "cuisineworld/level_3",
        "clocked_kitchen/level_1",
        "minecraft/level_2",
        "collab_overcooked/boiled_egg",
        "robotouille/asynchronous/1@seed=42",
    ),
)
def test_what_menus_have_is_among_the_actions_of_a_seat(id: str) -> None:
    """Thirty decision points of random play."""
    world = backburner.world(id)
    assert isinstance(world, Text) and isinstance(world, Menus)
    known = {seat: set(world.phrases(seat)) for seat in world.seats}
    state, dice = world.start(), random.Random(5)
    for _ in range(30):
        decisions = {}
        for seat in world.deciders(state):
            options = world.menu(state, seat).options
            named = {option.label for option in options if option.verb and not option.passes}
            assert named <= known[seat], named - known[seat]
            decisions[seat] = dice.choice(options).decision
        state = world.step(state, decisions).state


def test_in_strict_play_a_line_goes_to_the_world_as_it_was_typed() -> None:
    assert read("wash disk", strict=True) == Chosen("wash disk")
    assert read("w d", strict=True) == Chosen("w d"), "beginnings are for play among friends"
    assert read("1", strict=True).decision == turn_in(RICE).menu.options[0].decision


def test_several_bodies_are_given_numbers_or_beginnings_each() -> None:
    level = "cuisineworld/level_0@tau=1.5"
    menu = turn_in(level).menu.options
    assert [option.label for option in menu[:4:3]] == ["goto_agent0_storage0", "goto_agent1_storage0"]
    both = turn_in(level).together([menu[0].decision, menu[3].decision])
    assert read("1 4", level).decision == both
    assert read("goto sto; goto sto", level).decision == both, "whoever is free"
    assert read("1 2", level).problem, "one body cannot do two things"


@pytest.mark.parametrize("id", ["recipe2plan/Cobbler+Pancakes", "robotouille/synchronous/1@seed=42"])
def test_giving_up_is_known_as_such(id: str) -> None:
    assert read("finish", id).gives_up
    assert not read("1", id).gives_up


def test_steps_are_found_by_what_is_done_in_them() -> None:
    """The label is Step(9, Pancakes, ...); its text: Grate the cheese."""
    chosen = read("grate cheese", "recipe2plan/Cobbler+Pancakes")
    assert [(piece.recipe, piece.step) for piece in chosen.decision.actions] == [("Pancakes", 9)]


def test_a_chef_asks_for_what_it_cannot_reach_by_a_few_letters() -> None:
    egg = "collab_overcooked/boiled_egg"
    chosen = read("ask pick egg", egg)
    assert isinstance(chosen.decision, str)
    assert "request('pickup(egg,ingredient_dispenser)')" in chosen.decision
    assert "Please do pickup(egg,ingredient_dispenser)." in chosen.decision


NONSENSE = ("\x00", "🍳" * 5000, ";" * 3000, "1;" * 2000, "a" * 100_000, "((((((((", "-1", "²")


@pytest.mark.parametrize("line", NONSENSE)
@pytest.mark.parametrize("id", [RICE, "recipe2plan/Cobbler+Pancakes", "cuisineworld/level_0@tau=1.5"])
def test_no_line_does_harm(line: str, id: str) -> None:
    chosen = read(line, id)
    assert chosen.problem and len(chosen.problem) < 2000


def test_several_requests_of_a_chef_go_together() -> None:
    """It was a traceback: what a suggestion stands for is a text, and no decision to be joined."""
    egg = "collab_overcooked/baked_bell_pepper"
    asked = "request('pickup(bell_pepper,ingredient_dispenser)')"
    for line in ("5 6", "ask pick bell; ask place"):
        chosen = read(line, egg)
        assert isinstance(chosen.decision, str), chosen.problem
        assert asked in chosen.decision and "request('place_obj_on_counter()')" in chosen.decision
    assert read("1 5", egg).decision or read("1 5", egg).problem


def test_what_the_partner_would_have_to_do_is_not_asked_for_by_mistake() -> None:
    chosen = read("pickup bell", "collab_overcooked/baked_bell_pepper")
    meant = "ask the assistant to pickup(bell_pepper,ingredient_dispenser)"
    assert chosen.problem == f"This is no call: pickup bell. Did you mean {meant!r}?"
    assert chosen.slip == "pickup bell"


def test_wait_is_understood_whatever_the_world_calls_it() -> None:
    level = "cuisineworld/level_0@tau=1.5"
    noop = [option for option in turn_in(level).menu.options if option.passes]
    assert read("wait", level).decision == noop[0].decision
    both = turn_in(level).together([turn_in(level).menu.options[0].decision, noop[1].decision])
    assert read("goto sto; wait", level).decision == both


def test_where_only_a_later_start_waits_that_is_said() -> None:
    cobbler = "recipe2plan/Cobbler+Pancakes"
    world = backburner.world(cobbler)
    oven = turn_in(cobbler).menu.options[0].decision  # it preheats by itself
    state = world.step(world.start(0), {"cook": oven}).state
    chosen = reader_of(cobbler).read("wait", turn_of(world, state, "cook", 1, 0))
    assert "what starts later: Step(1, Cobbler, 00:02:00, 00:10:00)" in chosen.problem


def test_of_several_parts_the_one_that_cannot_be_done_is_named() -> None:
    chosen = read("goto sto; get flour", "cuisineworld/level_0@tau=1.5")
    assert chosen.problem.startswith("'get flour' cannot be done now.")


def test_a_long_refusal_and_the_hint_stand_on_lines_of_their_own() -> None:
    """After the list of the verbs."""
    *told, hint = read("stir tea", "timearena/household1").problem.splitlines()
    assert told[0] == "This is not one of the actions." and told[-1].startswith("- wait:")
    assert hint.startswith(("'?' lists", "Did you mean"))


def test_a_small_letter_stands_for_a_place_where_no_action_alone_begins_so() -> None:
    sandwich = "robotouille/synchronous/1@seed=42"
    assert read("b", sandwich) == read("B", sandwich)
    assert not read("b", sandwich).problem
