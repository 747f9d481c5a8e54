"""A person plays with keys: letters for places, keys as their file says."""

from __future__ import annotations

from backburner.agents.person.keys import Chosen, Keys
from backburner.kernel.view import Click, ClickAction, Controls, Key, KeyAction
from backburner.worlds.robotouille.game.state import Acts
from backburner.worlds.robotouille.game.world import Robotouille
from support.robotouille.kitchens import say, world_in


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
    """Capitals, so that words can begin with any small letter."""
    world = world_in(["table"] * 60)
    labels = list(keys_of(world).labels(world.scene(world.start())).values())
    assert labels[:6] == ["A", "B", "C", "D", "E", "F"]
    assert labels[24:28] == ["Y", "Z", "AA", "AB"]
    assert len(set(labels)) == 60


def test_a_place_elsewhere_is_gone_to_and_a_place_here_is_used() -> None:
    """The file's order: move first, which is possible only to where the robot is not."""
    world = world_in(KITCHEN)
    assert acts(world, "B") == acts(world, "stove1") == ("move(p1=robot1,s1=table1,s2=stove1)",)
    assert acts(world, "A") == ("pick-up-item(i1=bread1,p1=robot1,s1=table1)",)
    assert acts(world, "A", "robot1 takes bread1 from table1") == (
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
    for line in ("robot1 goes from table1 to stove1", "finish", "Z", "right right A", "robot9 A", "A;", ""):
        assert chosen(world_in(KITCHEN), line) is None


def test_a_dispatcher_names_bodies_or_takes_whoever_is_free() -> None:
    world = world_in(KITCHEN, robots=(0, 2), play="dispatcher")
    assert acts(world, "robot2 B") == ("move(p1=robot2,s1=board1,s2=stove1)",)
    to_stove = "move(p1=robot1,s1=table1,s2=stove1)"
    assert acts(world, "B") == (to_stove,)
    assert acts(world, "B; space") == (to_stove, "wait()")
    assert acts(world, "A; robot2 B") == (
        "pick-up-item(i1=bread1,p1=robot1,s1=table1)",
        "move(p1=robot2,s1=board1,s2=stove1)",
    )
    found = chosen(world, "robot1 A; robot1 B")
    assert found is not None and found.problem, "robot1 has something to do already"


def test_a_robot_moves_itself_alone() -> None:
    """Also where the released rules would let it command others."""
    world = world_in(KITCHEN, robots=(0, 2), rules="released")
    state = world.start()
    options = world.menu(state, "robot1").options
    assert {option.body for option in options} == {"robot1", "robot2", ""}
    found = keys_of(world).read("robot2 B", world.scene(state), options, "robot1")
    assert found is not None and found.problem


def test_keys_of_a_file() -> None:
    """Another button for moving, and a key that may be pressed anywhere."""
    world = world_in(KITCHEN)
    controls = Controls(
        (ClickAction("move", Click("s2", "right")),), (KeyAction("pick-up-item", Key("t", "s1")),)
    )
    keys = Keys(controls, world.verbs, world.together)
    scene, options = world.scene(world.start()), world.menu(world.start(), "robot1").options
    moved = keys.read("right B", scene, options, "robot1")
    assert moved == Chosen(Acts(("move(p1=robot1,s1=table1,s2=stove1)",)))
    assert keys.read("B", scene, options, "robot1") == Chosen(
        problem="stove1: nothing of the kind can be done now"
    )
    assert keys.read("t", scene, options, "robot1") == Chosen(
        Acts(("pick-up-item(i1=bread1,p1=robot1,s1=table1)",))
    )
    assert "pick-up-item" in keys.help() and "move" in keys.help()
