"""A person at the terminal: arrow keys, the space bar, e, clicks on places, short lines; in lockstep."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from backburner.agents.person.keys import Keys
from backburner.kernel import registry
from backburner.kernel.claims import check
from backburner.kernel.episode import read_episode
from backburner.kernel.replay import shots_of
from backburner.kernel.turns import turn_of
from backburner.worlds.clocked_kitchen.game import ClockedKitchen, Input
from backburner.worlds.clocked_kitchen.game.state import State
from support.at_terminal import Person
from support.clocked_kitchen.play import world_of

ROOM = ("##SS###", "#.....#", "#.....B", "#.....#", "##TT###")


class Pressing:
    """A world in lockstep, one body, by keys and clicks."""

    def __init__(self) -> None:
        self.world: ClockedKitchen = world_of("level_0@bodies=1", ROOM)
        self.keys = Keys(self.world.controls, self.world.verbs, self.world.together)
        self.state: State = self.world.start()

    def press(self, line: str) -> Input:
        """What the line is read as; it is carried out."""
        turn = turn_of(self.world, self.state, "dispatcher", 0, 0)
        assert turn.scene is not None
        chosen = self.keys.read(line, turn.scene, turn.menu.options, turn.seat)
        assert chosen is not None and not chosen.problem, chosen
        self.state = self.world.step(self.state, {"dispatcher": chosen.decision}).state
        return chosen.decision


def test_arrow_keys_and_the_space_bar_make_a_dish() -> None:
    at = Pressing()
    assert at.press("up") == Input(("move_agent0_up",))
    for key in ("up", "up"):
        at.press(key)
    assert at.press("space") == Input(("get_agent0_salmon_storage0",))
    for key in ("right", "right", "right", "down", "right"):
        at.press(key)
    assert at.press("space") == Input(("put_agent0_blender0",))
    for key in ("up", "left", "left", "up"):
        at.press(key)
    assert at.press("space") == Input(("get_agent0_flour_storage0",))
    for key in ("right", "right", "down", "right", "space"):
        at.press(key)
    assert at.press("e") == Input(("activate_agent0_blender0",))
    assert at.press("space") == Input(("get_agent0_blender0",))
    at.press("servingtable0")  # a click
    assert at.state.served == (0,)


def test_a_click_does_the_first_thing_that_can_be_done_there() -> None:
    at = Pressing()
    assert at.press("blender0") == Input(("goto_agent0_blender0",))
    assert at.press("storage0-flour") == Input(("get_agent0_flour_storage0",))
    assert at.press("blender0") == Input(("put_agent0_blender0",))


def test_walls_have_no_letters() -> None:
    at = Pressing()
    labels = at.keys.labels(at.world.scene(at.state))
    assert sorted(labels) == [
        "blender0",
        "servingtable0",
        "servingtable0-2",
        "storage0-flour",
        "storage0-salmon",
    ]


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("get salmon", "get_agent0_salmon_storage0"),
        ("GET Salmon storage0", "get_agent0_salmon_storage0"),
        ("get blender0", "get_agent0_blender0"),
        ("put", "put_agent0"),
        ("move left", "move_agent0_left"),
        ("noop", "noop_agent0"),
        ("get salmon please now", "get salmon please now"),
        ("get lunch", "get lunch"),
        ("", ""),
        ("get_agent1_blender0", "get_agent1_blender0"),
    ],
)
def test_a_short_line_is_a_command_of_ones_only_body(line: str, answer: str) -> None:
    assert world_of("level_0", ROOM).typed(line, "agent0") == answer


def test_who_has_several_bodies_types_whole_commands() -> None:
    assert world_of("level_0@seats=one", ROOM).typed("get salmon", "dispatcher") == "get salmon"


def test_a_person_plays_with_greedy_in_lockstep_and_the_record_replays(tmp_path: Path) -> None:
    record = tmp_path / "played.jsonl"
    options = ("--seat", "agent0", "--partner", "greedy", "--out", str(record))
    person = Person("play", "clocked_kitchen/level_1@seconds=20", *options)
    person.waits_for("Commands:")
    person.types("get flour\r")
    person.waits_for("of 20 s:")
    person.waits_for("Commands:")
    person.types("get salmon\r")
    person.waits_for("the agent already holds flour")
    person.types("\x1b[A")  # the arrow upwards, without Enter
    person.waits_for("of 20 s:")
    person.waits_for("Commands:")
    person.types("quit\r")
    person.ends()
    episode = read_episode(record)
    world = registry.world("clocked_kitchen/level_1@seconds=20")
    assert check(episode, world) == len(episode.entries)
    bodies = [shot.scene.bodies[0].at for shot in shots_of(episode, world)]
    steps = [abs(a[0] - b[0]) + abs(a[1] - b[1]) for a, b in pairwise(bodies) if a and b]
    assert max(steps) == 1  # replays show every step of a walk
