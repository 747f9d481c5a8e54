"""A person plays with keys: letters for places, keys as their file says."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from backburner.agents.human import Chosen, HumanPolicy, Keys
from backburner.kernel.episode import Episode
from backburner.kernel.play import play_now
from backburner.kernel.view import Click, ClickAction, Controls, Key, KeyAction, Scene
from backburner.worlds.robotouille.game.actions import Acts
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille import say, world_in


def keys_of(world: Robotouille) -> Keys:
    return Keys(world.controls, world.verbs, world.together)


def chosen(world: Robotouille, line: str, *before: str, seat: str = "") -> Chosen | None:
    """What a line stands for after these answers."""
    state = say(world, world.start(), *before)
    seat = seat or world.deciders(state)[0]
    return keys_of(world).read(line, world.scene(state, seat), world.menu(state, seat).options, seat)


def acts(world: Robotouille, line: str, *before: str) -> tuple[str, ...]:
    found = chosen(world, line, *before)
    assert found is not None and not found.problem
    assert isinstance(found.decision, Acts)
    return found.decision.acts


KITCHEN = ["table bread", "stove patty", "board"]


def test_places_have_letters_row_by_row_that_are_no_keys() -> None:
    """``e`` is a key: the fifth place is ``f``."""
    world = world_in(["table"] * 60)
    labels = list(keys_of(world).labels(world.scene(world.start())).values())
    assert labels[:6] == ["a", "b", "c", "d", "f", "g"]
    assert labels[24:27] == ["z", "A", "B"] and labels[50:53] == ["Z", "aa", "ab"]
    assert len(set(labels)) == 60


def test_a_place_elsewhere_is_gone_to_and_a_place_here_is_used() -> None:
    """The file's order: move first, which is possible only to where the robot is not."""
    world = world_in(KITCHEN)
    assert acts(world, "b") == acts(world, "stove1") == ("move(p1=robot1,s1=table1,s2=stove1)",)
    assert acts(world, "a") == ("pick-up-item(i1=bread1,p1=robot1,s1=table1)",)
    assert acts(world, "a", "robot1 takes bread1 from table1") == (
        "place-item(i1=bread1,p1=robot1,s1=table1)",
    )


def test_a_key_does_the_first_thing_that_can_be_done_here() -> None:
    world = world_in(KITCHEN)
    assert acts(world, "e", "robot1 goes from table1 to stove1") == ("cook(i1=patty1,p1=robot1,s1=stove1)",)
    assert acts(world, "space") == ("wait()",)


def test_what_cannot_be_done_is_told_and_costs_nothing() -> None:
    found = chosen(world_in(KITCHEN), "e")
    assert found is not None and found.problem == "e: nothing of the kind can be done now"


def test_other_lines_are_no_keys() -> None:
    for line in ("robot1 goes from table1 to stove1", "finish", "z", "right right a", "robot9 a", "a;", ""):
        assert chosen(world_in(KITCHEN), line) is None


def test_a_dispatcher_names_bodies_or_takes_whoever_is_free() -> None:
    world = world_in(KITCHEN, robots=(0, 2), play="dispatcher")
    assert acts(world, "robot2 b") == ("move(p1=robot2,s1=board1,s2=stove1)",)
    to_stove = "move(p1=robot1,s1=table1,s2=stove1)"
    assert acts(world, "b") == (to_stove,)
    assert acts(world, "b; space") == (to_stove, "wait()")
    assert acts(world, "a; robot2 b") == (
        "pick-up-item(i1=bread1,p1=robot1,s1=table1)",
        "move(p1=robot2,s1=board1,s2=stove1)",
    )
    found = chosen(world, "robot1 a; robot1 b")
    assert found is not None and found.problem, "robot1 has something to do already"


def test_a_robot_moves_itself_alone() -> None:
    """Also where the released rules would let it command others."""
    world = world_in(KITCHEN, robots=(0, 2), rules="released")
    state = world.start()
    options = world.menu(state, "robot1").options
    assert {option.body for option in options} == {"robot1", "robot2", ""}
    found = keys_of(world).read("robot2 b", world.scene(state), options, "robot1")
    assert found is not None and found.problem


def test_keys_of_a_file() -> None:
    """Another button for moving, and a key that may be pressed anywhere."""
    world = world_in(KITCHEN)
    controls = Controls(
        (ClickAction("move", Click("s2", "right")),), (KeyAction("pick-up-item", Key("t", "s1")),)
    )
    keys = Keys(controls, world.verbs, world.together)
    scene, options = world.scene(world.start()), world.menu(world.start(), "robot1").options
    moved = keys.read("right b", scene, options, "robot1")
    assert moved == Chosen(Acts(("move(p1=robot1,s1=table1,s2=stove1)",)))
    assert keys.read("b", scene, options, "robot1") == Chosen(
        problem="stove1: nothing of the kind can be done now"
    )
    assert keys.read("t", scene, options, "robot1") == Chosen(
        Acts(("pick-up-item(i1=bread1,p1=robot1,s1=table1)",))
    )
    assert "pick-up-item" in keys.help() and "move" in keys.help()


# --- a whole game ------------------------------------------------------------------------------------


def played(world: Robotouille, *lines: str) -> tuple[Episode, list[str], list[str]]:
    """(episode, what was shown, prompts) of a person who types these lines."""
    shown: list[str] = []
    prompts: list[str] = []
    waiting = list(lines)

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return waiting.pop(0)

    def draw(scene: Scene, labels: Mapping[str, str]) -> None:
        shown.append(f"scene of {len(scene.places)} places: {' '.join(labels.values())}")

    person = HumanPolicy(shown.append, ask, lambda: 0.0, draw=draw, keys=keys_of(world), seats=world.seats)
    return play_now(world, person), shown, prompts


def decided(episode: Episode) -> list[str]:
    return [
        act for entry in episode.entries for answer in entry.answers.values() for act in answer.decision.acts
    ]


def test_a_person_cooks_with_keys_numbers_and_words() -> None:
    goal = [{"predicate": "iscooked", "args": ["patty"], "ids": [1]}]
    world = world_in(KITCHEN, goal=goal)
    # to the stove, cook; a blank is the space bar; the menu's first entry goes to the table; then in words:
    # done with the third step after the one that started it
    episode, shown, _ = played(world, "b", "e", " ", "", "99", "?", "1", "wait")
    assert episode.ending is not None and episode.ending.reason == "completed"
    assert decided(episode) == [
        "move(p1=robot1,s1=table1,s2=stove1)",
        "cook(i1=patty1,p1=robot1,s1=stove1)",
        "wait()",
        "move(p1=robot1,s1=stove1,s2=table1)",
        "wait()",
    ]
    assert shown.count("scene of 3 places: a b c") == len(episode.entries)
    assert "no number 99" in shown
    assert any(text.startswith("   1 robot1 goes from stove1 to table1") for text in shown)


def test_with_several_seats_the_prompt_says_which_is_asked() -> None:
    world = world_in(KITCHEN, robots=(0, 2))
    _, _, prompts = played(world, "space", "b", "finish")
    assert prompts == ["robot1> ", "robot2> ", "robot1> "]


@pytest.mark.parametrize("line", ["sing", "2nd", "e"])
def test_what_is_said_in_words_is_recorded_in_words(line: str) -> None:
    """A key for which there is nothing to do is no answer; other words are the world's to read."""
    episode, _, _ = played(world_in(KITCHEN), line, "finish")
    texts = [entry.answers["robot1"].text for entry in episode.entries]
    assert texts == (["finish"] if line == "e" else [line, "finish"])
