"""Who commands whom: any partition of the bodies."""

from __future__ import annotations

import pytest

from backburner.kernel.play import play_now
from support.cuisineworld.play import MEATCAKE, Speaker, codes, world_of


@pytest.mark.parametrize(
    ("path", "seats"),
    [
        ("level_3", ["dispatcher"]),
        ("level_3@bodies=1", ["dispatcher"]),
        ("level_3@seats=each", ["agent0", "agent1"]),
        ("level_3@seats=person", ["agent0", "agent1"]),
        ("level_3@bodies=4,seats=person", ["agent0", "dispatcher"]),
        ("level_3@bodies=4,seats=1.2+0+3", ["dispatcher", "agent0", "agent3"]),
        ("level_3@bodies=4,seats=0.3+1.2", ["dispatcher0", "dispatcher1"]),
        ("level_3@bodies=12,seats=each", [f"agent{body}" for body in range(12)]),
    ],
)
def test_seats_are_named_after_their_bodies(path: str, seats: list[str]) -> None:
    assert list(world_of(path).seats) == seats


def test_a_menu_is_for_the_bodies_of_its_seat() -> None:
    world = world_of("level_3@bodies=4,seats=0.3+1.2")
    options = world.menu(world.start(), "dispatcher0").options
    assert {option.body for option in options} == {"agent0", "agent3"}
    decision = world.together([options[0].decision, options[-1].decision])
    step = world.step(world.start(), {"dispatcher0": decision, "dispatcher1": world.decision_type(())})
    assert not step.refusals


def test_a_body_of_another_seat_does_not_obey() -> None:
    world = world_of("level_3@bodies=3,seats=person")
    go = world.decision_type(("goto_agent1_storage0",))
    step = world.step(world.start(), {"agent0": go, "dispatcher": go})
    assert [(refusal.seat, refusal.code) for refusal in step.refusals] == [("agent0", "other_agent")]
    assert step.state.at == (1, 0, 1)


def test_seats_act_in_their_order() -> None:
    """agent1 wants what agent0 puts there in the same step."""
    for path, expected in (("level_2@seats=0+1", []), ("level_2@seats=1+0", ["get_empty"])):
        world = world_of(path)
        lines = {
            "agent0": [*MEATCAKE[:2], "goto_agent0_chopboard0", "put_agent0_chopboard0"],
            "agent1": ["goto_agent1_chopboard0", "noop_agent1", "noop_agent1", "get_agent1_chopboard0"],
        }
        state = world.start()
        for index in range(4):
            step = world.step(state, {seat: world.decision_type((lines[seat][index],)) for seat in lines})
            state = step.state
        assert codes(step) == expected


def test_a_person_and_a_dispatcher_serve_together() -> None:
    """The person fetches flour while the dispatcher's body fetches salmon: 4 steps, and the blender is on."""
    world = world_of("level_0@seats=person")
    ends = "\nnoop_agent1"
    person = [
        "goto_agent0_storage0",
        "get_agent0_flour_storage0",
        "goto_agent0_blender0",
        "put_agent0_blender0",
    ]
    other = [line.replace("agent0", "agent1") for line in MEATCAKE[:4]] + ["activate_agent1_blender0" + ends]
    episode = play_now(world, {"agent0": Speaker(*person), "agent1": Speaker(*other)}, max_steps=5)
    started = [(event.time, event.lane) for event in episode.events() if event.label == "salmonMeatcake"]
    assert started == [(4, "blender0")]


def test_one_silent_seat_does_not_stop_the_clock() -> None:
    world = world_of("level_0@seats=each", "released")
    go = world.decision_type(("goto_agent1_storage0",))
    assert world.step(world.start(), {"agent1": go}).state.steps == 1
    assert world.step(world.start(), {}).state.steps == 0
